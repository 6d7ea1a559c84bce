/** The operator's clock. It is passed in, so that tests can drive it. */
import { onAbort } from './on-abort.ts';

/** A clock and its timers. */
export interface Clock {
  /** Monotonic milliseconds; only differences have a meaning. */
  readonly now: () => number;
  /** The wall-clock time, for values in objects. */
  readonly date: () => Date;
  /** Runs something once after a time; the function returned cancels it. */
  readonly after: (milliseconds: number, run: () => void) => () => void;
}

/** The machine's own clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, Math.min(milliseconds, longestTimer));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

// Node fires a timer with a longer delay after 1 ms: https://nodejs.org/api/timers.html#settimeoutcallback-delay-args
const longestTimer = 2 ** 31 - 1;

/** Resolves after a time; rejects with the signal's reason when it is aborted first. */
export function sleep(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(abortReason(signal));
      return;
    }
    const cancelTimer = clock.after(milliseconds, () => {
      stopListening?.();
      resolve();
    });
    const stopListening =
      signal &&
      onAbort(signal, () => {
        cancelTimer();
        reject(abortReason(signal));
      });
  });
}

/**
 * Resolves after a time, or when one of the signals is aborted. `AbortSignal.any` is no alternative for waits that repeat: a signal made by it stays in memory
 * for as long as the signals it is made of, once it has had a listener.
 */
export function sleepUnlessAborted(clock: Clock, milliseconds: number, signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancelTimer();
      for (const stopListening of listening) stopListening();
      resolve();
    };
    const cancelTimer = clock.after(milliseconds, end);
    const listening = signals.map((signal) => onAbort(signal, end));
    if (signals.some(({ aborted }) => aborted)) end();
  });
}

/** Why a signal was aborted, always as an error. */
export function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error(String(reason));
}
