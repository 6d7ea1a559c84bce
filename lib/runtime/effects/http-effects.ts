/**
 * Carries out the HTTP calls that decisions ask for: a bounded number at once, each within its time, all of them within a time that grows with
 * their number, and never two at once for the same worker and name.
 */
import type { EffectResult } from '../../reconcile/index.ts';
import { abortReason } from '../clock.ts';
import { callWorker, type HttpEffect } from './call-worker.ts';
import { settledOrAborted, timeLimit, type TimeLimit } from './time-limit.ts';

/** Limits of the calls in one batch. */
interface HttpEffectsOptions {
  /**
   * Calls of one batch under way at once.
   * @default 10
   */
  readonly atOnce?: number;
  /**
   * Seconds a batch may take for each `atOnce` calls.
   * @default 30
   */
  readonly waveSeconds?: number;
}

/** Makes calls to workers for all models of a process. */
export class HttpEffects {
  readonly #atOnce: number;
  readonly #waveSeconds: number;
  /** The running call for each `exclusive` string; the next one waits for it. */
  readonly #underWay = new Map<string, Promise<EffectResult>>();

  constructor({ atOnce = 10, waveSeconds = 30 }: HttpEffectsOptions = {}) {
    if (atOnce < 1) throw new Error(`maxWorkers must be at least 1, got ${atOnce}`);
    this.#atOnce = atOnce;
    this.#waveSeconds = waveSeconds;
  }

  /**
   * Makes the calls in order; every call has a result by its id. Rejects if the signal is aborted: the results of running calls are then unknown.
   */
  async run(calls: readonly HttpEffect[], signal: AbortSignal): Promise<Readonly<Record<string, EffectResult>>> {
    const seconds = this.#waveSeconds * Math.ceil(calls.length / this.#atOnce);
    const late: EffectResult = { ok: false, error: `the calls did not end within ${seconds} s` };
    const limit = timeLimit(seconds, signal);
    const results: Record<string, EffectResult> = {};
    const waiting = calls.values();
    const workOff = async (): Promise<void> => {
      for (const call of waiting) results[call.id] = (await this.#alone(call, limit)) ?? late;
    };
    try {
      await Promise.all(Array.from({ length: Math.min(this.#atOnce, calls.length) }, workOff));
    } finally {
      limit.end();
    }
    if (signal.aborted) throw abortReason(signal);
    return results;
  }

  /** Makes a call once no other with the same `exclusive` string is running; undefined if the batch's time is up first. */
  async #alone(call: HttpEffect, { signal, isExceeded }: TimeLimit): Promise<EffectResult | undefined> {
    const { exclusive = call.id } = call;
    // There is no `await` between the last check and the call, so no other call can start in between.
    let before = this.#underWay.get(exclusive);
    while (before !== undefined) {
      await settledOrAborted(before, signal);
      before = signal.aborted ? undefined : this.#underWay.get(exclusive);
    }
    if (signal.aborted) return undefined;
    const own = callWorker(call, signal);
    this.#underWay.set(exclusive, own);
    const result = await own;
    this.#underWay.delete(exclusive);
    return !result.ok && isExceeded() ? undefined : result;
  }
}
