import { describe, expect, test } from 'vitest';
import { WorkQueue } from '../../../lib/runtime/queue/queue.ts';
import { DrivenClock } from '../driven-clock.ts';
import { RecordedMetrics } from '../recorded-metrics.ts';

const labels = { name: 'Kind', controller: 'Kind' };

function newQueue(): { readonly clock: DrivenClock; readonly metrics: RecordedMetrics; readonly queue: WorkQueue } {
  const clock = new DrivenClock();
  const metrics = new RecordedMetrics();
  return { clock, metrics, queue: new WorkQueue({ name: 'Kind', clock, metrics }) };
}

function takeAll(queue: WorkQueue): readonly string[] {
  const taken: string[] = [];
  for (let key = queue.take(); key !== undefined; key = queue.take()) taken.push(key);
  return taken;
}

test('holds a key once, in the order of the first add', () => {
  const { queue, metrics } = newQueue();
  for (const key of ['n/a', 'n/b', 'n/a', 'n/b', 'n/c']) queue.add(key);
  expect(queue.length).toBe(3);
  expect(takeAll(queue)).toEqual(['n/a', 'n/b', 'n/c']);
  expect(metrics.value('workqueue_adds_total', labels)).toBe(3);
});

test('never hands out a key that is in work, and hands it out again after when it was added meanwhile', () => {
  const { queue } = newQueue();
  queue.add('n/a');
  expect(queue.take()).toBe('n/a');
  queue.add('n/a');
  queue.add('n/a');
  expect(queue.take()).toBeUndefined();
  queue.done('n/a');
  expect(takeAll(queue)).toEqual(['n/a']);
  queue.done('n/a');
  expect(queue.take()).toBeUndefined();
});

test('lets namespaces take turns under a flood in one', () => {
  const { queue } = newQueue();
  for (let index = 0; index < 10_000; index += 1) queue.add(`flood/${index}`);
  queue.add('quiet/a');
  queue.add('quiet/b');
  queue.add('other/c');
  expect(Array.from({ length: 6 }, () => queue.take())).toEqual([
    'flood/0',
    'quiet/a',
    'other/c',
    'flood/1',
    'quiet/b',
    'flood/2',
  ]);
});

describe('delayed keys', () => {
  test('come at their time, and of several times at the earliest', async () => {
    const { queue, clock } = newQueue();
    queue.addAfter('n/a', 1000);
    queue.addAfter('n/a', 300);
    queue.addAfter('n/a', 500);
    await clock.advance(299);
    expect(queue.take()).toBeUndefined();
    await clock.advance(1);
    expect(takeAll(queue)).toEqual(['n/a']);
    await clock.advance(10_000);
    expect(clock.pending).toBe(0);
    queue.done('n/a');
    expect(queue.take()).toBeUndefined();
  });

  test('come back after ever longer times when they fail, and forget that on success', async () => {
    const { queue, clock, metrics } = newQueue();
    for (const wait of [5, 10, 20]) {
      queue.retry('n/a');
      expect(clock.nextIn).toBe(wait);
      await clock.advance(wait);
      expect(queue.take()).toBe('n/a');
      queue.done('n/a');
    }
    expect(metrics.value('workqueue_retries_total', labels)).toBe(3);
    queue.forget('n/a');
    queue.retry('n/a');
    expect(clock.nextIn).toBe(5);
  });

  test('wait alike whether they failed or must be done again, but only failures are timed', async () => {
    const { queue, clock, metrics } = newQueue();
    queue.retry('n/a');
    await clock.advance(5);
    expect([queue.take(), queue.failingMs('n/a')]).toEqual(['n/a', 0]);
    queue.done('n/a');
    queue.fail('n/a');
    expect(clock.nextIn).toBe(10);
    await clock.advance(10);
    expect([queue.take(), queue.failingMs('n/a')]).toEqual(['n/a', 10]);
    queue.forget('n/a');
    expect([queue.failingMs('n/a'), metrics.value('workqueue_retries_total', labels)]).toEqual([0, 2]);
  });

  test('are forgotten when their work begins for another reason: that work says anew when to look again', async () => {
    const { queue, clock } = newQueue();
    queue.addAfter('n/a', 30_000);
    queue.add('n/a');
    expect(queue.take()).toBe('n/a');
    queue.done('n/a');
    expect(clock.pending).toBe(0);
    queue.add('n/a');
    expect(queue.take()).toBe('n/a');
    queue.addAfter('n/a', 600_000);
    queue.done('n/a');
    expect(clock.nextIn).toBe(600_000);
  });

  test('go at once when the time is over', () => {
    const { queue } = newQueue();
    queue.addAfter('n/a', 0);
    expect(queue.take()).toBe('n/a');
  });
});

test('shows depth, waiting and working times', async () => {
  const { queue, clock, metrics } = newQueue();
  queue.add('n/a');
  queue.add('n/b');
  expect(metrics.value('workqueue_depth', { ...labels, priority: '' })).toBe(2);
  await clock.advance(2000);
  queue.take();
  queue.take();
  await clock.advance(3000);
  expect(metrics.value('workqueue_depth', { ...labels, priority: '' })).toBe(0);
  expect(metrics.value('workqueue_unfinished_work_seconds', labels)).toBe(6);
  expect(metrics.value('workqueue_longest_running_processor_seconds', labels)).toBe(3);
  queue.done('n/a');
  expect(metrics.observed('workqueue_queue_duration_seconds', labels)).toEqual([2, 2]);
  expect(metrics.observed('workqueue_work_duration_seconds', labels)).toEqual([3]);
  expect(metrics.value('workqueue_unfinished_work_seconds', labels)).toBe(3);
});

test('drops all that waits when it is closed, and leaves no timer', () => {
  const { queue, clock } = newQueue();
  queue.add('n/a');
  queue.addAfter('n/b', 10);
  queue.close();
  queue.add('n/c');
  queue.addAfter('n/d', 10);
  expect([queue.take(), queue.length, clock.pending]).toEqual([undefined, 0, 0]);
});
