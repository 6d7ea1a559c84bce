/** Leases of `coordination.k8s.io/v1`, which the leader and a restricted operator hold. */
import type { KubernetesObject } from '../api/index.ts';
import { isObject, type JsonObject } from '../json/index.ts';
import { type ApiClient } from './api/client.ts';
import { isAbsent } from './api/errors.ts';

/** The part of a Lease that says who holds it and for how long. */
export interface LeaseSpec extends JsonObject {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}

/** A Lease as the API server has it. */
export interface Lease {
  /** Opaque to the holder: what the store needs to update the Lease. */
  readonly version: string;
  readonly uid: string;
  readonly spec: LeaseSpec;
}

/** Reads and writes one Lease; a write with an outdated resourceVersion fails with a conflict error. */
export interface LeaseStore {
  readonly read: (timeoutMs: number) => Promise<Lease | undefined>;
  readonly create: (spec: LeaseSpec, timeoutMs: number) => Promise<Lease>;
  readonly update: (lease: Lease, spec: LeaseSpec, timeoutMs: number) => Promise<Lease>;
  /** Deletes that version; success also when the Lease does not exist. */
  readonly remove: (lease: Lease, timeoutMs: number) => Promise<void>;
}

/** A `MicroTime`: exactly six digits after the second, otherwise the API server answers 400. */
export function microTime(date: Date): string {
  return `${date.toISOString().slice(0, -1)}000Z`;
}

const kind = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' } as const;

/**
 * One Lease on the API server. Calls are not retried here: the holder of a Lease has its own retry period. They do not wait for a connection either,
 * so that a flood of other requests does not cost the Lease.
 */
export function leaseStore(client: ApiClient, namespace: string, name: string): LeaseStore {
  const key = { ...kind, namespace, name };
  const within = (timeoutMs: number): ApiClient =>
    client.with({ timeoutMs: Math.max(1, Math.round(timeoutMs)), retry: false, urgent: true });
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
        if (!isAbsent(error)) throw error;
      }
    },
  };
}

/** The spec of a Lease object. */
export function specOf(object: KubernetesObject): LeaseSpec {
  const { spec } = object;
  return isObject(spec) ? spec : {};
}
