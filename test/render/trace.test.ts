import { describe, expect, test } from 'vitest';
import { formatPath, type ComponentSpec, type Path } from '../../lib/api/index.ts';
import { renderLevels, traceField, type RenderedObject, type RenderableResource } from '../../lib/render/index.ts';
import { component, context, graph, groups, stored } from './graphs.ts';

function find(resource: RenderableResource, orchestrator: keyof typeof groups, kind: string, name: string): RenderedObject {
  const { objects } = renderLevels(resource, context(orchestrator, { ingressClassName: 'nginx' }));
  const found = objects.find(({ object }) => object.kind === kind && object.metadata.name === name);
  if (found === undefined) throw new Error(`no ${kind} ${name}`);
  return found;
}

const worker: ComponentSpec = {
  componentType: 'worker',
  replicas: 1,
  labels: { team: 'a' },
  envs: [{ name: 'OWN', value: '1' }],
  envFromSecret: 'hf',
  modelRef: { name: 'm' },
  volumeMounts: [{ name: 'claim', mountPoint: '/data' }],
  resources: { limits: { gpu: '1', custom: { 'rdma/ib': '1' } }, claims: [{ name: 'c' }] },
  sharedMemory: { size: '1Gi' },
  livenessProbe: { exec: { command: ['x'] } },
  extraPodMetadata: { labels: { pod: 'l' } },
  extraPodSpec: {
    containers: [{ name: 'side', image: 's' }],
    volumes: [{ name: 'own', emptyDir: {} }],
    mainContainer: {
      image: 'i',
      args: ['x'],
      env: [{ name: 'MAIN', value: '1' }],
      resources: { limits: { memory: '1Gi' } },
      readinessProbe: { periodSeconds: 3 },
    },
  },
};
const small = graph({ Worker: worker }, { spec: { envs: [{ name: 'SHARED', value: '1' }], backendFramework: 'vllm' } });
const base: Path = ['spec', 'services', 'Worker'];
const main = [...base, 'extraPodSpec', 'mainContainer'];

/** Index of the entry of that name. */
const named = (list: unknown, name: string): number =>
  (list as readonly { readonly name: string }[]).findIndex((entry) => entry.name === name);

describe.each([
  ['none', 'Deployment', 'g-worker', ['spec', 'template', 'spec']],
  ['grove', 'PodCliqueSet', 'g', ['spec', 'template', 'cliques', 0, 'spec', 'podSpec']],
] as const)('with orchestrator %s', (orchestrator, kind, name, pod) => {
  const rendered = find(small, orchestrator, kind, name);
  const container = [...pod, 'containers', 1];
  const at = (...path: Path): unknown =>
    [...container, ...path].reduce<unknown>((value, part) => (value as Record<string | number, unknown>)[part], rendered.object);
  const trace = (...path: Path): string => formatPath(traceField(rendered, [...container, ...path]));

  test('fields of the main container lead to the main container', () => {
    expect(trace('image')).toBe(formatPath([...main, 'image']));
    expect(trace('imagePullPolicy')).toBe(formatPath([...main, 'imagePullPolicy']));
  });

  test('variables lead to where the winning value is', () => {
    const env = (variable: string): string => trace('env', named(at('env'), variable), 'value');
    expect(env('OWN')).toBe(formatPath([...base, 'envs', 0, 'value']));
    expect(env('SHARED')).toBe('spec.envs[0].value');
    expect(env('MAIN')).toBe(formatPath([...main, 'env', 0, 'value']));
    expect(env('POD_NAME')).toBe(formatPath(base));
  });

  test('mounts and volumes lead to claims, own volumes and shared memory', () => {
    expect(trace('volumeMounts', 0, 'mountPath')).toBe(formatPath([...base, 'volumeMounts', 0, 'mountPoint']));
    expect(trace('volumeMounts', 1, 'mountPath')).toBe(formatPath([...base, 'sharedMemory']));
    const volume = (index: number, ...rest: Path): string =>
      formatPath(traceField(rendered, [...pod, 'volumes', index, ...rest]));
    expect(volume(0, 'name')).toBe(formatPath([...base, 'extraPodSpec', 'volumes', 0, 'name']));
    expect(volume(1, 'persistentVolumeClaim', 'claimName')).toBe(formatPath([...base, 'volumeMounts', 0, 'name']));
    expect(volume(2, 'emptyDir', 'sizeLimit')).toBe(formatPath([...base, 'sharedMemory', 'size']));
  });

  test('resources lead to the component or to the main container, whichever gave them', () => {
    expect(trace('resources', 'limits', 'nvidia.com/gpu')).toBe(formatPath([...base, 'resources', 'limits', 'gpu']));
    expect(trace('resources', 'limits', 'rdma/ib')).toBe(formatPath([...base, 'resources', 'limits', 'custom', 'rdma/ib']));
    expect(trace('resources', 'limits', 'memory')).toBe(formatPath([...main, 'resources', 'limits', 'memory']));
    expect(trace('resources', 'claims', 0, 'name')).toBe(formatPath([...base, 'resources', 'claims', 0, 'name']));
  });

  test('probes, secrets and sidecars lead to where they were given', () => {
    expect(trace('livenessProbe', 'exec')).toBe(formatPath([...base, 'livenessProbe', 'exec']));
    expect(trace('readinessProbe', 'periodSeconds')).toBe(formatPath([...main, 'readinessProbe', 'periodSeconds']));
    expect(trace('envFrom', 0, 'secretRef')).toBe(formatPath([...base, 'envFromSecret']));
    expect(formatPath(traceField(rendered, [...pod, 'containers', 0, 'image']))).toBe(
      formatPath([...base, 'extraPodSpec', 'containers', 0, 'image']),
    );
  });

  test('labels of pods lead to what they say', () => {
    const labels =
      orchestrator === 'none' ? ['spec', 'template', 'metadata', 'labels'] : ['spec', 'template', 'cliques', 0, 'labels'];
    const label = (key: string): string => formatPath(traceField(rendered, [...labels, key]));
    expect(label('pod')).toBe(formatPath([...base, 'extraPodMetadata', 'labels', 'pod']));
    expect(label('nvidia.com/dynamo-component-type')).toBe(formatPath([...base, 'componentType']));
    expect(label('nvidia.com/dynamo-base-model-hash')).toBe(formatPath([...base, 'modelRef', 'name']));
    expect(label('nvidia.com/selector')).toBe(formatPath(base));
  });
});

test('fields of a component resource lead to the service they were copied from', () => {
  const resource = find(small, 'none', 'DynamoComponentDeployment', 'g-worker');
  const trace = (...path: Path): string => formatPath(traceField(resource, path));
  expect(trace('metadata', 'name')).toBe(formatPath(base));
  expect(trace('spec', 'envs', 1, 'value')).toBe('spec.envs[0].value');
  expect(trace('spec', 'backendFramework')).toBe('spec.backendFramework');
  expect(trace('spec', 'extraPodSpec', 'mainContainer', 'image')).toBe(formatPath([...main, 'image']));
  expect(trace('spec', 'serviceName')).toBe(formatPath(base));
});

test('other objects lead to what made them', () => {
  const frontend = {
    componentType: 'frontend',
    ingress: { enabled: true, host: 'h', ingressControllerClassName: 'n', tls: { secretName: 's' } },
  };
  const big = graph(
    {
      Web: { ...frontend, scalingAdapter: { enabled: true }, replicas: 2 },
      Far: { ...worker, multinode: { nodeCount: 2 }, resources: { limits: { gpu: '8' } } },
    },
    { spec: { pvcs: [{ name: 'p', create: true, size: '1Gi', storageClass: 'fast', volumeAccessMode: 'ReadWriteOnce' }] } },
  );
  const trace = (kind: string, name: string, ...path: Path): string => formatPath(traceField(find(big, 'lws', kind, name), path));
  expect(trace('PersistentVolumeClaim', 'p', 'spec', 'storageClassName')).toBe('spec.pvcs[0].storageClass');
  expect(trace('PersistentVolumeClaim', 'p', 'spec', 'resources', 'requests', 'storage')).toBe('spec.pvcs[0].size');
  expect(trace('Ingress', 'g-web', 'spec', 'rules', 0, 'host')).toBe('spec.services.Web.ingress.host');
  expect(trace('Ingress', 'g-web', 'spec', 'tls', 0, 'secretName')).toBe('spec.services.Web.ingress.tls.secretName');
  expect(trace('DynamoGraphDeploymentScalingAdapter', 'g-web', 'spec', 'replicas')).toBe('spec.services.Web.replicas');
  expect(trace('PodGroup', 'g-far-0', 'spec', 'minMember')).toBe('spec.services.Far.multinode.nodeCount');
  expect(
    trace('LeaderWorkerSet', 'g-far-0', 'spec', 'leaderWorkerTemplate', 'leaderTemplate', 'spec', 'containers', 1, 'image'),
  ).toBe('spec.services.Far.extraPodSpec.mainContainer.image');
  expect(trace('Service', 'g-web', 'spec', 'ports', 0)).toBe('spec.services.Web.componentType');
  expect(trace('ServiceAccount', 'g-k8s-service-discovery', 'metadata', 'name')).toBe('metadata.name');
});

test('fields of a component on its own lead to its spec', () => {
  const own = component({ componentType: 'frontend', dynamoNamespace: 'd', extraPodSpec: { mainContainer: { image: 'i' } } });
  const deployment = find(own, 'none', 'Deployment', 'c');
  expect(formatPath(traceField(deployment, ['spec', 'template', 'spec', 'containers', 0, 'image']))).toBe(
    'spec.extraPodSpec.mainContainer.image',
  );
  expect(formatPath(traceField(deployment, ['spec', 'replicas']))).toBe('spec.replicas');
});

test('fields of a profiling Job lead to the profiling configuration', () => {
  const request = stored({
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeploymentRequest',
    metadata: { name: 'r', namespace: 'ns' },
    spec: {
      model: 'm',
      backend: 'vllm',
      profilingConfig: { profilerImage: 'p', config: {}, resources: { limits: { cpu: '1' } } },
    },
  });
  const job = find(request, 'none', 'Job', 'profile-r');
  const trace = (...path: Path): string => formatPath(traceField(job, ['spec', 'template', 'spec', ...path]));
  expect(trace('containers', 0, 'image')).toBe('spec.profilingConfig.profilerImage');
  expect(trace('containers', 0, 'resources', 'limits', 'cpu')).toBe('spec.profilingConfig.resources.limits.cpu');
  expect(trace('volumes', 0)).toBe('spec.profilingConfig.outputPVC');
});

test('the Service of a model that several services of a graph on Grove serve leads to the first of them', () => {
  const serving: ComponentSpec = {
    componentType: 'worker',
    modelRef: { name: 'm' },
    extraPodSpec: { mainContainer: { image: 'i' } },
  };
  const twice = graph({ B: serving, A: serving });
  const { objects } = renderLevels(twice, context('grove'));
  const service = objects.find(({ object }) => object.metadata.name.startsWith('dynamo-model-'));
  expect(service?.origin).toEqual(['spec', 'services', 'A']);
});
