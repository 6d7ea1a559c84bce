/** The functions to call when a signal is aborted. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls a function once when a signal is aborted, unless the returned function cancels the call first. If the signal is aborted already, the function is not called.
 *
 * One listener serves all functions of a signal: `addEventListener` and `removeEventListener` walk through all listeners, and thousands of requests
 * may wait for the signal that stops the operator (nodejs/node, lib/internal/event_target.js).
 */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  const functions = waiting.get(signal) ?? listen(signal);
  // A new function for each call, so that two callers may pass the same one.
  const call = (): void => run();
  functions.add(call);
  return () => {
    functions.delete(call);
  };
}

function listen(signal: AbortSignal): Set<() => void> {
  const functions = new Set<() => void>();
  waiting.set(signal, functions);
  const callAll = (): void => {
    for (const call of functions) {
      functions.delete(call);
      try {
        call();
      } catch (error) {
        // As with separate listeners: an error does not keep the other functions from being called, and is reported as uncaught.
        process.nextTick(() => {
          throw error;
        });
      }
    }
  };
  signal.addEventListener('abort', callAll, { once: true });
  return functions;
}
