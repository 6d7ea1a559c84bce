import { expect, test } from 'vitest';
import type { Logger } from '../../../lib/runtime/logger.ts';
import { WorkQueue } from '../../../lib/runtime/queue/queue.ts';
import { type Reconcile, runWorkers, TerminalError } from '../../../lib/runtime/queue/workers.ts';
import { DrivenClock, settled } from '../driven-clock.ts';
import { RecordedMetrics } from '../recorded-metrics.ts';

const controller = { controller: 'Kind' };

function start(reconcile: Reconcile, workers = 1) {
  const clock = new DrivenClock();
  const metrics = new RecordedMetrics();
  const queue = new WorkQueue({ name: 'Kind', clock, metrics });
  const errors: unknown[] = [];
  const log: Logger = {
    debug: () => {},
    info: () => {},
    error: (message, error, fields) => errors.push([message, error, fields]),
  };
  const stop = new AbortController();
  const ended = runWorkers(queue, reconcile, { name: 'Kind', workers, clock, metrics, log }, stop.signal);
  return { clock, metrics, queue, errors, ended, stop: () => stop.abort(new Error('stop')) };
}

/** A reconcile whose passes end when the test says so. */
function held() {
  const started: string[] = [];
  const finish = new Map<string, () => void>();
  const reconcile: Reconcile = (key) => {
    started.push(key);
    return new Promise((resolve) => {
      finish.set(key, () => resolve({}));
    });
  };
  return { started, finish, reconcile };
}

test('works on several keys at once and on one key at a time', async () => {
  const { started, finish, reconcile } = held();
  const { queue, metrics, ended, stop } = start(reconcile, 2);
  for (const key of ['n/a', 'n/b', 'n/c', 'n/a']) queue.add(key);
  await settled();
  expect(started).toEqual(['n/a', 'n/b']);
  expect(metrics.value('controller_runtime_active_workers', controller)).toBe(2);
  queue.add('n/a');
  finish.get('n/b')?.();
  await settled();
  expect(started).toEqual(['n/a', 'n/b', 'n/c']);
  finish.get('n/a')?.();
  await settled();
  expect(started).toEqual(['n/a', 'n/b', 'n/c', 'n/a']);
  stop();
  for (const end of finish.values()) end();
  await ended;
});

test('begins another pass while one rests, ends a resting pass with the others, and counts it as no active worker', async () => {
  const { started, finish, reconcile } = held();
  const { queue, metrics, ended, stop } = start((key, signal, log, rest) => {
    rest();
    rest();
    return reconcile(key, signal, log, rest);
  });
  queue.add('n/a');
  queue.add('n/b');
  await settled();
  expect(started).toEqual(['n/a', 'n/b']);
  expect(metrics.value('controller_runtime_active_workers', controller)).toBe(0);
  queue.add('n/a');
  await settled();
  expect(started).toEqual(['n/a', 'n/b']);
  let isOver = false;
  const watched = ended.then(() => {
    isOver = true;
  });
  stop();
  finish.get('n/a')?.();
  await settled();
  expect(isOver).toBe(false);
  finish.get('n/b')?.();
  await watched;
});

test('lets no more than 512 passes rest', async () => {
  const { started, finish, reconcile } = held();
  const { queue, ended, stop } = start((key, signal, log, rest) => {
    rest();
    return reconcile(key, signal, log, rest);
  }, 2);
  for (let index = 0; index < 600; index += 1) queue.add(`n/${index}`);
  await settled();
  expect(started).toHaveLength(514);
  finish.get('n/513')?.();
  await settled();
  expect(started).toHaveLength(515);
  stop();
  for (const end of finish.values()) end();
  await ended;
});

test('waits for passes under way when it is stopped, tells them, and starts no other', async () => {
  const { started, finish, reconcile } = held();
  let signalOfPass: AbortSignal | undefined;
  const { queue, ended, stop } = start((key, signal, log, rest) => {
    signalOfPass = signal;
    return reconcile(key, signal, log, rest);
  });
  queue.add('n/a');
  queue.add('n/b');
  await settled();
  let isOver = false;
  const watched = ended.then(() => {
    isOver = true;
  });
  stop();
  await settled();
  expect([isOver, signalOfPass?.aborted, started]).toEqual([false, true, ['n/a']]);
  finish.get('n/a')?.();
  await watched;
  expect(started).toEqual(['n/a']);
});

test('survives a pass that throws, says so, and tries it again with back-off', async () => {
  let passes = 0;
  const { clock, queue, metrics, errors } = start(async () => {
    passes += 1;
    if (passes < 3) throw new Error('the world is not ready');
    return {};
  });
  queue.add('n/a');
  await settled();
  expect([passes, clock.nextIn]).toEqual([1, 5]);
  await clock.advance(5);
  expect([passes, clock.nextIn, queue.failingMs('n/a')]).toEqual([2, 10, 5]);
  await clock.advance(10);
  expect([passes, clock.nextIn, queue.failingMs('n/a')]).toEqual([3, undefined, 0]);
  expect(errors).toHaveLength(2);
  const object = { namespace: 'n', name: 'a' };
  const fields = { ...controller, Kind: object, ...object, reconcileID: expect.stringMatching(/^[0-9a-f-]{36}$/) };
  expect(errors[0]).toEqual(['Reconciler error', expect.any(Error), fields]);
  expect(metrics.value('controller_runtime_reconcile_errors_total', controller)).toBe(2);
  expect(metrics.value('controller_runtime_reconcile_total', { ...controller, result: 'error' })).toBe(2);
  expect(metrics.value('controller_runtime_reconcile_total', { ...controller, result: 'success' })).toBe(1);
  expect(metrics.value('controller_runtime_reconcile_panics_total', controller)).toBeUndefined();
});

test('survives a pass that throws before its first wait, or throws what is no error, and counts bugs as panics', async () => {
  const thrown: unknown[] = [new TypeError('x is undefined'), 'text'];
  const { queue, metrics, clock } = start(() => {
    throw thrown.shift();
  });
  queue.add('n/a');
  await clock.advance(5);
  expect(metrics.value('controller_runtime_reconcile_panics_total', controller)).toBe(2);
});

test('does not try again what an error calls terminal', async () => {
  const { queue, metrics, clock } = start(async () => {
    throw new TerminalError('the spec is wrong');
  });
  queue.add('n/a');
  await settled();
  expect(clock.pending).toBe(0);
  expect(metrics.value('controller_runtime_terminal_reconcile_errors_total', controller)).toBe(1);
});

test('comes back when a pass asks for it', async () => {
  const results = [{ requeueAfterMs: 0 }, { requeueAfterMs: 30_000 }, { requeue: true }, {}];
  const { queue, metrics, clock } = start(async () => results.shift() ?? {});
  queue.add('n/a');
  await settled();
  expect(clock.nextIn).toBe(30_000);
  await clock.advance(30_000);
  expect(clock.nextIn).toBe(5);
  await clock.advance(5);
  expect(clock.nextIn).toBeUndefined();
  for (const [result, count] of Object.entries({ requeue_after: 2, requeue: 1, success: 1 }))
    expect(metrics.value('controller_runtime_reconcile_total', { ...controller, result })).toBe(count);
});

test.each([{}, { requeueAfterMs: 30_000 }])('ends the back-off of a key with a pass that ends in %o', async (success) => {
  const results = [{ requeue: true }, { requeue: true }, success, { requeue: true }];
  const { queue, clock } = start(async () => results.shift() ?? {});
  queue.add('n/a');
  await settled();
  await clock.advance(5);
  expect([clock.nextIn, queue.failingMs('n/a')]).toEqual([10, 0]);
  await clock.advance(10);
  queue.add('n/a');
  await settled();
  expect(clock.nextIn).toBe(5);
});

test('lets timers and sockets have their turn between passes that wait for nothing', async () => {
  let passes = 0;
  const { queue } = start(async () => {
    passes += 1;
    return {};
  });
  for (let index = 0; index < 1000; index += 1) queue.add(`n/${index}`);
  await settled();
  expect(passes).toBeGreaterThan(0);
  expect(passes).toBeLessThan(10);
});
