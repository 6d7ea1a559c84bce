/** Leases of `coordination.k8s.io/v1`: what the leader and a restricted operator hold to keep others away. */
import type { JsonObject } from '../json/index.ts';

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
  /** Opaque to the holder: whatever the store needs to write it back. */
  readonly version: string;
  readonly uid: string;
  readonly spec: LeaseSpec;
}

/** Reads and writes one Lease; a write of a version that is no longer current is refused with an error. */
export interface LeaseStore {
  readonly read: (timeoutMs: number) => Promise<Lease | undefined>;
  readonly create: (spec: LeaseSpec, timeoutMs: number) => Promise<Lease>;
  readonly update: (lease: Lease, spec: LeaseSpec, timeoutMs: number) => Promise<Lease>;
  /** Deletes that version; it being gone already is a success. */
  readonly remove: (lease: Lease, timeoutMs: number) => Promise<void>;
}

/** A time as `MicroTime` wants it: exactly six digits after the second, or the API server answers 400. */
export function microTime(date: Date): string {
  return `${date.toISOString().slice(0, -1)}000Z`;
}
