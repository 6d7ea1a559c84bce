/** Stops the operator on a signal. It imports nothing, so that signals are handled while the rest of the program is loaded. */

/** Handles signals until it is released. */
export interface StopSignals {
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  readonly release: () => void;
}

/** Installs the signal handlers: the first signal aborts, a second one exits the process. */
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
