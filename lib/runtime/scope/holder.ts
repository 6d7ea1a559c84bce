/** Holds the Lease that tells a cluster-wide operator to stay out of a namespace. */
import { type Clock, sleep } from '../clock.ts';
import { type Lease, type LeaseStore, microTime } from '../lease-store.ts';
import type { Logger } from '../logger.ts';

/** Name of the Lease, the same in every namespace. */
export const scopeLeaseName = 'dynamo-operator-namespace-scope';

/** Dependencies and settings of the holder of a scope Lease. */
interface ScopeHolderOptions {
  readonly store: LeaseStore;
  readonly operatorVersion: string;
  /** Milliseconds. */
  readonly duration: number;
  readonly interval: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A moment before all others, by both clocks. */
const never = { now: Number.NEGATIVE_INFINITY, date: Number.NEGATIVE_INFINITY };

/** How many renewals in a row may fail before the holder must give up. */
export function toleratedFailures(duration: number, interval: number): number {
  return Math.max(1, Math.floor(duration / interval) - 1);
}

/** The name every replica of a version holds the Lease under. */
export function scopeIdentity(operatorVersion: string): string {
  return `namespace-restricted-operator-${operatorVersion}`;
}

/** Renewal failed too often: both operators might act. */
export class ScopeLostError extends Error {
  readonly code = 'scope_lost';

  constructor(message: string) {
    super(message);
    this.name = 'ScopeLostError';
  }
}

/** A restricted operator's hold on its namespace. */
export class ScopeHolder {
  readonly #options: ScopeHolderOptions;
  readonly #identity: string;
  #heldUntil = never;
  #failures = 0;

  constructor(options: ScopeHolderOptions) {
    this.#options = options;
    this.#identity = scopeIdentity(options.operatorVersion);
  }

  /** Throws unless the namespace is held at this moment; for `beforeWrite` of clients. */
  readonly assertHeld = (): void => {
    if (!this.#isHeld()) throw new ScopeLostError('the scope Lease of the namespace has expired');
  };

  /** Creates or takes over the Lease. */
  async acquire(): Promise<void> {
    try {
      await this.#refresh(this.#callTimeout());
    } catch (error) {
      throw new Error('failed to create initial lease', { cause: error });
    }
  }

  /** Renews until the signal is aborted; rejects when too many renewals in a row have failed. */
  async hold(signal: AbortSignal): Promise<void> {
    const { clock, duration, interval, log } = this.#options;
    const limit = toleratedFailures(duration, interval);
    for (let next = clock.now() + interval; ; next += interval) {
      try {
        await sleep(clock, Math.max(0, next - clock.now()), signal);
      } catch (error) {
        if (signal.aborted) return;
        throw error;
      }
      try {
        await this.#refresh(Math.min(this.#callTimeout(), Math.max(1, this.#heldUntil.now - clock.now())));
        this.#failures = 0;
      } catch (error) {
        this.#failures += 1;
        log.error('Failed to renew namespace scope lease', error, { consecutiveFailures: this.#failures, maxFailures: limit });
        if (this.#failures >= limit || !this.#isHeld()) throw lost(this.#failures, limit);
        if (this.#failures === limit - 1)
          log.info('WARNING: One more lease renewal failure will cause operator shutdown to prevent split-brain');
      }
    }
  }

  /** Deletes the Lease if this operator still holds it; call it when nothing writes any more. */
  async release(): Promise<void> {
    const { store, log } = this.#options;
    this.#heldUntil = never;
    try {
      const lease = await store.read(2_500);
      if (lease?.spec.holderIdentity === this.#identity) await store.remove(lease, 2_500);
    } catch (error) {
      log.error('Failed to delete namespace scope lease', error);
    }
  }

  // The monotonic clock may stop while the machine is suspended; the wall clock does not.
  #isHeld(): boolean {
    const { clock } = this.#options;
    return clock.now() < this.#heldUntil.now && clock.date().getTime() < this.#heldUntil.date;
  }

  // Shorter than the interval, so that a call that hangs counts as a failure in time.
  #callTimeout(): number {
    return this.#options.interval * 0.8;
  }

  async #refresh(timeout: number): Promise<void> {
    const { store, clock, duration } = this.#options;
    const sent = { now: clock.now(), date: clock.date().getTime() };
    const found = await named('get', store.read(timeout));
    const renewTime = microTime(clock.date());
    const mine = { holderIdentity: this.#identity, leaseDurationSeconds: Math.floor(duration / 1000), renewTime };
    if (found === undefined) await named('create', store.create({ ...mine, acquireTime: renewTime }, timeout));
    else await named('update', store.update(found, { ...found.spec, ...mine }, timeout));
    this.#heldUntil = { now: sent.now + duration, date: sent.date + duration };
  }
}

async function named(verb: string, call: Promise<Lease | undefined>): Promise<Lease | undefined> {
  try {
    return await call;
  } catch (error) {
    throw new Error(`failed to ${verb} lease`, { cause: error });
  }
}

function lost(failures: number, limit: number): ScopeLostError {
  return new ScopeLostError(
    `lease renewal failed ${failures} consecutive times (max: ${limit}), operator must exit to prevent split-brain with cluster-wide operator`,
  );
}
