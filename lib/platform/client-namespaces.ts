/** The namespaces that may connect to NATS and etcd, and a warning if every pod of the cluster may. */
import type { Issue } from '../api/index.ts';
import type { JsonObject } from '../json/index.ts';
import { atPath, templateString, truthy } from './go-values.ts';
import type { PlatformContext } from './platform-context.ts';

/** The namespace that a restricted operator manages; undefined if graphs may be in every namespace. */
function managedNamespace({ values, namespace }: PlatformContext): string | undefined {
  const restriction = atPath(values, 'dynamo-operator.namespaceRestriction');
  if (!truthy(atPath(restriction, 'enabled'))) return undefined;
  const target = atPath(restriction, 'targetNamespace');
  return truthy(target) ? templateString(target) : namespace;
}

/** Labels of the namespaces of graphs: those of the values, or of the namespace that the operator manages; undefined for every namespace. */
export function clientLabels(context: PlatformContext): Readonly<Record<string, string>> | undefined {
  if (!context.switches['network-policies']) return undefined;
  const { clientNamespaceLabels, allowAllNamespaces } = context.settings.networkPolicy;
  if (clientNamespaceLabels !== undefined || allowAllNamespaces) return clientNamespaceLabels;
  const managed = managedNamespace(context);
  return managed === undefined ? undefined : { 'kubernetes.io/metadata.name': managed };
}

/** NetworkPolicy peers for clients of NATS or etcd: pods of the same namespace and of the namespaces of graphs, or every pod of the cluster. */
export function clientPeers(context: PlatformContext): readonly JsonObject[] {
  const matchLabels = clientLabels(context);
  if (matchLabels === undefined) return [{ namespaceSelector: {} }];
  return [{ podSelector: {} }, { namespaceSelector: { matchLabels } }];
}

/** NetworkPolicy peers for scrapers of metrics: the namespaces of `platform.monitoring.namespaceLabels`, or all namespaces. */
export function scraperPeers({ settings }: PlatformContext): readonly JsonObject[] {
  const matchLabels = settings.monitoring.namespaceLabels;
  return [{ namespaceSelector: Object.keys(matchLabels).length === 0 ? {} : { matchLabels } }];
}

/** The clients that can connect to a part without authentication, if these are more than the namespaces of graphs. */
interface Exposure {
  readonly to: string;
  /** How to restrict these clients, other than by authentication. */
  readonly fix: string;
}

const everyNamespace: Exposure = {
  to: 'the pods of every namespace',
  fix: 'name the namespaces of graphs in platform.networkPolicy.clientNamespaceLabels',
};

/** The warning about a part without authentication that is open to every namespace, or to clients outside the cluster, with the fix. */
export function openToAll(part: 'nats' | 'etcd', context: PlatformContext, wider?: Exposure): readonly Issue[] {
  if (context.settings.networkPolicy.allowAllNamespaces || !context.switches['network-policies']) return [];
  if (wider === undefined && clientLabels(context) !== undefined) return [];
  const { to, fix } = wider ?? everyNamespace;
  const message = `is open to ${to} without authentication; ${fix}, turn on ${part}.security.auth, or set platform.networkPolicy.allowAllNamespaces if this is intended`;
  return [{ path: [part], code: 'open_to_all', message }];
}
