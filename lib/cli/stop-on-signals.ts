/** What stops the operator. It loads nothing else: signals are heeded while the rest of the program is still being loaded. */

/** Listens for signals until it is released. */
export interface StopSignals {
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  readonly release: () => void;
}

/** Begins to listen: the first signal asks to stop, a second one ends the process at once. */
export function stopOnSignals(): StopSignals {
  const stop = new AbortController();
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stop.signal.aborted) process.exit(1);
    stop.abort(new Error(`received ${signal}`));
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, onSignal);
  return {
    signal: stop.signal,
    release: () => {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
