import type { Clock } from '../../lib/runtime/clock.ts';
import type { Lease, LeaseSpec, LeaseStore } from '../../lib/runtime/lease-store.ts';

/** One Lease as an API server keeps it: optimistic locking, MicroTime checked, failures and hangs on demand. */
export class LeaseServer {
  /** The Lease as it is. */
  lease: Lease | undefined;
  /** How the next calls go. */
  mode: 'well' | 'fails' | 'hangs' = 'well';
  #version = 0;
  readonly #clock: Clock;

  constructor(clock: Clock, spec?: LeaseSpec) {
    this.#clock = clock;
    if (spec !== undefined) this.put(spec);
  }

  /** Writes as somebody else would. */
  put(spec: LeaseSpec): Lease {
    for (const time of [spec.renewTime, spec.acquireTime])
      if (time !== undefined && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(time))
        throw new Error(`400: no MicroTime: ${time}`);
    this.#version += 1;
    this.lease = { version: String(this.#version), uid: 'uid', spec };
    return this.lease;
  }

  /** A client of it. */
  get store(): LeaseStore {
    const check = (lease: Lease): void => {
      if (this.lease === undefined) throw new Error('404');
      if (this.lease.version !== lease.version) throw new Error('409: the object has been modified');
    };
    return {
      read: (timeout) => this.#call(timeout, () => this.lease),
      create: (spec, timeout) =>
        this.#call(timeout, () => {
          if (this.lease !== undefined) throw new Error('409: already exists');
          return this.put(spec);
        }),
      update: (lease, spec, timeout) =>
        this.#call(timeout, () => {
          check(lease);
          return this.put(spec);
        }),
      remove: (lease, timeout) =>
        this.#call(timeout, () => {
          check(lease);
          this.lease = undefined;
        }),
    };
  }

  async #call<T>(timeout: number, answer: () => T): Promise<T> {
    if (this.mode === 'fails') throw new Error('503: not today');
    if (this.mode === 'hangs')
      return new Promise((_, reject) => this.#clock.after(timeout, () => reject(new Error('timed out'))));
    return answer();
  }
}
