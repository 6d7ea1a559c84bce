/**
 * Elects one of several replicas by a Lease, as client-go does: another replica's Lease has expired when this process has not seen it change for
 * its duration; clocks of other machines do not matter. Leadership expires by itself: `assertLeading` is called before every write.
 * https://pkg.go.dev/k8s.io/client-go/tools/leaderelection
 */
import { type Clock, sleep } from './clock.ts';
import { type Lease, type LeaseSpec, type LeaseStore, microTime } from './lease-store.ts';
import type { Logger } from './logger.ts';

/** Dependencies and settings of an election. */
interface ElectionOptions {
  readonly store: LeaseStore;
  /** This replica's `holderIdentity` in the Lease. */
  readonly identity: string;
  readonly clock: Clock;
  /** Numbers from 0 to 1, so that candidates do not all ask at once. */
  readonly random: () => number;
  readonly log: Logger;
  readonly timing?: ElectionTiming;
}

/** Times of an election, in milliseconds. */
export interface ElectionTiming {
  /** How long other replicas wait after the last change they saw. */
  readonly leaseDuration: number;
  /** How long a leader may write without having renewed. */
  readonly renewDeadline: number;
  readonly retryPeriod: number;
}

const originalTiming: ElectionTiming = { leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2_000 };

/** Leadership is lost, or was never held: nothing may be written. */
export class NotLeadingError extends Error {
  readonly code = 'not_leading';

  constructor(message = 'leader election lost') {
    super(message);
    this.name = 'NotLeadingError';
  }
}

/** One replica's part in an election. */
export class Election {
  readonly #store: LeaseStore;
  readonly #identity: string;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #log: Logger;
  readonly #timing: ElectionTiming;
  #observed: { readonly lease: Lease; readonly at: number } | undefined;
  #heldUntil: { readonly now: number; readonly date: number } | undefined;

  constructor({ store, identity, clock, random, log, timing = originalTiming }: ElectionOptions) {
    this.#store = store;
    this.#identity = identity;
    this.#clock = clock;
    this.#random = random;
    this.#log = log;
    this.#timing = timing;
  }

  /** Whether this replica may write at this moment. */
  get isLeading(): boolean {
    const until = this.#heldUntil;
    // The monotonic clock may stop while the machine is suspended; the wall clock does not.
    return until !== undefined && this.#clock.now() < until.now && this.#clock.date().getTime() < until.date;
  }

  /** Throws unless this replica may write at this moment; for `beforeWrite` of clients. */
  readonly assertLeading = (): void => {
    if (!this.isLeading) throw new NotLeadingError();
  };

  /** Resolves once this replica leads; rejects with the signal's reason. */
  async acquire(signal: AbortSignal): Promise<void> {
    for (;;) {
      if (await this.#attempt(signal)) return;
      await sleep(this.#clock, this.#timing.retryPeriod * (1 + 1.2 * this.#random()), signal);
    }
  }

  /** Renews until the signal is aborted; rejects as soon as leadership is lost. */
  async hold(signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        await sleep(this.#clock, this.#timing.retryPeriod, signal);
      } catch (error) {
        if (signal.aborted) return;
        throw error;
      }
      if (this.isLeading) await this.#attempt(signal);
      if (this.isLeading || signal.aborted) continue;
      this.#heldUntil = undefined;
      throw new NotLeadingError();
    }
  }

  /** Gives leadership up at once, so that a successor need not wait; call it when nothing writes any more. */
  async release(): Promise<void> {
    const wasLeading = this.isLeading;
    this.#heldUntil = undefined;
    const lease = this.#observed?.lease;
    if (!wasLeading || lease === undefined || lease.spec.holderIdentity !== this.#identity) return;
    const now = microTime(this.#clock.date());
    const { leaseTransitions = 0 } = lease.spec;
    const spec = { holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now, leaseTransitions };
    try {
      await this.#store.update(lease, spec, this.#timing.renewDeadline / 2);
    } catch (error) {
      this.#log.error('Failed to release lock', error);
    }
  }

  // Acquires or renews; says whether this replica leads afterwards.
  async #attempt(signal: AbortSignal): Promise<boolean> {
    const sent = { now: this.#clock.now(), date: this.#clock.date().getTime() };
    try {
      const lease = await this.#write();
      if (lease === undefined) return false;
      this.#observe(lease);
      const { renewDeadline } = this.#timing;
      this.#heldUntil = { now: sent.now + renewDeadline, date: sent.date + renewDeadline };
      return this.isLeading;
    } catch (error) {
      if (!signal.aborted) this.#log.error('error retrieving or updating resource lock', error);
      return false;
    }
  }

  async #write(): Promise<Lease | undefined> {
    const left = this.isLeading && this.#heldUntil !== undefined ? this.#heldUntil.now - this.#clock.now() : Infinity;
    const timeout = Math.min(this.#timing.renewDeadline / 2, left);
    const renewTime = microTime(this.#clock.date());
    const mine = { holderIdentity: this.#identity, leaseDurationSeconds: this.#timing.leaseDuration / 1000, renewTime };
    const known = this.#observed?.lease;
    // A leader writes the version it knows; when that is refused the next attempt reads first.
    if (this.isLeading && known !== undefined) {
      this.#observed = undefined;
      return this.#store.update(known, { ...known.spec, ...mine }, timeout);
    }
    const found = await this.#store.read(timeout);
    if (found === undefined) return this.#store.create({ ...mine, acquireTime: renewTime, leaseTransitions: 0 }, timeout);
    this.#observe(found);
    const isMine = found.spec.holderIdentity === this.#identity;
    if (!isMine && !this.#isFree(found.spec)) {
      this.#heldUntil = undefined;
      return undefined;
    }
    const { leaseTransitions = 0 } = found.spec;
    const taken = isMine ? {} : { acquireTime: renewTime, leaseTransitions: leaseTransitions + 1 };
    return this.#store.update(found, { ...found.spec, ...mine, ...taken }, timeout);
  }

  #observe(lease: Lease): void {
    if (this.#observed === undefined || !isSameSpec(this.#observed.lease.spec, lease.spec))
      this.#observed = { lease, at: this.#clock.now() };
    else this.#observed = { lease, at: this.#observed.at };
  }

  #isFree({ holderIdentity = '', leaseDurationSeconds = 0 }: LeaseSpec): boolean {
    if (holderIdentity === '') return true;
    return this.#observed !== undefined && this.#clock.now() >= this.#observed.at + leaseDurationSeconds * 1000;
  }
}

function isSameSpec(one: LeaseSpec, other: LeaseSpec): boolean {
  const fields = ['holderIdentity', 'leaseDurationSeconds', 'acquireTime', 'renewTime', 'leaseTransitions'] as const;
  return fields.every((field) => one[field] === other[field]);
}
