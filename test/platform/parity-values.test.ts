import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../lib/json/index.ts';
import { renderPlatform, type RenderedPlatform } from '../../lib/platform/platform.ts';
import { dig } from './render-part.ts';

const op = (values: JsonObject): JsonObject => ({ 'dynamo-operator': values });
const restricted = { namespaceRestriction: { enabled: true } };
const monitoring = { apiVersions: ['monitoring.coreos.com/v1'] };

interface Options {
  readonly release?: string;
  readonly namespace?: string;
  readonly apiVersions?: readonly string[];
}

function render(values: JsonObject, options: Options = {}): RenderedPlatform {
  return renderPlatform(values, { release: 'r', namespace: 'ns', ...options, profile: 'parity' });
}

/** The object `Kind namespace/name` (or `Kind name` without a namespace); `OP` is the operator's full name. */
function find(rendered: RenderedPlatform, key: string) {
  const wanted = key.replaceAll('OP', 'r-dynamo-operator');
  const found = rendered.objects.find(
    ({ kind, metadata }) =>
      wanted === `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`,
  );
  if (found === undefined) throw new Error(`no ${wanted}: ${JSON.stringify(rendered.issues)}`);
  return found;
}

describe('numbers of objects', () => {
  const counts = (values: JsonObject, options: Options = {}) =>
    Object.fromEntries(render(values, options).byPart.map(({ name, objects }) => [name, objects.length]));
  const both = { grove: { enabled: true }, 'kai-scheduler': { enabled: true } };
  test.each<[string, JsonObject, Options, Readonly<Record<string, number>>]>([
    ['of the defaults', {}, {}, { 'dynamo-operator': 35, nats: 5, etcd: 6, queues: 0 }],
    ['with the monitoring API', {}, monitoring, { 'dynamo-operator': 39 }],
    ['restricted, with the monitoring API', op(restricted), monitoring, { 'dynamo-operator': 44 }],
    ['without webhooks', op({ webhook: { enabled: false } }), {}, { 'dynamo-operator': 21 }],
    ['with cert-manager', op({ webhook: { certManager: { enabled: true } } }), {}, { 'dynamo-operator': 29 }],
    ['with an external certificate', op({ webhook: { certificateSecret: { external: true } } }), {}, { 'dynamo-operator': 25 }],
    ['restricted', op(restricted), {}, { 'dynamo-operator': 40 }],
    ['without a key for MPI', op({ dynamo: { mpiRun: { sshKeygen: { enabled: false } } } }), {}, { 'dynamo-operator': 31 }],
    [
      'of three etcd members with a budget and without a token',
      { etcd: { replicaCount: 3, pdb: { create: true }, auth: { token: { enabled: false } } } },
      {},
      { etcd: 6 },
    ],
    ['of Grove and KAI', both, { apiVersions: ['scheduling.run.ai/v2'] }, { grove: 9, 'kai-scheduler': 38, queues: 2 }],
    ['of queues for a KAI that is there already', {}, { apiVersions: ['scheduling.run.ai/v2'] }, { queues: 2 }],
  ])('%s', (_name, values, options, expected) => {
    expect(counts(values, options)).toMatchObject(expected);
  });
});

type Row = [string, JsonObject, string, readonly (string | number)[], Json | undefined, Options?];
const manager = 'Deployment ns/OP-controller-manager';
const pod = ['spec', 'template', 'spec'];
const webhooks = 'ValidatingWebhookConfiguration OP-validating';
const toleration = [{ key: 'infra', operator: 'Exists' }];

const rows: readonly Row[] = [
  ['replicas as a text', op({ controllerManager: { replicas: '3' } }), manager, ['spec', 'replicas'], 3],
  ['replicas that are null', op({ controllerManager: { replicas: null } }), manager, ['spec', 'replicas'], undefined],
  [
    'an empty tag of the proxy',
    op({ controllerManager: { kubeRbacProxy: { image: { tag: '' } } } }),
    manager,
    [...pod, 'containers', 'kube-rbac-proxy', 'image'],
    'gcr.io/kubebuilder/kube-rbac-proxy:0.7.1',
  ],
  ['the strategy of two replicas', op({ controllerManager: { replicas: 2 } }), manager, ['spec', 'strategy', 'type'], 'Recreate'],
  [
    'no mount without webhooks',
    op({ webhook: { enabled: false } }),
    manager,
    [...pod, 'containers', 'manager', 'volumeMounts'],
    undefined,
  ],
  ['the cluster domain', op({ kubernetesClusterDomain: 'corp' }), manager, [...pod, 'containers', 1, 'env', 0, 'value'], 'corp'],
  [
    'the pull policy of certificate Jobs that is null',
    op({ webhook: { certGenerator: { image: { pullPolicy: null } } } }),
    'Job ns/OP-webhook-cert-gen-1',
    [...pod, 'containers', 0, 'imagePullPolicy'],
    undefined,
  ],
  [
    'tolerations of the MPI Job from the manager',
    op({ controllerManager: { tolerations: toleration } }),
    'Job ns/OP-ssh-keygen',
    [...pod, 'tolerations'],
    toleration,
  ],
  [
    'tolerations of the MPI Job that are empty',
    op({ controllerManager: { tolerations: toleration }, dynamo: { mpiRun: { sshKeygen: { tolerations: [] } } } }),
    'Job ns/OP-ssh-keygen',
    [...pod, 'tolerations'],
    undefined,
  ],
  ['a type of the metrics Service', op({ metricsService: { type: 'NodePort' } }), 'Service ns/OP', ['spec', 'type'], 'NodePort'],
  [
    'a CA without an external certificate',
    op({ webhook: { caBundle: 'QQ==' } }),
    webhooks,
    ['webhooks', 0, 'clientConfig', 'caBundle'],
    undefined,
  ],
  [
    'a CA beside an external certificate',
    op({ webhook: { caBundle: 'QQ==', certificateSecret: { external: true } } }),
    webhooks,
    ['webhooks', 3, 'clientConfig', 'caBundle'],
    'QQ==',
  ],
  [
    'cert-manager over an external certificate',
    op({ webhook: { caBundle: 'QQ==', certificateSecret: { external: true }, certManager: { enabled: true } } }),
    webhooks,
    ['metadata', 'annotations'],
    { 'cert-manager.io/inject-ca-from': 'ns/r-dynamo-operator-serving-cert' },
  ],
  [
    'a selector of one namespace when restricted',
    op({ namespaceRestriction: { enabled: true, targetNamespace: 'team' } }),
    'ValidatingWebhookConfiguration OP-validating-ns',
    ['webhooks', 1, 'namespaceSelector'],
    { matchLabels: { 'kubernetes.io/metadata.name': 'ns' } },
  ],
  [
    'a selector of the values when restricted',
    op({ ...restricted, webhook: { namespaceSelector: { matchLabels: { a: 'b' } } } }),
    'ValidatingWebhookConfiguration OP-validating-ns',
    ['webhooks', 1, 'namespaceSelector'],
    { matchLabels: { a: 'b' } },
  ],
  [
    'the role of a restricted proxy, which does not exist',
    op({ namespaceRestriction: { enabled: true, targetNamespace: 'team' } }),
    'RoleBinding team/OP-proxy-rolebinding',
    ['roleRef', 'kind'],
    'ClusterRole',
  ],
  [
    'the life of the root certificate',
    op({ webhook: { certManager: { enabled: true, certificate: { rootCA: { duration: '9h' } } } } }),
    'Certificate ns/OP-root-ca',
    ['spec', 'duration'],
    '9h',
  ],
  [
    'names in the serving certificate',
    op({ kubernetesClusterDomain: 'corp', webhook: { certManager: { enabled: true } } }),
    'Certificate ns/OP-serving-cert',
    ['spec', 'dnsNames', 2],
    'r-dynamo-operator-webhook-service.ns.svc.corp',
  ],
  [
    'monitors of a restricted operator',
    op(restricted),
    'PodMonitor ns/dynamo-worker',
    ['spec', 'namespaceSelector'],
    { matchNames: ['ns'] },
    monitoring,
  ],
  [
    'monitors of a cluster-wide operator',
    {},
    'PodMonitor ns/dynamo-planner',
    ['spec', 'namespaceSelector'],
    { any: true },
    monitoring,
  ],
  [
    'pull secrets of a restricted planner',
    op({ ...restricted, dynamo: { dockerRegistry: { useKubernetesSecret: true, server: 'x', username: 'u', password: 'p' } } }),
    'ServiceAccount ns/planner-serviceaccount',
    ['imagePullSecrets'],
    [{ name: 'r-dynamo-operator-regcred' }],
  ],
  [
    'the twenty-seventh rule',
    op({ istioVirtualServiceEnabled: true }),
    'ClusterRole OP-manager-role',
    ['rules', 26, 'resources'],
    ['virtualservices'],
  ],
  [
    'the environment of the operator',
    op({ dynamo: { enableRestrictedSecurityContext: true, dynamoIngressSuffix: 'x.y' } }),
    'Secret ns/dynamo-deployment-env',
    ['stringData'],
    {
      INTERNAL_IMAGES_DEBUGGER: 'python:3.12-slim',
      ENABLE_RESTRICTED_SECURITY_CONTEXT: 'true',
      DYNAMO_INGRESS_SUFFIX: 'x.y',
    },
  ],
  [
    'the priority of Grove',
    { grove: { enabled: true, priorityClass: { enabled: true } } },
    'PriorityClass grove-operator-priority-critical',
    ['value'],
    999999550,
  ],
  [
    'a pull secret of KAI given as a map',
    { 'kai-scheduler': { enabled: true, global: { imagePullSecrets: [{ name: 'a' }] } } },
    'Deployment ns/scheduler',
    [...pod, 'imagePullSecrets'],
    [{ name: 'map[name:a]' }],
  ],
  [
    'globals of the top level over those of a part',
    { global: { registry: 'top.io' }, 'kai-scheduler': { enabled: true, global: { registry: 'own.io' } } },
    'Deployment ns/binder',
    [...pod, 'containers', 0, 'image'],
    'top.io/binder:v0.9.4',
  ],
];

describe('values of the original', () => {
  test.each<Row>([...rows])('%s', (_name, values, key, path, expected, options = {}) => {
    expect(dig(find(render(values, options), key), ...path)).toEqual(expected);
  });

  test('a name with a suffix may be longer than Kubernetes takes, as Helm prints it', () => {
    const { objects } = render({}, { release: 'a'.repeat(53) });
    expect(objects.map((o) => o.metadata.name)).toContain(`${'a'.repeat(53)}-dynamo-op-webhook-ca-inject-1`);
  });

  test('nothing that is null is printed', () => {
    const none = {
      replicas: null,
      tolerations: null,
      affinity: { nodeAffinity: null },
      serviceAccount: { annotations: { a: null } },
    };
    const { objects, issues } = render(op({ controllerManager: none, webhook: { failurePolicy: null, timeoutSeconds: null } }));
    expect(issues).toEqual([]);
    expect(JSON.stringify(objects)).not.toMatch(/":null/);
  });
});
