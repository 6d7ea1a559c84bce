import type { Issue } from '../../api/index.ts';
import { type JsonObject, objectAt } from '../../json/index.ts';
import type { PlatformContext } from '../platform-context.ts';
import { atPath, orElse, templateString, truthy, type Value } from '../go-values.ts';
import { chartName, cut, etcdFullName } from '../release-names.ts';
import { chartVersion } from './defaults.ts';

/** One etcd release while it is rendered: its values with templates evaluated, the context, and the problems found so far. */
export interface EtcdRelease {
  readonly values: JsonObject;
  readonly context: PlatformContext;
  /** Full name, the prefix of all others. */
  readonly name: string;
  readonly namespace: string;
  /** Version that labels name. */
  readonly version: string;
  readonly issues: Issue[];
  readonly warnings: Issue[];
}

/** Full name of a release's objects. */
export function etcdName(values: JsonObject, release: string): string {
  return etcdFullName({ release, nameOverride: values['nameOverride'], fullnameOverride: values['fullnameOverride'] });
}

/** Namespace of a release's objects. */
export function etcdNamespace(values: JsonObject, context: Pick<PlatformContext, 'namespace'>): string {
  return templateString(orElse(values['namespaceOverride'], context.namespace));
}

/** A name with a suffix, cut to 63 characters as a whole. */
export function suffixed({ name }: Pick<EtcdRelease, 'name'>, suffix: string): string {
  return cut(`${name}-${suffix}`);
}

/** DNS name of the headless Service, below which every member has its own. */
export function memberDomain(etcd: EtcdRelease): string {
  return `${suffixed(etcd, 'headless')}.${etcd.namespace}.svc.${templateString(atPath(etcd.values, 'clusterDomain'))}`;
}

/** `https` if a channel is encrypted, else `http`. */
export function scheme(etcd: EtcdRelease, channel: 'client' | 'peer'): string {
  return truthy(atPath(etcd.values, `auth.${channel}.secureTransport`)) ? 'https' : 'http';
}

/** Number of members. */
export function members(etcd: EtcdRelease): number {
  return Math.max(0, Math.trunc(Number(templateString(atPath(etcd.values, 'replicaCount'))) || 0));
}

/** Labels that select the pods of a component; the labels given may replace name and instance. */
export function selectorLabels(etcd: EtcdRelease, custom: JsonObject = {}, component = 'etcd'): JsonObject {
  const name = 'app.kubernetes.io/name';
  const instance = 'app.kubernetes.io/instance';
  return {
    [name]: custom[name] ?? chartName({ chart: 'etcd', nameOverride: etcd.values['nameOverride'] }),
    [instance]: custom[instance] ?? etcd.context.release,
    'app.kubernetes.io/component': component,
  };
}

/** Labels of an object: those of the chart, overridden by the given ones, and the component. */
export function labels(etcd: EtcdRelease, custom: JsonObject, component?: string): JsonObject {
  return {
    'app.kubernetes.io/instance': etcd.context.release,
    'app.kubernetes.io/managed-by': etcd.context.managedBy,
    'app.kubernetes.io/name': chartName({ chart: 'etcd', nameOverride: etcd.values['nameOverride'] }),
    'app.kubernetes.io/version': etcd.version,
    'helm.sh/chart': `etcd-${chartVersion}`,
    ...custom,
    ...(component === undefined ? {} : { 'app.kubernetes.io/component': component }),
  };
}

/** Merges maps, earlier ones override later ones, as the chart merges labels and annotations. */
export function joined(...layers: readonly Value[]): JsonObject {
  return Object.assign({}, ...layers.toReversed().map((layer) => objectAt(layer))) as JsonObject;
}

/** Labels of the member pods that the values add. */
export function podLabels(etcd: EtcdRelease): JsonObject {
  return joined(etcd.values['podLabels'], etcd.values['commonLabels']);
}

/** Input of `metadata`. */
interface MetadataSource {
  readonly name: string;
  readonly component?: string;
  readonly labels?: Value;
  readonly annotations?: Value;
}

/** Metadata of an object, with the common labels and annotations. */
export function metadata(etcd: EtcdRelease, source: MetadataSource): JsonObject {
  const annotations = joined(source.annotations, etcd.values['commonAnnotations']);
  return {
    name: source.name,
    namespace: etcd.namespace,
    labels: labels(etcd, joined(source.labels, etcd.values['commonLabels']), source.component),
    ...(truthy(annotations) ? { annotations } : {}),
  };
}

/** Name of the account the members run as. */
export function serviceAccountName(etcd: EtcdRelease): string {
  const given = atPath(etcd.values, 'serviceAccount.name');
  return templateString(orElse(given, truthy(atPath(etcd.values, 'serviceAccount.create')) ? etcd.name : 'default'));
}

/** The fields of `source` that are set, under the names Kubernetes gives them. */
export function whereSet(source: Value, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.flatMap((key) => (truthy(atPath(source, key)) ? [[key, atPath(source, key)] as const] : [])));
}
