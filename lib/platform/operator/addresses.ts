import type { JsonObject } from '../../json/index.ts';
import type { PlatformContext } from '../platform-context.ts';
import * as etcdDefaults from '../etcd/defaults.ts';
import { etcdName, etcdNamespace, suffixed } from '../etcd/release.ts';
import { securedEtcdValues } from '../etcd/security.ts';
import { atPath, templateString, truthy, type Value } from '../go-values.ts';
import * as natsDefaults from '../nats/defaults.ts';
import { natsNames, natsNamespace } from '../nats/release.ts';
import { securedNatsValues } from '../nats/security.ts';
import { effectiveBlock } from '../values.ts';
import type { OperatorRelease } from './release.ts';

interface Source {
  readonly key: 'nats' | 'etcd';
  readonly defaults: JsonObject;
  readonly platformDefaults: JsonObject;
  readonly secured: (values: JsonObject, context: PlatformContext) => { readonly values: JsonObject };
}

const nats: Source = { key: 'nats', ...natsDefaults, secured: securedNatsValues };
const etcd: Source = { key: 'etcd', ...etcdDefaults, secured: securedEtcdValues };

/** Values of each part by the context they are rendered in: several objects of the operator name the same addresses. */
const known = new WeakMap<PlatformContext, Map<Source, JsonObject | undefined>>();

/** Values of a part as they are rendered, or undefined if the release does not have the part. */
function rendered(source: Source, context: PlatformContext): JsonObject | undefined {
  const found = known.get(context) ?? new Map<Source, JsonObject | undefined>();
  known.set(context, found);
  if (!found.has(source)) found.set(source, renderValues(source, context));
  return found.get(source);
}

function renderValues(source: Source, context: PlatformContext): JsonObject | undefined {
  const { enabled, values, issues } = effectiveBlock(source, context.values);
  if (!enabled || issues.length > 0) return undefined;
  return source.secured(values, context).values;
}

const defaultDomain = 'cluster.local';

/** The DNS domain of the cluster: the given one, or `cluster.local`. */
export function domainOf(clusterDomain: Value): string {
  return truthy(clusterDomain) ? templateString(clusterDomain) : defaultDomain;
}

/** Address of the release's own NATS, or undefined when the release has none. Without a cluster domain it is in `cluster.local`. */
export function natsAddress(context: PlatformContext, clusterDomain: Value): string | undefined {
  const values = rendered(nats, context);
  if (values === undefined) return undefined;
  const names = natsNames(values, context.release);
  const service = truthy(atPath(values, 'service.enabled'));
  const given = atPath(values, 'service.ports.nats.port');
  const port = service && truthy(given) ? given : atPath(values, 'config.nats.port');
  const namespace = natsNamespace({ values, context });
  const scheme = truthy(atPath(values, 'config.nats.tls.enabled')) ? 'tls' : 'nats';
  return `${scheme}://${service ? names.service : names.headlessService}.${namespace}.svc.${domainOf(clusterDomain)}:${templateString(port)}`;
}

/** Address of the release's own etcd, or undefined when the release has none. Without a cluster domain it is in `cluster.local`. */
export function etcdAddress(context: PlatformContext, clusterDomain: Value): string | undefined {
  const values = rendered(etcd, context);
  if (values === undefined) return undefined;
  const name = etcdName(values, context.release);
  const service = truthy(atPath(values, 'service.enabled'));
  const port = atPath(values, service ? 'service.ports.client' : 'containerPorts.client');
  const scheme = truthy(atPath(values, 'auth.client.secureTransport')) ? 'https://' : '';
  const host = service ? name : suffixed({ name }, 'headless');
  return `${scheme}${host}.${etcdNamespace(values, context)}.svc.${domainOf(clusterDomain)}:${templateString(port)}`;
}

/** The addresses that the operator gives to graphs; undefined where it gives none. */
interface GraphAddresses {
  readonly nats: string | undefined;
  readonly etcd: string | undefined;
}

/** Addresses of NATS and etcd for graphs: those of the values, or of the release. The original derives them from the release name even if they do not exist. */
export function graphAddresses({ values, context }: OperatorRelease): GraphAddresses {
  const own = context.switches['derived-addresses'];
  const domain = values['kubernetesClusterDomain'];
  const guess = (part: string): string => `${context.release}-${part}.${context.namespace}.svc.${defaultDomain}`;
  const nats = own ? natsAddress(context, domain) : `nats://${guess('nats')}:4222`;
  const etcd = own ? etcdAddress(context, domain) : `${guess('etcd')}:2379`;
  const given = (key: string): string | undefined => (truthy(values[key]) ? templateString(values[key]) : undefined);
  return {
    nats: given('natsAddr') ?? (truthy(atPath(values, 'nats.enabled')) ? nats : undefined),
    etcd: given('etcdAddr') ?? etcd,
  };
}
