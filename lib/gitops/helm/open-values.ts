import type { JsonObject } from '../../json/index.ts';
import type { OperatorKind } from '../../platform/index.ts';

/** Format of a value, in addition to its type. */
export type ValueForm =
  | 'serviceName'
  | 'name'
  | 'dnsName'
  | 'optionalDnsName'
  | 'storageClass'
  | 'size'
  | 'duration'
  | 'optionalDuration'
  | 'base64'
  | 'tag'
  | 'image'
  | 'repository'
  | 'registry'
  | 'seconds'
  | 'replicas'
  | 'deploymentStrategy'
  | 'updateStrategy'
  | 'delay'
  | 'count'
  | 'digests'
  | 'labels'
  | 'resources'
  | 'tolerations'
  | 'affinity'
  | 'pullSecrets'
  | 'namedPullSecrets';

/** A value that the chart reads. */
export interface ChartValue {
  /** Path in the values. */
  readonly path: string;
  readonly type: 'string' | 'number' | 'boolean' | 'map' | 'list';
  readonly description: string;
  /** Allowed values. */
  readonly choices?: readonly (string | number)[];
  readonly form?: ValueForm;
  /** Whether null has a meaning of its own. */
  readonly nullable?: boolean;
  /** Default, if the values of the platform define none. */
  readonly fallback?: number;
}

/** A value that the chart passes through to its objects. */
export interface OpenValue extends ChartValue {
  readonly type: 'string' | 'number' | 'map' | 'list';
  /**
   * Template expression of the value; `$operator` is the block `dynamo-operator`.
   * @default - `valueExpression(path)`
   */
  readonly expression?: string;
  /** Path of a second value that must be set for lines with this one to be rendered. */
  readonly gate?: string;
  /** Whether lines with an unset value are left out; a string is the expression that tests whether it is set, if that is not the value itself. */
  readonly optional?: boolean | string;
}

/** Path of a value in the block `dynamo-operator`. */
export const operatorPath = (path: string): string => `dynamo-operator.${path}`;

/** Template expression of a value. `$operator` is the block `dynamo-operator`: a name with a hyphen cannot follow a dot in a template. */
export function valueExpression(path: string): string {
  return path.startsWith('dynamo-operator.') ? path.replace('dynamo-operator', '$operator') : `.Values.${path}`;
}

/** Values with a single value, at a path. */
export function nest(path: string, value: JsonObject[string]): JsonObject {
  return path.split('.').reduceRight<JsonObject[string]>((inner, key) => ({ [key]: inner }), value) as JsonObject;
}

/** Values of the operator's image, whose paths depend on the kind of operator; the original operator also has a metrics proxy. */
const imageValues: Readonly<Record<OperatorKind, readonly OpenValue[]>> = {
  original: [
    {
      path: operatorPath('controllerManager.manager.image.repository'),
      type: 'string',
      form: 'repository',
      description: 'image of the operator',
    },
    {
      path: operatorPath('controllerManager.manager.image.tag'),
      type: 'string',
      form: 'tag',
      description: 'tag of the operator image; empty: the version that this chart was generated for',
      expression: 'default $.Chart.AppVersion $operator.controllerManager.manager.image.tag',
    },
    {
      path: operatorPath('controllerManager.kubeRbacProxy.image.repository'),
      type: 'string',
      form: 'repository',
      description: 'image of the metrics proxy',
    },
    {
      path: operatorPath('controllerManager.kubeRbacProxy.image.tag'),
      type: 'string',
      form: 'tag',
      description: 'tag of the metrics proxy image',
    },
    {
      path: operatorPath('controllerManager.kubeRbacProxy.resources'),
      type: 'map',
      form: 'resources',
      description: 'resources of the metrics proxy',
    },
  ],
  'dynamo-cdk8s': [
    {
      path: 'platform.operator.image',
      type: 'string',
      form: 'image',
      description: 'image of the operator with registry and tag; npm run image builds it',
    },
  ],
};

/** Defaults of a probe: initial delay, period and timeout in seconds, and failure threshold. */
type ProbeTimes = readonly [delay: number, period: number, timeout?: number, failures?: number];

function probeValues(path: string, what: string, [delay, period, timeout, failures]: ProbeTimes): readonly OpenValue[] {
  const value = (name: string, form: ValueForm, description: string, fallback: number): OpenValue => ({
    path: `${path}.${name}`,
    type: 'number',
    form,
    description,
    fallback,
  });
  return [
    value('initialDelaySeconds', 'delay', `seconds before the first ${what}`, delay),
    value('periodSeconds', 'count', 'seconds between two probes', period),
    ...(timeout === undefined ? [] : [value('timeoutSeconds', 'count', 'timeout of a probe in seconds', timeout)]),
    ...(failures === undefined
      ? []
      : [value('failureThreshold', 'count', 'consecutive failures before the probe counts as failed', failures)]),
  ];
}

/** Update strategies, priority classes and probes of the pods. */
const podValues: readonly OpenValue[] = [
  {
    path: 'platform.operator.strategy',
    type: 'map',
    form: 'deploymentStrategy',
    description: 'how the operator pods are replaced; empty: Recreate for one replica, a rolling update for more',
    expression:
      'default (ternary (dict "type" "RollingUpdate" "rollingUpdate" (dict "maxSurge" 1 "maxUnavailable" 0)) (dict "type" "Recreate") (gt (int $operator.controllerManager.replicas) 1)) .Values.platform.operator.strategy',
  },
  {
    path: 'nats.statefulSet.merge.spec.updateStrategy',
    type: 'map',
    form: 'updateStrategy',
    description: 'how the NATS pods are replaced',
  },
  { path: 'etcd.updateStrategy', type: 'map', form: 'updateStrategy', description: 'how the etcd pods are replaced' },
  ...['platform.operator', 'nats.podTemplate.merge.spec', 'etcd'].map((path): OpenValue => ({
    path: `${path}.priorityClassName`,
    type: 'string',
    form: 'optionalDnsName',
    description: 'priority class of the pods',
    optional: true,
  })),
  ...probeValues('platform.operator.livenessProbe', 'liveness probe of the operator', [15, 20]),
  ...probeValues('platform.operator.readinessProbe', 'readiness probe of the operator', [5, 10]),
  ...probeValues('nats.container.merge.startupProbe', 'startup probe of NATS', [10, 10, 5, 90]),
  ...probeValues('nats.container.merge.readinessProbe', 'readiness probe of NATS', [10, 10, 5, 3]),
  ...probeValues('nats.container.merge.livenessProbe', 'liveness probe of NATS', [10, 30, 5, 3]),
  ...probeValues('etcd.startupProbe', 'startup probe of etcd', [0, 10, 5, 60]),
  ...probeValues('etcd.readinessProbe', 'readiness probe of etcd', [60, 10, 5, 5]),
  ...probeValues('etcd.livenessProbe', 'liveness probe of etcd', [60, 30, 5, 5]),
];

const otherValues: readonly OpenValue[] = [
  {
    path: operatorPath('controllerManager.manager.image.pullPolicy'),
    type: 'string',
    description: 'pull policy of the operator image',
    choices: ['IfNotPresent', 'Always', 'Never'],
  },
  {
    path: operatorPath('controllerManager.manager.resources'),
    type: 'map',
    form: 'resources',
    description: 'resources of the operator',
  },
  {
    path: operatorPath('controllerManager.tolerations'),
    type: 'list',
    form: 'tolerations',
    description: 'tolerations of the operator pod',
  },
  {
    path: operatorPath('controllerManager.affinity'),
    type: 'map',
    form: 'affinity',
    description: 'affinity of the operator pod',
  },
  { path: 'platform.operator.nodeSelector', type: 'map', form: 'labels', description: 'node selector of the operator pod' },
  {
    path: 'platform.operator.logLevel',
    type: 'string',
    description: 'log level of the operator: debug, info, error or a number',
    optional: true,
  },
  {
    path: operatorPath('imagePullSecrets'),
    type: 'list',
    form: 'pullSecrets',
    description: 'pull secrets of the operator pod, as {name}',
  },
  {
    path: operatorPath('webhook.failurePolicy'),
    type: 'string',
    description: 'what happens to writes if the operator does not respond',
    choices: ['Fail', 'Ignore'],
  },
  {
    path: operatorPath('webhook.timeoutSeconds'),
    type: 'number',
    form: 'seconds',
    description: 'seconds the API server waits for the operator',
  },
  {
    path: operatorPath('webhook.certificateSecret.name'),
    type: 'string',
    form: 'dnsName',
    description: 'Secret with the webhook certificate',
  },
  {
    path: operatorPath('webhook.caBundle'),
    type: 'string',
    form: 'base64',
    description: 'certificate authority of an external certificate, base64',
    optional: true,
  },
  {
    path: operatorPath('namespaceRestriction.targetNamespace'),
    type: 'string',
    form: 'name',
    description: 'the namespace that a restricted operator manages; empty: the release namespace',
    expression: 'default $.Release.Namespace $operator.namespaceRestriction.targetNamespace',
  },
  {
    path: operatorPath('namespaceRestriction.lease.duration'),
    type: 'string',
    form: 'duration',
    description: 'duration of the lease of a restricted operator on its namespace',
  },
  {
    path: operatorPath('namespaceRestriction.lease.renewInterval'),
    type: 'string',
    form: 'duration',
    description: 'interval at which it renews the lease; shorter than the duration',
  },
  {
    path: operatorPath('dynamo.ingress.className'),
    type: 'string',
    description: 'ingress class of frontends',
    optional: true,
    gate: operatorPath('dynamo.ingress.enabled'),
  },
  {
    path: operatorPath('dynamo.ingress.tlsSecretName'),
    type: 'string',
    form: 'optionalDnsName',
    description: 'TLS Secret of the Ingresses of frontends',
    optional: true,
    gate: operatorPath('dynamo.ingress.enabled'),
  },
  {
    path: operatorPath('dynamo.istio.gateway'),
    type: 'string',
    description: 'Istio gateway of frontends',
    optional: true,
    gate: operatorPath('dynamo.istio.enabled'),
  },
  {
    path: operatorPath('dynamo.ingressHostSuffix'),
    type: 'string',
    description: 'suffix of the hosts of frontends',
    optional: true,
  },
  {
    path: operatorPath('dynamo.groveTerminationDelay'),
    type: 'string',
    form: 'optionalDuration',
    description: 'how long Grove waits before it terminates a gang',
    optional: true,
  },
  { path: operatorPath('modelExpressURL'), type: 'string', description: 'address of a Model Express server', optional: true },
  {
    path: operatorPath('dynamo.metrics.prometheusEndpoint'),
    type: 'string',
    description: 'address of the Prometheus that planners query',
    optional: true,
  },
  {
    path: operatorPath('dynamo.mpiRun.secretName'),
    type: 'string',
    form: 'dnsName',
    description: 'Secret with the SSH key of MPI workers',
  },
  {
    path: 'platform.monitoring.labels',
    type: 'map',
    form: 'labels',
    description: 'labels of monitors and rules, for the selectors of Prometheus',
  },
  { path: 'nats.container.merge.resources', type: 'map', form: 'resources', description: 'resources of NATS' },
  {
    path: 'nats.podTemplate.merge.spec.tolerations',
    type: 'list',
    form: 'tolerations',
    description: 'tolerations of the NATS pods',
  },
  {
    path: 'nats.podTemplate.merge.spec.nodeSelector',
    type: 'map',
    form: 'labels',
    description: 'node selector of the NATS pods',
  },
  { path: 'nats.container.image.tag', type: 'string', form: 'tag', description: 'tag of the NATS image' },
  {
    path: 'nats.config.jetstream.fileStore.pvc.size',
    type: 'string',
    form: 'size',
    description: 'size of the JetStream claim',
  },
  {
    path: 'nats.config.jetstream.fileStore.pvc.storageClassName',
    type: 'string',
    form: 'storageClass',
    description: 'storage class of the JetStream claim',
    optional: true,
  },
  { path: 'etcd.image.tag', type: 'string', form: 'tag', description: 'tag of the etcd image' },
  { path: 'etcd.persistence.size', type: 'string', form: 'size', description: 'size of the etcd claim' },
  {
    path: 'etcd.persistence.storageClass',
    type: 'string',
    form: 'storageClass',
    description: 'storage class of the etcd claim; - for none',
    expression: 'include "dynamo.etcd.storageClass" .',
    optional: 'coalesce .Values.global.storageClass .Values.etcd.persistence.storageClass .Values.global.defaultStorageClass',
  },
  { path: 'etcd.tolerations', type: 'list', form: 'tolerations', description: 'tolerations of the etcd pods' },
  { path: 'etcd.nodeSelector', type: 'map', form: 'labels', description: 'node selector of the etcd pods' },
];

/** The open values of a chart for a kind of operator. */
export function openValues(kind: OperatorKind): readonly OpenValue[] {
  return [...imageValues[kind], ...otherValues, ...podValues];
}
