import type { JsonObject } from '../../json/index.ts';

/** A value that the chart passes through to its objects. */
export interface OpenValue {
  /** Path in the values. */
  readonly path: string;
  readonly type: 'text' | 'number' | 'map' | 'list';
  readonly description: string;
  /** Expression that yields it, where it is not the value itself. `$operator` is the block `dynamo-operator`. */
  readonly expression?: string;
  /** Value that must be set too for lines with this one to be there; an unset value leaves them out in any case. */
  readonly gate?: string;
  /** Whether lines with an unset value are left out. */
  readonly optional?: boolean;
  /** Allowed texts. */
  readonly choices?: readonly string[];
}

/** A value that decides which objects and fields there are; its options are told apart by template tests. */
export interface DecidingValue {
  readonly path: string;
  readonly description: string;
  readonly type: 'boolean' | 'text' | 'number' | 'map';
  readonly choices?: readonly string[];
  /** Each meaning: how a template asks for it, and values that have it. */
  readonly options: readonly { readonly test: string; readonly values: JsonObject }[];
}

const operator = (path: string): string => `dynamo-operator.${path}`;

/** Template expression of a value: sub charts' names with a hyphen cannot be written with dots. */
export function valueExpression(path: string): string {
  const [first = '', ...rest] = path.split('.');
  if (first === 'dynamo-operator') return ['$operator', ...rest].join('.');
  return ['.Values', first, ...rest].join('.');
}

/** Nests a value below its path. */
export function nest(path: string, value: JsonObject[string]): JsonObject {
  return path.split('.').reduceRight<JsonObject[string]>((inner, key) => ({ [key]: inner }), value) as JsonObject;
}

function onOff(path: string, description: string, test = valueExpression(path)): DecidingValue {
  return {
    path,
    description,
    type: 'boolean',
    options: [
      { test, values: nest(path, true) },
      { test: `not ${test.includes(' ') ? `(${test})` : test}`, values: nest(path, false) },
    ],
  };
}

/** Values of the operator's block that are passed through. */
export const openValues: readonly OpenValue[] = [
  { path: operator('controllerManager.manager.image.repository'), type: 'text', description: 'image of the operator' },
  {
    path: operator('controllerManager.manager.image.tag'),
    type: 'text',
    description: 'its tag; empty for the version this chart was made for',
    expression: 'default $.Chart.AppVersion $operator.controllerManager.manager.image.tag',
  },
  {
    path: operator('controllerManager.manager.image.pullPolicy'),
    type: 'text',
    description: 'its pull policy',
    choices: ['IfNotPresent', 'Always', 'Never'],
  },
  { path: operator('controllerManager.manager.resources'), type: 'map', description: 'resources of the operator' },
  { path: operator('controllerManager.kubeRbacProxy.image.repository'), type: 'text', description: 'image of the metrics proxy' },
  { path: operator('controllerManager.kubeRbacProxy.image.tag'), type: 'text', description: 'its tag' },
  { path: operator('controllerManager.kubeRbacProxy.resources'), type: 'map', description: 'resources of the metrics proxy' },
  { path: operator('controllerManager.tolerations'), type: 'list', description: 'tolerations of the operator pod' },
  { path: operator('controllerManager.affinity'), type: 'map', description: 'affinity of the operator pod' },
  { path: 'platform.operator.nodeSelector', type: 'map', description: 'node selector of the operator pod' },
  {
    path: 'platform.operator.logLevel',
    type: 'text',
    description: 'log level of the operator: debug, info, error or a number',
    optional: true,
  },
  { path: operator('imagePullSecrets'), type: 'list', description: 'pull secrets of the operator pod, as {name}' },
  {
    path: operator('webhook.failurePolicy'),
    type: 'text',
    description: 'what happens to writes when the operator does not answer',
    choices: ['Fail', 'Ignore'],
  },
  { path: operator('webhook.timeoutSeconds'), type: 'number', description: 'how long the API server waits for the operator' },
  { path: operator('webhook.certificateSecret.name'), type: 'text', description: 'Secret with the webhook certificate' },
  {
    path: operator('webhook.caBundle'),
    type: 'text',
    description: 'certificate authority of an external certificate, base64',
    optional: true,
  },
  {
    path: operator('namespaceRestriction.targetNamespace'),
    type: 'text',
    description: 'the managed namespace of a restricted operator; empty for the release namespace',
    expression: 'default $.Release.Namespace $operator.namespaceRestriction.targetNamespace',
  },
  {
    path: operator('namespaceRestriction.lease.duration'),
    type: 'text',
    description: 'how long a restricted operator keeps its namespace',
  },
  {
    path: operator('namespaceRestriction.lease.renewInterval'),
    type: 'text',
    description: 'how often it says so; shorter than the duration',
  },
  {
    path: operator('dynamo.ingress.className'),
    type: 'text',
    description: 'ingress class of frontends',
    optional: true,
    gate: operator('dynamo.ingress.enabled'),
  },
  {
    path: operator('dynamo.ingress.tlsSecretName'),
    type: 'text',
    description: 'TLS Secret of their Ingresses',
    optional: true,
    gate: operator('dynamo.ingress.enabled'),
  },
  {
    path: operator('dynamo.istio.gateway'),
    type: 'text',
    description: 'Istio gateway of frontends',
    optional: true,
    gate: operator('dynamo.istio.enabled'),
  },
  { path: operator('dynamo.ingressHostSuffix'), type: 'text', description: 'suffix of the hosts of frontends', optional: true },
  {
    path: operator('dynamo.groveTerminationDelay'),
    type: 'text',
    description: 'how long Grove waits before it gives up a gang',
    optional: true,
  },
  { path: operator('modelExpressURL'), type: 'text', description: 'address of a model express server', optional: true },
  {
    path: operator('dynamo.metrics.prometheusEndpoint'),
    type: 'text',
    description: 'Prometheus that planners ask',
    optional: true,
  },
  { path: operator('dynamo.mpiRun.secretName'), type: 'text', description: 'Secret with the SSH key of MPI workers' },
  {
    path: 'platform.monitoring.labels',
    type: 'map',
    description: 'labels of monitors and rules, by which a Prometheus finds them',
  },
  { path: 'nats.container.image.tag', type: 'text', description: 'tag of the NATS image' },
  { path: 'nats.config.jetstream.fileStore.pvc.size', type: 'text', description: 'size of the JetStream claim' },
  {
    path: 'nats.config.jetstream.fileStore.pvc.storageClassName',
    type: 'text',
    description: 'its storage class',
    optional: true,
  },
  { path: 'etcd.image.tag', type: 'text', description: 'tag of the etcd image' },
  { path: 'etcd.persistence.size', type: 'text', description: 'size of the etcd claim' },
  { path: 'etcd.persistence.storageClass', type: 'text', description: 'its storage class', optional: true },
];

/** Values read by template code only: which images to move where, and the gates of other values. */
export const readByTemplates: readonly {
  readonly path: string;
  readonly type: 'text' | 'map' | 'boolean';
  readonly description: string;
}[] = [
  { path: 'global.imageRegistry', type: 'text', description: 'registry that takes the place of every image registry' },
  { path: 'platform.imageDigests', type: 'map', description: 'digests to pin, by image reference' },
  { path: operator('dynamo.ingress.enabled'), type: 'boolean', description: 'whether frontends get an Ingress' },
  {
    path: operator('fullnameOverride'),
    type: 'text',
    description: 'name of the operator objects, instead of one made from the release',
  },
  { path: 'nats.fullnameOverride', type: 'text', description: 'name of the NATS objects' },
  { path: 'etcd.fullnameOverride', type: 'text', description: 'name of the etcd objects' },
  { path: 'nats.enabled', type: 'boolean', description: 'whether the release brings NATS' },
  { path: 'etcd.enabled', type: 'boolean', description: 'whether the release brings etcd' },
];

/** How a template asks whether monitors are wanted: as told, else when the cluster knows them. */
const monitoringTest = 'eq (include "dynamo.monitoring" .) "true"';

/** Decides in every part. */
export const monitoring = onOff(
  'platform.monitoring.enabled',
  'whether monitors are made; null: when the cluster knows them',
  monitoringTest,
);

/** What decides about etcd's objects; `resources` stands in for the value. */
export function etcdDecisions(resources: JsonObject): readonly DecidingValue[] {
  const path = 'etcd.resources';
  return [
    monitoring,
    {
      path,
      description: 'resources of etcd; empty for a preset',
      type: 'map',
      options: [
        { test: valueExpression(path), values: nest(path, resources) },
        { test: `not ${valueExpression(path)}`, values: nest(path, {}) },
      ],
    },
  ];
}

/** What decides about the operator's objects. `address` is the stand-in of an external address, `replicas` of a number. */
export function operatorDecisions(address: (path: string) => string, replicas: number): readonly DecidingValue[] {
  const external = (path: string, description: string): DecidingValue => ({
    path,
    description,
    type: 'text',
    options: [
      { test: valueExpression(path), values: nest(path, address(path)) },
      { test: `not ${valueExpression(path)}`, values: nest(path, '') },
    ],
  });
  const mode = (name: string): { readonly test: string; readonly values: JsonObject } => ({
    test: `eq (include "dynamo.webhooks" .) "${name}"`,
    values: {
      'dynamo-operator': { webhook: { enabled: name !== 'off' } },
      platform: { certificates: { mode: name === 'off' ? 'cert-manager' : name } },
    },
  });
  const count = valueExpression(operator('controllerManager.replicas'));
  return [
    onOff(operator('namespaceRestriction.enabled'), 'whether the operator manages one namespace only'),
    external(operator('natsAddr'), 'address of a NATS that is not part of the release'),
    external(operator('etcdAddr'), 'address of an etcd that is not part of the release'),
    onOff('nats.enabled', 'whether the release brings NATS'),
    onOff('etcd.enabled', 'whether the release brings etcd'),
    {
      path: 'platform.certificates.mode',
      description: 'where the webhook certificate comes from',
      type: 'text',
      choices: ['cert-manager', 'external', 'self-managed'],
      options: ['off', 'cert-manager', 'external', 'self-managed'].map(mode),
    },
    {
      path: operator('discoveryBackend'),
      description: 'where workers find one another',
      type: 'text',
      choices: ['kubernetes', 'etcd'],
      options: ['kubernetes', 'etcd'].map((name) => ({
        test: `eq ${valueExpression(operator('discoveryBackend'))} "${name}"`,
        values: nest(operator('discoveryBackend'), name),
      })),
    },
    monitoring,
    onOff(operator('dynamo.istio.enabled'), 'whether frontends get a VirtualService'),
    {
      path: operator('controllerManager.replicas'),
      description: 'replicas of the operator',
      type: 'number',
      options: [
        { test: `gt (int ${count}) 1`, values: nest(operator('controllerManager.replicas'), replicas) },
        { test: `le (int ${count}) 1`, values: nest(operator('controllerManager.replicas'), -replicas) },
      ],
    },
  ];
}
