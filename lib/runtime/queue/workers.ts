/** Works through a queue: several keys at once, each reconcile supervised, its outcome counted under controller-runtime's names. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { type Logger, noLog, withFields } from '../logger.ts';
import { type MetricSink, noMetrics } from '../metric-sink.ts';
import type { WorkQueue } from './queue.ts';

/** Result of a reconcile: when to reconcile the key again. */
export interface ReconcileResult {
  /** Look again after this many milliseconds; 0 means at once. */
  readonly requeueAfterMs?: number;
  /** Try again with back-off, without calling it an error. */
  readonly requeue?: boolean;
}

/**
 * One full pass over a key; every line of its log names the object and the pass. It calls `rest` when the rest of its work may wait, so that another
 * pass can begin.
 */
export type Reconcile = (key: string, signal: AbortSignal, log: Logger, rest: () => void) => Promise<ReconcileResult>;

/** An error that is not retried, since only a change of the object can resolve it. */
export class TerminalError extends Error {
  readonly code = 'terminal';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TerminalError';
  }
}

/** Options of `runWorkers`. */
interface WorkersOptions {
  /** Name of the controller. */
  readonly name: string;
  /** Keys worked on at the same time. */
  readonly workers: number;
  readonly clock: Clock;
  readonly metrics?: MetricSink;
  readonly log?: Logger;
}

/** The most passes that rest at the same time, since each keeps its decision in memory. */
const mostResting = 512;

type Outcome = 'success' | 'error' | 'requeue' | 'requeue_after';

/** Works until the signal is aborted, then waits for what is under way; the queue is closed then. Never rejects. */
export function runWorkers(queue: WorkQueue, reconcile: Reconcile, options: WorkersOptions, signal: AbortSignal): Promise<void> {
  const { name, workers, clock, metrics = noMetrics, log = noLog } = options;
  const controller = { controller: name };
  metrics.set('controller_runtime_max_concurrent_reconciles', controller, workers);
  metrics.set('controller_runtime_active_workers', controller, 0);
  log.info('Starting workers', { ...controller, 'worker count': workers });

  const work = async (key: string, rest: () => void): Promise<void> => {
    const start = clock.now();
    try {
      const outcome = await supervise(key, rest);
      metrics.count('controller_runtime_reconcile_total', { ...controller, result: outcome });
      metrics.observe('controller_runtime_reconcile_time_seconds', controller, (clock.now() - start) / 1000);
    } finally {
      queue.done(key);
    }
  };
  const supervise = async (key: string, rest: () => void): Promise<Outcome> => {
    const passLog = logOfPass(log, name, key);
    try {
      return settle(key, await reconcile(key, signal, passLog, rest));
    } catch (error) {
      // A pass that was aborted has not failed.
      if (signal.aborted) return 'error';
      fail(key, error, passLog);
      return 'error';
    }
  };
  const settle = (key: string, { requeueAfterMs, requeue = false }: ReconcileResult): Outcome => {
    if (requeueAfterMs !== undefined) {
      queue.forget(key);
      queue.addAfter(key, requeueAfterMs);
      return 'requeue_after';
    }
    if (requeue) {
      queue.retry(key);
      return 'requeue';
    }
    queue.forget(key);
    return 'success';
  };
  const fail = (key: string, error: unknown, passLog: Logger): void => {
    metrics.count('controller_runtime_reconcile_errors_total', controller);
    if (isBug(error)) metrics.count('controller_runtime_reconcile_panics_total', controller);
    if (error instanceof TerminalError) metrics.count('controller_runtime_terminal_reconcile_errors_total', controller);
    else queue.fail(key);
    passLog.error('Reconciler error', error);
  };

  return new Promise((resolve) => {
    const active = new Set<string>();
    const resting = new Set<string>();
    let isScheduled = false;
    const leave = (key: string): void => {
      active.delete(key);
      metrics.set('controller_runtime_active_workers', controller, active.size);
      schedule();
    };
    const rest = (key: string): void => {
      if (resting.size >= mostResting || !active.has(key)) return;
      resting.add(key);
      leave(key);
    };
    const fill = (): void => {
      isScheduled = false;
      while (!signal.aborted && active.size < workers) {
        const key = queue.take();
        if (key === undefined) break;
        active.add(key);
        metrics.set('controller_runtime_active_workers', controller, active.size);
        void work(key, () => rest(key))
          .catch((error: unknown) => log.error('Outcome of a reconcile could not be recorded', error, controller))
          .finally(() => {
            resting.delete(key);
            leave(key);
          });
      }
      if (signal.aborted && active.size + resting.size === 0) resolve();
    };
    // Passes that wait for nothing would otherwise keep timers and sockets waiting until the queue is empty.
    const schedule = (): void => {
      if (!isScheduled) setImmediate(fill);
      isScheduled = true;
    };
    const stop = (): void => {
      log.info('Shutdown signal received, waiting for all workers to finish', controller);
      queue.close();
      schedule();
    };
    signal.addEventListener('abort', stop, { once: true });
    queue.whenReady(schedule);
    if (signal.aborted) stop();
    else schedule();
  });
}

// The fields of controller-runtime: the object under its kind's name and as two fields of their own, and the pass.
function logOfPass(log: Logger, controller: string, key: string): Logger {
  const [namespace = '', name = ''] = key.split('/');
  return withFields(log, { controller, [controller]: { name, namespace }, namespace, name, reconcileID: randomUUID() });
}

// What Go would call a panic: a fault of the program, such as a TypeError.
function isBug(error: unknown): boolean {
  return !(error instanceof Error) || ['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError'].includes(error.name);
}
