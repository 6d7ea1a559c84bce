import type { Json, JsonObject } from '../../json/index.ts';
import type { DecidingValue } from './deciding-values.ts';
import { effectiveValue, givenValue } from './effective-value.ts';
import { openValues, type ChartValue } from './open-values.ts';
import type { OperatorKind } from '../../platform/index.ts';

/** Values that only template code reads: image registry and digests, names, and which parts are enabled. */
const readByTemplates: readonly ChartValue[] = [
  { path: 'dynamo-operator.enabled', type: 'boolean', description: 'whether the release includes the operator' },
  { path: 'dynamo-operator.webhook.enabled', type: 'boolean', description: 'whether the admission webhook validates writes' },
  { path: 'dynamo-operator.dynamo.ingress.enabled', type: 'boolean', description: 'whether frontends get an Ingress' },
  {
    path: 'dynamo-operator.fullnameOverride',
    type: 'string',
    description: 'name of the operator objects, instead of one derived from the release name',
    form: 'serviceName',
  },
  {
    path: 'platform.networkPolicy.allowAllNamespaces',
    type: 'boolean',
    description: 'whether NATS and etcd are open to every namespace even if the operator manages only one',
  },
  { path: 'nats.fullnameOverride', type: 'string', description: 'name of the NATS objects', form: 'serviceName' },
  { path: 'etcd.fullnameOverride', type: 'string', description: 'name of the etcd objects', form: 'serviceName' },
  { path: 'grove.enabled', type: 'boolean', description: 'whether the release includes Grove; its CRDs must be installed' },
  {
    path: 'kai-scheduler.enabled',
    type: 'boolean',
    description: 'whether the release includes the KAI scheduler; its CRDs must be installed',
  },
  {
    path: 'platform.queues.enabled',
    type: 'boolean',
    nullable: true,
    description: 'whether to create the KAI queues; null: if the release includes KAI or the cluster has the queue CRD',
  },
  {
    path: 'platform.imageDigests',
    type: 'map',
    description: 'digests to pin, by image reference',
    form: 'digests',
  },
  {
    path: 'global.imageRegistry',
    type: 'string',
    form: 'registry',
    description: 'registry that replaces the registry of every image',
  },
  {
    path: 'global.imagePullSecrets',
    type: 'list',
    form: 'namedPullSecrets',
    description: 'pull secrets of every pod, as names or {name}',
  },
  {
    path: 'global.storageClass',
    type: 'string',
    form: 'storageClass',
    description: 'storage class of etcd; overrides etcd.persistence.storageClass',
  },
  {
    path: 'global.defaultStorageClass',
    type: 'string',
    form: 'storageClass',
    description: 'storage class of etcd if no other value sets one',
  },
];

/** Values of a chart that contains graphs. */
const ofGraphs: readonly ChartValue[] = [
  {
    path: 'graphs.enabled',
    type: 'boolean',
    description: 'whether to install the graphs; enable it once the operator is running, since its webhook validates them',
  },
];

/** All values of the chart, sorted by path. */
export function documentedValues(decisions: readonly DecidingValue[], kind: OperatorKind, graphs = false): readonly ChartValue[] {
  const fixed: ChartValue = {
    path: 'platform.operator.kind',
    type: 'string',
    choices: [kind],
    description: 'operator that the chart was generated for; generate another chart for the other operator',
  };
  const all = [...decisions, ...openValues(kind), ...readByTemplates, fixed, ...(graphs ? ofGraphs : [])];
  return [...new Map(all.map((v): [string, ChartValue] => [v.path, v])).values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Defaults of values that the original chart does not have, or for which the profile secure differs from it. */
const chartDefaults: Readonly<Record<string, Json>> = {
  'platform.operator.kind': 'original',
  'platform.monitoring.enabled': null,
  'platform.queues.enabled': null,
  'dynamo-operator.controllerManager.kubeRbacProxy.image.repository': 'quay.io/brancz/kube-rbac-proxy',
  'grove.enabled': false,
  'kai-scheduler.enabled': false,
};
const empty: Readonly<Record<ChartValue['type'], Json>> = { string: '', number: 0, map: {}, list: [], boolean: false };

/** Default of a value in `values.yaml`: the user's value when the chart was generated, otherwise the platform's default. */
export function defaultOf(value: ChartValue, user: JsonObject): Json {
  const found = effectiveValue(value.path, user);
  if (value.path === 'platform.certificates.mode' && found === undefined) return certificateMode(user);
  const given = givenValue(value.path, user);
  return (
    given ??
    (Object.hasOwn(chartDefaults, value.path)
      ? (chartDefaults[value.path] ?? null)
      : (found ?? value.fallback ?? empty[value.type]))
  );
}

/** Certificate mode if `platform.certificates.mode` is not set: derived from the values of the original chart. */
function certificateMode(user: JsonObject): string {
  if (givenValue('dynamo-operator.webhook.certManager.enabled', user) === true) return 'cert-manager';
  if (givenValue('dynamo-operator.webhook.certificateSecret.external', user) === true) return 'external';
  return givenValue('platform.operator.kind', user) === 'dynamo-cdk8s' ? 'self-managed' : 'cert-manager';
}

/** The values as a tree: leaves and branches by key. */
export interface ValueTree {
  readonly leaves: ReadonlyMap<string, ChartValue>;
  readonly branches: ReadonlyMap<string, ValueTree>;
}

/** Builds the tree of values from their paths; the first `depth` steps of every path are skipped. */
export function valueTree(values: readonly ChartValue[], depth = 0): ValueTree {
  const leaves = new Map<string, ChartValue>();
  const inner = new Map<string, ChartValue[]>();
  for (const value of values) {
    const steps = value.path.split('.');
    const key = steps[depth] ?? '';
    if (steps.length === depth + 1) leaves.set(key, value);
    else inner.set(key, [...(inner.get(key) ?? []), value]);
  }
  return { leaves, branches: new Map([...inner].map(([key, given]) => [key, valueTree(given, depth + 1)])) };
}
