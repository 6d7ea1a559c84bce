/** Random graphs that the API server and the webhook accept, made of what people write in them. */
import * as fc from 'fast-check';
import { normalizeResource, type DynamoGraphDeployment, type Json } from '../../lib/api/index.ts';
import { chartConfig, clusterOfDocuments, type RenderContext } from '../../lib/render/index.ts';

const some = <T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(model, { requiredKeys: [] });
const word = fc.constantFrom('a', 'b', 'zeta', 'x<y>&z', "it's", 'é');
const texts = (...keys: readonly string[]): fc.Arbitrary<Record<string, string>> =>
  fc.dictionary(fc.constantFrom(...keys), word, { maxKeys: 3 });
const amount = fc.constantFrom('1', '500m', '4.0', '1.5Gi', '1024Mi', '8', '64Gi');
const envs = fc.array(
  fc.oneof(
    fc.record({ name: fc.constantFrom('A', 'B', 'NCCL_DEBUG', 'POD_NAME', 'Z_'), value: word }),
    fc.record({ name: fc.constantFrom('A', 'C'), valueFrom: fc.constant({ secretKeyRef: { name: 's', key: 'k' } }) }),
  ),
  { maxLength: 3 },
);
const resourceItem = some({
  cpu: amount,
  memory: amount,
  gpu: fc.constantFrom('1', '4', '8'),
  custom: fc.dictionary(fc.constantFrom('rdma/ib', 'x/y'), amount, { maxKeys: 1 }),
});
const probe = some({
  httpGet: fc.record({ path: fc.constantFrom('/live', ''), port: fc.constantFrom<number | string>(8000, 'http', '') }),
  exec: fc.constant({ command: ['true'] }),
  periodSeconds: fc.constantFrom(0, 5, 30),
});
const commands: readonly { readonly command?: readonly string[]; readonly args?: readonly string[] }[] = [
  {},
  { args: ['python3 -m dynamo.vllm --model m --tensor-parallel-size 16'] },
  { command: ['python3', '-m', 'dynamo.vllm'], args: ['--data-parallel-size', '16', '--model', 'm'] },
  { command: ['/bin/sh', '-c'], args: ['python3 -m dynamo.sglang --tp 16 | tee log'] },
  { command: ['python3'], args: ['-m', 'dynamo.sglang'] },
  { command: ['python3', '-m', 'dynamo.trtllm'], args: ['--model', "it's"] },
  { command: ['sleep'], args: ['infinity'] },
];
const mainContainer = fc
  .tuple(
    fc.constantFrom(...commands),
    some({
      image: fc.constantFrom('registry.example.com/a:1', 'nginx'),
      env: fc.uniqueArray(fc.record({ name: fc.constantFrom('A', 'B', 'MAIN'), value: word }), {
        maxLength: 2,
        selector: (entry) => entry.name,
      }),
      livenessProbe: probe,
      readinessProbe: probe,
      startupProbe: probe,
      tty: fc.boolean(),
      workingDir: fc.constantFrom('', '/w'),
      volumeMounts: fc.constant([{ name: 'own', mountPath: '/own' }]),
      resources: some({ limits: fc.dictionary(fc.constantFrom('cpu', 'nvidia.com/gpu'), amount, { maxKeys: 2 }) }),
    }),
  )
  .map(([command, rest]) => ({ ...command, ...rest }));
const extraPodSpec = some({
  mainContainer,
  containers: fc.constant([{ name: 'side', image: 's', resources: { limits: { cpu: '1000m' } } }]),
  tolerations: fc.constantFrom<object[]>([], [{ key: 'gpu', operator: 'Exists' }]),
  terminationGracePeriodSeconds: fc.constantFrom(0, 10),
  serviceAccountName: fc.constant('own'),
  securityContext: fc.constantFrom({}, { runAsUser: 0 }),
  volumes: fc.constant([{ name: 'own', emptyDir: {} }]),
  imagePullSecrets: fc.constant([{ name: 'pull' }]),
  schedulerName: fc.constantFrom('', 'mine'),
});
const component = some({
  componentType: fc.constantFrom('frontend', 'worker', 'prefill', 'decode', 'planner', 'default', ''),
  subComponentType: fc.constantFrom('prefill', 'decode'),
  replicas: fc.nat(2),
  annotations: texts('nvidia.com/enable-metrics', 'nvidia.com/dynamo-discovery-backend', 'nvidia.com/enable-debug-mode', 'team'),
  labels: texts('team', 'x/y'),
  envs,
  envFromSecret: fc.constantFrom('', 'hf'),
  resources: some({ limits: resourceItem, requests: resourceItem }),
  volumeMounts: fc.array(fc.record({ name: fc.constantFrom('claim', 'other'), mountPoint: fc.constant('/data') }), {
    maxLength: 2,
  }),
  modelRef: fc.record({ name: fc.constantFrom('', 'Qwen/Qwen3-0.6B', 'other') }),
  sharedMemory: some({ disabled: fc.boolean(), size: fc.constantFrom<number | string>('2.5Gi', 1073741824) }),
  extraPodMetadata: some({ labels: texts('team', 'nvidia.com/selector'), annotations: texts('note') }),
  extraPodSpec,
  livenessProbe: probe,
  multinode: fc.record({ nodeCount: fc.integer({ min: 2, max: 3 }) }),
  scalingAdapter: some({ enabled: fc.boolean() }),
  ingress: fc.record({ enabled: fc.boolean(), host: fc.constant('host'), ingressControllerClassName: fc.constant('nginx') }),
  globalDynamoNamespace: fc.boolean(),
});
const spec = fc
  .record({
    services: fc.dictionary(fc.constantFrom('Frontend', 'Worker', 'decode', 'Planner', 'Zeta'), component, {
      minKeys: 1,
      maxKeys: 4,
    }),
    optional: some({
      backendFramework: fc.constantFrom('vllm', 'sglang', 'trtllm'),
      envs,
      pvcs: fc.constant([{ name: 'claim', create: true, size: '1024Mi', storageClass: '', volumeAccessMode: 'ReadWriteMany' }]),
      restart: fc.record({ id: fc.constant('r1'), strategy: fc.record({ type: fc.constantFrom('Sequential', 'Parallel') }) }),
    }),
  })
  .map(({ services, optional }) => ({ ...optional, services }));

/** Graphs as the API server stores them. */
export const graphs: fc.Arbitrary<DynamoGraphDeployment> = fc
  .record({
    spec,
    annotations: texts('nvidia.com/enable-grove', 'nvidia.com/dynamo-discovery-backend', 'nvidia.com/enable-metrics'),
  })
  .map(({ spec, annotations }) => {
    const graph = {
      apiVersion: 'nvidia.com/v1alpha1',
      kind: 'DynamoGraphDeployment',
      metadata: { name: 'g', namespace: 'ns', annotations },
      spec,
    };
    const { value, issues } = normalizeResource(graph as unknown as Json);
    if (issues.length > 0) throw new Error(JSON.stringify(issues));
    return value as unknown as DynamoGraphDeployment;
  });

/** A context on a cluster with the given API groups. */
export function contextWith(...groups: readonly string[]): RenderContext {
  return { config: chartConfig(), cluster: clusterOfDocuments([], new Set(groups), 'ns') };
}

/** The contexts that lead to different pathways. */
export const contexts: fc.Arbitrary<RenderContext> = fc.constantFrom(
  contextWith(),
  contextWith('grove.io', 'scheduling.run.ai'),
  contextWith('leaderworkerset.x-k8s.io', 'scheduling.volcano.sh'),
);
