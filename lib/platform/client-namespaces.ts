/** Which namespaces may reach NATS and etcd, and a warning where every pod of the cluster may. */
import type { Issue } from '../api/index.ts';
import type { JsonObject } from '../json/index.ts';
import { atPath, templateString, truthy } from './go-values.ts';
import type { PlatformContext } from './platform-context.ts';

/** The namespace that a restricted operator manages; undefined where graphs may be in every namespace. */
function managedNamespace({ values, namespace }: PlatformContext): string | undefined {
  const restriction = atPath(values, 'dynamo-operator.namespaceRestriction');
  if (!truthy(atPath(restriction, 'enabled'))) return undefined;
  const target = atPath(restriction, 'targetNamespace');
  return truthy(target) ? templateString(target) : namespace;
}

/** Labels of the namespaces of graphs: those of the values, else of the one that the operator manages; undefined for every namespace. */
export function clientLabels(context: PlatformContext): Readonly<Record<string, string>> | undefined {
  if (!context.switches['network-policies']) return undefined;
  const { clientNamespaceLabels, allowAllNamespaces } = context.settings.networkPolicy;
  if (clientNamespaceLabels !== undefined || allowAllNamespaces) return clientNamespaceLabels;
  const managed = managedNamespace(context);
  return managed === undefined ? undefined : { 'kubernetes.io/metadata.name': managed };
}

/** Who may be a client of NATS or etcd: pods beside it and those of the namespaces of graphs, or every pod of the cluster. */
export function clientPeers(context: PlatformContext): readonly JsonObject[] {
  const matchLabels = clientLabels(context);
  if (matchLabels === undefined) return [{ namespaceSelector: {} }];
  return [{ podSelector: {} }, { namespaceSelector: { matchLabels } }];
}

/** Who may scrape metrics: the namespaces of `platform.monitoring.namespaceLabels`, or all of them. */
export function scraperPeers({ settings }: PlatformContext): readonly JsonObject[] {
  const matchLabels = settings.monitoring.namespaceLabels;
  return [{ namespaceSelector: Object.keys(matchLabels).length === 0 ? {} : { matchLabels } }];
}

/** A part without authentication whose NetworkPolicy admits more than the namespaces of clients. */
interface Openness {
  readonly to: string;
  /** What closes it, beside authentication. */
  readonly fix: string;
}

const everyNamespace: Openness = {
  to: 'the pods of every namespace',
  fix: 'name the namespaces of graphs in platform.networkPolicy.clientNamespaceLabels',
};

/** The warning that a part without authentication can be reached from every namespace, or from outside, with what to do. */
export function openToAll(part: 'nats' | 'etcd', context: PlatformContext, wider?: Openness): readonly Issue[] {
  if (context.settings.networkPolicy.allowAllNamespaces || !context.switches['network-policies']) return [];
  if (wider === undefined && clientLabels(context) !== undefined) return [];
  const { to, fix } = wider ?? everyNamespace;
  const message = `is open to ${to} and asks nobody for credentials; ${fix}, turn ${part}.security.auth on, or set platform.networkPolicy.allowAllNamespaces where that is meant`;
  return [{ path: [part], code: 'open_to_all', message }];
}
