import { abortReason } from './clock.ts';

/** Resolves when a signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** The result of the work; rejects with the signal's reason if the signal is aborted first. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const stop = aborted(signal).then((): never => {
    throw abortReason(signal);
  });
  return Promise.race([work, stop]);
}
