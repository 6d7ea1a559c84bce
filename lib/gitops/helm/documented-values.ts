import type { Json, JsonObject } from '../../json/index.ts';
import type { DecidingValue } from './deciding-values.ts';
import { effectiveValue, givenValue } from './effective-value.ts';
import { openValues, type ChartValue } from './open-values.ts';
import type { OperatorKind } from '../../platform/index.ts';

/** Values read by template code only: which images to move where, names, and what turns a part on. */
const readByTemplates: readonly ChartValue[] = [
  { path: 'dynamo-operator.enabled', type: 'boolean', description: 'whether the release brings the operator' },
  { path: 'dynamo-operator.webhook.enabled', type: 'boolean', description: 'whether writes are checked on admission' },
  { path: 'dynamo-operator.dynamo.ingress.enabled', type: 'boolean', description: 'whether frontends get an Ingress' },
  {
    path: 'dynamo-operator.fullnameOverride',
    type: 'string',
    description: 'name of the operator objects, instead of one made from the release',
    form: 'serviceName',
  },
  {
    path: 'platform.networkPolicy.allowAllNamespaces',
    type: 'boolean',
    description: 'whether NATS and etcd are open to every namespace although the operator manages one only',
  },
  { path: 'nats.fullnameOverride', type: 'string', description: 'name of the NATS objects', form: 'serviceName' },
  { path: 'etcd.fullnameOverride', type: 'string', description: 'name of the etcd objects', form: 'serviceName' },
  { path: 'grove.enabled', type: 'boolean', description: 'whether the release brings Grove; its CRDs must be there' },
  {
    path: 'kai-scheduler.enabled',
    type: 'boolean',
    description: 'whether the release brings the KAI scheduler; its CRDs must be there',
  },
  {
    path: 'platform.queues.enabled',
    type: 'boolean',
    nullable: true,
    description: 'whether the KAI queues are made; null: when the release brings KAI or the cluster knows them',
  },
  {
    path: 'platform.imageDigests',
    type: 'map',
    description: 'digests to pin, by image reference',
    form: 'digests',
  },
  { path: 'global.imageRegistry', type: 'string', description: 'registry that takes the place of every image registry' },
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
    description: 'storage class of etcd; wins over etcd.persistence.storageClass',
  },
  {
    path: 'global.defaultStorageClass',
    type: 'string',
    form: 'storageClass',
    description: 'storage class of etcd when it names none',
  },
];

/** Values of a chart that holds graphs. */
const ofGraphs: readonly ChartValue[] = [
  {
    path: 'graphs.enabled',
    type: 'boolean',
    description: 'whether the graphs are installed; turn it on once the operator runs, since its webhook checks them',
  },
];

/** Every value of the chart, by path, each once. */
export function documentedValues(decisions: readonly DecidingValue[], kind: OperatorKind, graphs = false): readonly ChartValue[] {
  const fixed: ChartValue = {
    path: 'platform.operator.kind',
    type: 'string',
    choices: [kind],
    description: 'which operator the chart was made for; make another chart for the other one',
  };
  const all = [...decisions, ...openValues(kind), ...readByTemplates, fixed, ...(graphs ? ofGraphs : [])];
  return [...new Map(all.map((v): [string, ChartValue] => [v.path, v])).values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Defaults of the values that are ours, and where the profile secure differs from the original. */
const own: Readonly<Record<string, Json>> = {
  'platform.operator.kind': 'original',
  'platform.monitoring.enabled': null,
  'platform.queues.enabled': null,
  'dynamo-operator.controllerManager.kubeRbacProxy.image.repository': 'quay.io/brancz/kube-rbac-proxy',
  'grove.enabled': false,
  'kai-scheduler.enabled': false,
};
const empty: Readonly<Record<ChartValue['type'], Json>> = { string: '', number: 0, map: {}, list: [], boolean: false };

/** What a value is when the chart is installed without any: what the user gave when the chart was made, else the platform's default. */
export function defaultOf(value: ChartValue, user: JsonObject): Json {
  const found = effectiveValue(value.path, user);
  if (value.path === 'platform.certificates.mode' && found === undefined) return certificateMode(user);
  const given = givenValue(value.path, user);
  return given ?? (Object.hasOwn(own, value.path) ? (own[value.path] ?? null) : (found ?? value.standard ?? empty[value.type]));
}

/** Where the certificate comes from when the values do not say it in our own words. */
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

/** The values below one another as their paths say; `depth` steps of every path are already walked. */
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
