import { isObject } from '../json/index.ts';
import { type ApiClient } from './api/client.ts';
import { isNotFound } from './api/errors.ts';
import type { KubernetesObject } from './api/object.ts';
import type { Lease, LeaseSpec, LeaseStore } from './lease.ts';

const kind = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' } as const;

/** One Lease on the API server. Calls are tried once: whoever holds a Lease tries again by its own timing. */
export function leaseStore(client: ApiClient, namespace: string, name: string): LeaseStore {
  const key = { ...kind, namespace, name };
  const within = (timeoutMs: number): ApiClient => client.with({ timeoutMs: Math.max(1, Math.round(timeoutMs)), retry: false });
  const stored = new Map<string, KubernetesObject>();
  const remember = (object: KubernetesObject): Lease => {
    const { uid = '', resourceVersion = '' } = object.metadata;
    stored.clear();
    stored.set(resourceVersion, object);
    return { uid, version: resourceVersion, spec: specOf(object) };
  };
  return {
    read: async (timeoutMs) => {
      const object = await within(timeoutMs).find(key);
      return object === undefined ? undefined : remember(object);
    },
    create: async (spec, timeoutMs) => remember(await within(timeoutMs).create({ ...kind, metadata: { namespace, name }, spec })),
    update: async (lease, spec, timeoutMs) => {
      const metadata = { ...stored.get(lease.version)?.metadata, namespace, name, resourceVersion: lease.version };
      return remember(await within(timeoutMs).update({ ...kind, metadata, spec }));
    },
    remove: async ({ uid, version }, timeoutMs) => {
      try {
        await within(timeoutMs).delete(key, { uid, resourceVersion: version });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
  };
}

/** The spec of a Lease object. */
export function specOf(object: KubernetesObject): LeaseSpec {
  const { spec } = object;
  return isObject(spec) ? spec : {};
}
