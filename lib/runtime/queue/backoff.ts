import type { Clock } from '../clock.ts';

/** Options of a `Backoff`; the defaults are those of controller-runtime's rate limiter. */
export interface BackoffOptions {
  /**
   * Wait after the first failure, in milliseconds; each further one doubles it.
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

/** How long a failed key waits: exponentially longer with each failure, and limited by a token bucket over all keys. */
export class Backoff {
  readonly #clock: Clock;
  readonly #baseMs: number;
  readonly #maxMs: number;
  readonly #msPerToken: number;
  readonly #burst: number;
  readonly #failures = new Map<string, number>();
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

  /** Counts a failure and says how many milliseconds to wait. */
  next(key: string): number {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    return Math.max(Math.min(this.#baseMs * 2 ** failures, this.#maxMs), this.#reserve());
  }

  /** Starts anew with a key that succeeded. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** Number of consecutive failures of a key. */
  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  // Tokens are taken in advance: with an empty bucket each further retry waits for its own token.
  #reserve(): number {
    const now = this.#clock.now();
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#filledAt) / this.#msPerToken) - 1;
    this.#filledAt = now;
    return this.#tokens >= 0 ? 0 : -this.#tokens * this.#msPerToken;
  }
}
