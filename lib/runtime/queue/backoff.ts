import type { Clock } from '../clock.ts';

/** Options of a `Backoff`; the defaults are those of controller-runtime's rate limiter. */
export interface BackoffOptions {
  /**
   * Wait before the first retry, in milliseconds; each further one doubles it.
   * @default 5
   */
  readonly baseMs?: number;
  /** @default 1000000 */
  readonly maxMs?: number;
  /**
   * Retries of all keys together in a second.
   * @default 10
   */
  readonly perSecond?: number;
  /**
   * Retries that may go at once before that limit holds.
   * @default 100
   */
  readonly burst?: number;
}

/** How long a key waits that is tried again: exponentially longer with each retry, and limited by a token bucket over all keys. */
export class Backoff {
  readonly #clock: Clock;
  readonly #baseMs: number;
  readonly #maxMs: number;
  readonly #msPerToken: number;
  readonly #burst: number;
  readonly #retries = new Map<string, number>();
  readonly #failingSince = new Map<string, number>();
  #tokens: number;
  #filledAt: number;

  constructor(clock: Clock, { baseMs = 5, maxMs = 1_000_000, perSecond = 10, burst = 100 }: BackoffOptions = {}) {
    this.#clock = clock;
    this.#baseMs = baseMs;
    this.#maxMs = maxMs;
    this.#msPerToken = 1000 / perSecond;
    this.#burst = burst;
    this.#tokens = burst;
    this.#filledAt = clock.now();
  }

  /** Counts a retry and says how many milliseconds to wait. */
  next(key: string): number {
    const retries = this.#retries.get(key) ?? 0;
    this.#retries.set(key, retries + 1);
    return Math.max(Math.min(this.#baseMs * 2 ** retries, this.#maxMs), this.#reserve());
  }

  /** Notes that a key failed. */
  fail(key: string): void {
    if (!this.#failingSince.has(key)) this.#failingSince.set(key, this.#clock.now());
  }

  /** Starts anew with a key that succeeded. */
  forget(key: string): void {
    this.#retries.delete(key);
    this.#failingSince.delete(key);
  }

  /** Milliseconds since the first failure of a key after its last success; 0 if it has not failed since. */
  failingMs(key: string): number {
    const now = this.#clock.now();
    return now - (this.#failingSince.get(key) ?? now);
  }

  // Tokens are taken in advance: with an empty bucket each further retry waits for its own token.
  #reserve(): number {
    const now = this.#clock.now();
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#filledAt) / this.#msPerToken) - 1;
    this.#filledAt = now;
    return this.#tokens >= 0 ? 0 : -this.#tokens * this.#msPerToken;
  }
}
