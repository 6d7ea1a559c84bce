// Every entry of the registry has a manifest that the commands report it for. Rules carry theirs with them; the rest is here.
import { expect, test } from 'vitest';
import { judgeDocuments, lintDocuments, renderDocuments, type LintSettings } from '../../lib/check/index.ts';
import type { JsonObject } from '../../lib/json/index.ts';
import { lintRules } from '../../lib/lint/index.ts';
import { frontend, graph, vllmModel, worker } from '../../lib/lint/sample.ts';

type Case = readonly [object: JsonObject, settings?: Partial<LintSettings>];

const vllm = (extra: JsonObject = {}, container: JsonObject = {}, args: readonly string[] = []): JsonObject =>
  worker('vllm', [...vllmModel, ...args], extra, container);
const withWorker = (one: JsonObject, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject =>
  graph({ Frontend: frontend(), Worker: one }, spec, metadata);
const inPod = (pod: JsonObject): JsonObject => withWorker(vllm({ extraPodSpec: pod }));
const suppressing = (text: string): JsonObject => withWorker(vllm(), {}, { annotations: { 'dynamo-cdk8s/suppress': text } });
const nodes = { multinode: { nodeCount: 2 }, resources: { limits: { gpu: '8' } }, sharedMemory: { size: '80Gi' } };
const script = (text: string): JsonObject => worker('vllm', [text], nodes, { command: ['/bin/sh', '-c'] });
const picker = (extra: JsonObject): JsonObject => ({
  componentType: 'epp',
  replicas: 1,
  eppConfig: { config: { plugins: [], schedulingProfiles: [] } },
  ...extra,
});
const withPicker = (extra: JsonObject, annotations: JsonObject = {}): JsonObject =>
  graph({ Frontend: frontend(), Worker: vllm(), Picker: picker(extra) }, {}, { annotations });
const grove = { orchestrator: 'grove' } as const;
const lws = { orchestrator: 'lws' } as const;
const componentDeployment = (spec: JsonObject): JsonObject => ({
  apiVersion: 'nvidia.com/v1alpha1',
  kind: 'DynamoComponentDeployment',
  metadata: { name: 'alone' },
  spec: { dynamoNamespace: 'default-demo', serviceName: 'alone', ...vllm(), ...spec },
});

const cases: Readonly<Record<string, Case>> = {
  'DYN-API-001': [
    withWorker(vllm(), {
      pvcs: [{ name: 'Weights', create: true, size: '1Gi', storageClass: 'a', volumeAccessMode: 'ReadWriteOnce' }],
    }),
  ],
  'DYN-API-002': [withWorker(vllm({ extraPodMetadata: { labels: { team: 'a b' } } }))],
  'DYN-API-003': [withWorker(vllm({}, { image: '' }))],
  'DYN-API-004': [withWorker(vllm({ livenessProbe: { httpGet: { path: '/live', port: 9090 }, periodSeconds: -1 } }))],
  'DYN-API-005': [withWorker(vllm({}, { volumeMounts: [{ name: 'absent', mountPath: '/a' }] }))],
  'DYN-API-006': [withWorker(vllm({ resources: { limits: { gpu: '1', cpu: '1' }, requests: { cpu: '2' } } }))],
  'DYN-API-007': [withWorker(vllm({}, { envFrom: [{ prefix: 'a' }] }))],
  'DYN-API-008': [inPod({ tolerations: [{ key: 'a', operator: 'Near' }] })],
  'DYN-API-009': [inPod({ restartPolicy: 'Never' })],
  'DYN-QUIRK-001': [withWorker(vllm({ labels: { team: 'a' } }))],
  'DYN-QUIRK-002': [withWorker(vllm({ resources: { requests: { gpu: '0' }, limits: { gpu: '1' } } }))],
  'DYN-QUIRK-003': [
    withWorker(vllm({ volumeMounts: [{ name: 'kernels', useAsCompilationCache: true }] }), { pvcs: [{ name: 'kernels' }] }),
  ],
  'DYN-QUIRK-004': [withWorker(vllm({}, { livenessProbe: { httpGet: { path: '/live', port: 8080 } } }))],
  'DYN-QUIRK-005': [withWorker(vllm({}, { readinessProbe: { exec: { command: ['true'] } } }))],
  'DYN-QUIRK-006': [inPod({ terminationGracePeriodSeconds: 0 })],
  'DYN-QUIRK-008': [withWorker(script('./start.sh --tensor-parallel-size 16'), { backendFramework: 'vllm' }), lws],
  'DYN-QUIRK-009': [withWorker(worker('sglang', ['--model-path', 'a/b', '--tp', '16'], nodes)), lws],
  'DYN-QUIRK-010': [withWorker(worker('trtllm', ['--model-path', 'a/b', "--x='y'"], nodes)), lws],
  'DYN-QUIRK-012': [graph({ Frontend: frontend(), Second: frontend(), Worker: vllm() })],
  'DYN-QUIRK-014': [
    withPicker({}, { 'nvidia.com/dynamo-discovery-backend': 'etcd' }),
    { apiGroups: new Set(['inference.networking.k8s.io', 'grove.io']) },
  ],
  'DYN-QUIRK-015': [
    graph({
      Frontend: frontend(
        {},
        { ingress: { enabled: true, host: 'chat', ingressControllerClassName: 'nginx', annotations: { a: 'b' } } },
      ),
      Worker: vllm(),
    }),
  ],
  'DYN-QUIRK-017': [componentDeployment({})],
  'DYN-QUIRK-018': [withWorker(vllm({}, { env: [{ name: 'A', value: '1' }] }), { envs: [{ name: 'A', value: '1' }] })],
  'DYN-QUIRK-019': [withWorker(vllm({ annotations: { 'nvidia.com/enable-metrics': 'false' } })), grove],
  'DYN-QUIRK-020': [withWorker(vllm(), {}, { annotations: { 'nvidia.com/dynamo-discovery-backend': 'consul' } })],
  'DYN-QUIRK-021': [withWorker(vllm({ replicas: undefined })), grove],
  'DYN-QUIRK-023': [
    withWorker(vllm({ ...nodes, extraPodSpec: { schedulerName: 'kai' } }, {}, ['--tensor-parallel-size', '16'])),
    lws,
  ],
  'DYN-QUIRK-024': [withWorker(script('./start.sh -tp 16'), { backendFramework: 'vllm' }), lws],
  'DYN-QUIRK-025': [
    graph({
      Frontend: frontend(),
      Worker: vllm(),
      Planner: {
        componentType: 'planner',
        replicas: 1,
        extraPodSpec: { serviceAccountName: 'mine', mainContainer: { image: 'a:1', command: ['plan'] } },
      },
    }),
  ],
  'DYN-QUIRK-026': [componentDeployment(nodes), { apiGroups: new Set() }],
  'DYN-QUIRK-027': [graph({ Frontend: frontend({}, { ingress: { enabled: true, host: 'chat' } }), Worker: vllm() })],
  'DYN-SUP-001': [suppressing('DYN-GPU-999=why')],
  'DYN-SUP-002': [suppressing('DYN-GPU-001=')],
  'DYN-SUP-003': [suppressing('DYN-GPU-001=MPS: two ranks per GPU')],
};

function reported([value, more = {}]: Case): readonly string[] {
  const settings: LintSettings = { namespace: 'default', ...more };
  const plain = JSON.parse(JSON.stringify(value)) as JsonObject;
  const rendered = renderDocuments(judgeDocuments([{ value: plain }], settings), settings);
  return lintDocuments(rendered, settings).flatMap(({ findings }) => findings.map(({ id, message }) => `${id} ${message}`));
}

test.each(Object.entries(cases))('%s has a case', (id, one) => {
  expect(reported(one)).toContainEqual(expect.stringMatching(new RegExp(`^${id} `)));
});

test('no entry of the registry is without a case', () => {
  const examples = lintRules.filter(({ example }) => example !== undefined).map(({ id }) => id);
  expect([...examples, ...Object.keys(cases)].sort()).toEqual(lintRules.map(({ id }) => id).sort());
});
