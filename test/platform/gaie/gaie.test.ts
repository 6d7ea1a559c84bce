import { expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/json/index.ts';
import { platformContext } from '../../../lib/platform/platform-context.ts';
import { renderGaie } from '../../../lib/platform/gaie/index.ts';
import { contextOf } from '../recorded.ts';
import { dig, environmentOf, frozen, inventory, objectOf, podOf } from '../render-part.ts';

const image = 'example.com/epp:1.2.3';

function gateway(values: JsonObject = {}, profile: 'parity' | 'secure' = 'parity') {
  return renderGaie(frozen({ extension: { image }, ...values }), contextOf('gw', 'models', profile));
}

test('renders picker, pool and route for the graph', () => {
  const rendered = gateway();
  expect(rendered).toMatchObject({ issues: [], warnings: [] });
  expect(inventory(rendered)).toEqual([
    'ClusterRole pod-read',
    'ClusterRoleBinding pod-read-binding',
    'ConfigMap gw-dynamo-gaie-epp-config',
    'Deployment qwen-epp',
    'HTTPRoute qwen-route',
    'InferencePool qwen-pool',
    'Service qwen-epp',
  ]);
  expect(dig(objectOf(rendered, 'InferencePool'), 'spec')).toEqual({
    targetPorts: [{ number: 8000 }],
    selector: {
      matchLabels: { 'nvidia.com/dynamo-component': 'Frontend', 'nvidia.com/dynamo-namespace': 'models-vllm-agg' },
    },
    endpointPickerRef: { group: '', kind: 'Service', name: 'qwen-epp', port: { number: 9002 } },
  });
  expect(dig(objectOf(rendered, 'HTTPRoute'), 'spec')).toEqual({
    parentRefs: [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'inference-gateway', namespace: 'models' }],
    rules: [
      {
        backendRefs: [
          {
            group: 'inference.networking.k8s.io',
            kind: 'InferencePool',
            name: 'qwen-pool',
            namespace: 'models',
            port: 8000,
            weight: 1,
          },
        ],
        matches: [{ path: { type: 'PathPrefix', value: '/' } }],
        timeouts: { request: '300s' },
      },
    ],
  });
  for (const object of rendered.objects)
    expect(object.metadata.namespace).toBe(object.kind.startsWith('Cluster') ? undefined : 'models');
});

test('the picker gets its arguments and environment in order', () => {
  const container = dig(
    podOf(objectOf(gateway({ epp: { extraEnv: [{ name: 'DYN_BUSY_THRESHOLD', value: '0.9' }] } }), 'Deployment')),
    'containers',
    0,
  );
  expect((dig(container, 'args') as readonly string[]).join(' ')).toBe(
    '-pool-name qwen-pool -pool-namespace models -pool-group inference.networking.k8s.io -v 4 --zap-encoder json -grpc-port 9002 -grpc-health-port 9003 -config-file /etc/epp/epp-config-dynamo.yaml',
  );
  const env = environmentOf(container);
  expect(Object.keys(env)).toEqual(
    'POD_NAMESPACE POD_NAME POD_UID DYN_DISCOVERY_BACKEND NATS_SERVER DYN_NAMESPACE DYN_KV_BLOCK_SIZE USE_STREAMING HF_TOKEN DYN_BUSY_THRESHOLD RUST_LOG'.split(
      ' ',
    ),
  );
  expect(env).toMatchObject({
    NATS_SERVER: 'nats://dynamo-platform-nats.my-model:4222',
    DYN_NAMESPACE: 'models-vllm-agg',
    DYN_KV_BLOCK_SIZE: '16',
  });
});

test('etcd, no Dynamo mode and other arguments', () => {
  const container = (epp: JsonObject) => dig(podOf(objectOf(gateway({ epp }), 'Deployment')), 'containers', 0);
  expect(environmentOf(container({ dynamo: { useEtcd: true } }))).toMatchObject({
    ETCD_ENDPOINTS: 'dynamo-platform-etcd.my-model:2379',
  });
  const plain = container({ useDynamo: false });
  expect(Object.keys(environmentOf(plain))).toEqual(['RUST_LOG']);
  expect(dig(plain, 'args')).not.toContain('-config-file');
  expect(dig(plain, 'volumeMounts')).toHaveLength(1);
  expect(inventory(gateway({ epp: { useDynamo: false } }))).toContain('ConfigMap gw-dynamo-gaie-epp-config');
  expect(dig(container({ argsOverride: ['-a', 1] }), 'args')).toEqual(['-a', '1']);
});

test('names follow the model, the overrides name the ConfigMap only', () => {
  const rendered = gateway({
    model: { shortName: 'llama' },
    fullnameOverride: 'x',
    httpRoute: { enabled: false },
    imagePullSecrets: [],
  });
  expect(inventory(rendered)).toContain('ConfigMap x-epp-config');
  expect(inventory(rendered)).toContain('Deployment llama-epp');
  expect(inventory(rendered).join()).not.toContain('HTTPRoute');
  expect(podOf(objectOf(rendered, 'Deployment'))).not.toHaveProperty('imagePullSecrets');
});

test.each<[JsonObject, string]>([
  [{ extension: { image: '' } }, 'extension.image'],
  [{ dynamoGraphDeploymentName: '' }, 'dynamoGraphDeploymentName'],
  [{ model: 'x' }, 'model'],
  [{ epp: null }, 'epp'],
  [{ epp: { imagePullPolicy: 'Sometimes' } }, 'epp.imagePullPolicy'],
])('rejects %j', (values, path) => {
  const { issues, objects } = gateway(values);
  expect(issues.map((issue) => issue.path.join('.'))).toContain(path);
  expect(objects).toEqual([]);
});

test('warns of unknown and dead values and of a floating image', () => {
  const { warnings } = gateway({ extension: { image: 'epp:latest' }, model: { shortname: 'a', identifier: 'b' } });
  expect(warnings.map(({ path, code }) => `${path.join('.')} ${code}`)).toEqual([
    'model.shortname unknown_key',
    'model.identifier dead_value',
    'extension.image floating_image',
  ]);
});

test('in the secure profile two gateways in one cluster do not take each other rights away', () => {
  const rendered = gateway({}, 'secure');
  expect(inventory(rendered)).toEqual(
    expect.arrayContaining(['ClusterRole models-qwen-epp', 'ClusterRoleBinding models-qwen-epp', 'ServiceAccount qwen-epp']),
  );
  expect(podOf(objectOf(rendered, 'Deployment'))).toMatchObject({
    serviceAccountName: 'qwen-epp',
    securityContext: { runAsNonRoot: true },
  });
  expect(environmentOf(dig(podOf(objectOf(rendered, 'Deployment')), 'containers', 0))['RUST_LOG']).toBe('info');
});

test('the registry and the pull secrets of all parts reach the picker in the secure profile', () => {
  const values = { extension: { image: 'a/b:1' }, global: { imageRegistry: 'mirror.example', imagePullSecrets: ['all'] } };
  const secure = renderGaie(values, platformContext(values));
  expect(secure.warnings).toEqual([]);
  const pod = podOf(objectOf(secure, 'Deployment'));
  expect(dig(pod, 'containers', 0, 'image')).toBe('mirror.example/a/b:1');
  expect(pod['imagePullSecrets']).toEqual([{ name: 'docker-imagepullsecret' }, { name: 'all' }]);
  const parity = renderGaie(values, platformContext(values, { profile: 'parity' }));
  expect(parity.warnings.map(({ path }) => path)).toEqual([['global']]);
  expect(dig(podOf(objectOf(parity, 'Deployment')), 'containers', 0, 'image')).toBe('a/b:1');
});

test.each(['1s', '90m', '1h30m15s', '500ms'])('requests may take %s', (request) => {
  const rendered = gateway({ httpRoute: { timeout: { request } } }, 'secure');
  expect(dig(objectOf(rendered, 'HTTPRoute'), 'spec', 'rules', 0, 'timeouts')).toEqual({ request });
});

test.each<[string, JsonObject]>([
  ['httpRoute.timeout.request', { httpRoute: { timeout: { request: '5 minutes' } } }],
  ['httpRoute.timeout.request', { httpRoute: { timeout: { request: '1.5h' } } }],
  ['httpRoute.timeout.request', { httpRoute: { timeout: { request: 300 } } }],
  ['inferencePool.port', { inferencePool: { port: 70_000 } }],
  ['epp.extraEnv', { epp: { extraEnv: [{ name: 'A=B', value: 'x' }] } }],
  ['model.shortName', { model: { shortName: 'Qwen_3' } }],
])('rejects %s that the API server refuses, which the profile parity only warns of', (path, values) => {
  const { issues, objects } = gateway(values, 'secure');
  expect(objects).toEqual([]);
  expect(new Set(issues.map((issue) => issue.path.join('.')))).toEqual(new Set([path]));
  const parity = gateway(values);
  expect(parity.issues).toEqual([]);
  expect(parity.warnings.map((warning) => warning.path.join('.'))).toContain(path);
});

test('tells everything wrong with the values at once', () => {
  const values = {
    extension: { image: '' },
    epp: { imagePullPolicy: 'Sometimes' },
    model: { shortName: 'Q_x' },
    httpRoute: { timeout: { request: '5 minutes' } },
  };
  const { issues, objects } = renderGaie(values, contextOf('gw', 'models', 'secure'));
  expect(new Set(issues.map(({ path }) => path.join('.')))).toEqual(
    new Set(['extension.image', 'epp.imagePullPolicy', 'model.shortName', 'httpRoute.timeout.request']),
  );
  expect(objects).toEqual([]);
  const hidden = renderGaie({ ...values, epp: 'none' }, contextOf('gw', 'models', 'secure')).issues;
  expect(hidden.map(({ path }) => path.join('.'))).toEqual(['epp']);
});
