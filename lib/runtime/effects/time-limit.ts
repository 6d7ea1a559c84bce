/** A signal that is aborted when another signal is, or when its time is up, whichever comes first. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Whether the signal was aborted because its time was up. */
  readonly isExceeded: () => boolean;
  /** Removes timer and listener, so that a signal that lives as long as the process does not collect them. */
  readonly end: () => void;
}

/** A signal that is aborted with the given one, or after a number of seconds. */
export function timeLimit(seconds: number, within: AbortSignal): TimeLimit {
  const controller = new AbortController();
  let exceeded = false;
  const onAbort = (): void => controller.abort(within.reason);
  const timer = setTimeout(() => {
    exceeded = true;
    controller.abort(new Error(`not done within ${seconds} s`));
  }, seconds * 1000);
  if (within.aborted) onAbort();
  else within.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    isExceeded: () => exceeded,
    end: () => {
      clearTimeout(timer);
      within.removeEventListener('abort', onAbort);
    },
  };
}

/** Waits until a promise is settled, whatever its result, or a signal is aborted. */
export async function settledOrAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  let onAbort = (): void => {};
  const aborted = new Promise<void>((resolve) => {
    onAbort = resolve;
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  await Promise.race([work.then(onAbort, onAbort), aborted]);
  signal.removeEventListener('abort', onAbort);
}
