/** A cluster has one DNS domain, which three blocks of the values name: the operator's is that of the addresses it gives to graphs. */
import type { Issue } from '../api/index.ts';
import type { JsonObject } from '../json/index.ts';
import { etcd } from './etcd/index.ts';
import { atPath, templateString, truthy } from './go-values.ts';
import { nats } from './nats/index.ts';
import { domainOf } from './operator/addresses.ts';
import { operator } from './operator/index.ts';
import type { Part } from './part.ts';
import type { PlatformContext } from './platform-context.ts';
import { effectiveBlock } from './values.ts';

interface DomainOfPart {
  readonly part: Part;
  readonly path: string;
  /** The value that overrides the address the operator derives. */
  readonly address: string;
  /** Whether the rendered objects have the domain. */
  readonly isUsed: (values: JsonObject) => boolean;
}

const own = 'kubernetesClusterDomain';

const domains: readonly DomainOfPart[] = [
  { part: etcd, path: 'clusterDomain', address: 'etcdAddr', isUsed: () => true },
  {
    part: nats,
    path: 'config.cluster.routeURLs.k8sClusterDomain',
    address: 'natsAddr',
    isUsed: (values) =>
      truthy(atPath(values, 'config.cluster.enabled')) && truthy(atPath(values, 'config.cluster.routeURLs.useFQDN')),
  },
];

/** Warnings about parts whose cluster domain is not that of the operator. */
export function differentDomains(values: JsonObject, { switches }: PlatformContext): readonly Issue[] {
  const manager = effectiveBlock(operator, values);
  if (!manager.enabled || manager.issues.length > 0) return [];
  const expected = domainOf(manager.values[own]);
  return domains.flatMap(({ part, path, address, isUsed }) => {
    const block = effectiveBlock(part, values);
    const domain = templateString(atPath(block.values, path));
    if (!block.enabled || block.issues.length > 0 || domain === expected || !isUsed(block.values)) return [];
    const derived = switches['derived-addresses']
      ? ''
      : `, and name the address in ${operator.key}.${address}, which is otherwise in cluster.local`;
    const message = `is '${domain}', but ${operator.key}.${own} is '${expected}'; a cluster has one domain: set both to it${derived}`;
    return [{ path: [part.key, ...path.split('.')], code: 'different_domain', message }];
  });
}
