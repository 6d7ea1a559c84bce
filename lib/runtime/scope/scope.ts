/** Which namespaces this operator works in. */
import { isObject } from '../../json/index.ts';
import type { ApiClient } from '../api/client.ts';
import type { Cache } from '../cache/cache.ts';
import type { WatchedKind } from '../cache/watched-kind.ts';
import { type LeaseSpec, specOf } from '../lease-store.ts';
import type { Logger } from '../logger.ts';
import type { Exclusions } from './exclusions.ts';
import { scopeLeaseName } from './holder.ts';

/** The namespaces this operator works in. */
export interface Scope {
  /** Whether to work on objects of a namespace at this moment. */
  readonly includes: (namespace: string) => boolean;
  /** Namespaces that have an operator of their own. */
  readonly excluded: () => ReadonlySet<string>;
  /** Calls a listener when a namespace comes into scope, whose objects must then all be looked at, or leaves it. */
  readonly onChange: (listener: (namespace: string, isIncluded: boolean) => void) => void;
}

/** The Leases that tell a cluster-wide operator to stay away. */
const scopeLeases: WatchedKind = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  selection: { fieldSelector: `metadata.name=${scopeLeaseName}` },
};

/** Reads the scope Lease of a namespace; a list, since a cluster-wide operator has no right to get one. */
export function scopeLeaseReader(client: ApiClient): (namespace: string) => Promise<LeaseSpec | undefined> {
  return async (namespace) => {
    const { items } = await client.list(scopeLeases, { ...scopeLeases.selection, namespace }, specOf);
    return items[0];
  };
}

/** The scope of an operator that is restricted to one namespace. */
export function restrictedScope(restrictedNamespace: string): Scope {
  return { includes: (namespace) => namespace === restrictedNamespace, excluded: () => new Set(), onChange: () => {} };
}

/** The scope of a cluster-wide operator: all namespaces but those with an operator of their own, and those called ephemeral. */
export function clusterScope(cache: Cache, exclusions: Exclusions, log: Logger): Scope {
  cache.watch(scopeLeases);
  cache.onChange(({ watched, before, after }) => {
    if (watched !== scopeLeases) return;
    const namespace = (after ?? before)?.metadata.namespace ?? '';
    if (after === undefined) exclusions.forget(namespace);
    else if (isObject(after['spec'])) exclusions.observe(namespace, specOf(after));
  });
  const skipped = new Set<string>();
  const isEphemeral = (namespace: string): boolean => {
    if (!namespace.includes('ephemeral')) return false;
    if (!skipped.has(namespace)) log.info('Skipping namespace, its name contains ephemeral', { namespace });
    skipped.add(namespace);
    return true;
  };
  return {
    includes: (namespace) => !exclusions.has(namespace) && !isEphemeral(namespace),
    excluded: () => exclusions.namespaces,
    onChange: (listener) =>
      void exclusions.onChange((namespace, isExcluded) => listener(namespace, !isExcluded && !namespace.includes('ephemeral'))),
  };
}
