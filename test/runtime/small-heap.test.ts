import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { collectAfterWork, garbageCollector } from '../../lib/runtime/small-heap.ts';
import { ManualClock } from './manual-clock.ts';

/** A process whose seconds each take some milliseconds of work; returns in which of them garbage was collected. */
async function collections(workOfSeconds: readonly number[], collectionMs = 0, stopAfter = Infinity): Promise<readonly number[]> {
  const clock = new ManualClock();
  const stop = new AbortController();
  const seconds: number[] = [];
  let busy = 7000;
  const collect = (): void => {
    seconds.push(clock.now() / 1000);
    busy += collectionMs;
  };
  collectAfterWork({ clock, busyMs: () => busy, collect }, stop.signal);
  for (const [index, work] of workOfSeconds.entries()) {
    if (index === stopAfter) stop.abort();
    busy += work;
    await clock.advance(1000);
  }
  return seconds;
}

describe('garbage of a burst of work', () => {
  test('is collected once, in the first quiet second after it', async () => {
    expect(await collections([900, 900, 300, 10, 10, 10, 10])).toEqual([4]);
  });

  test('is collected after each burst', async () => {
    expect(await collections([1200, 10, 10, 1300, 10, 10])).toEqual([2, 5]);
  });

  test('is left where there is little of it', async () => {
    expect(await collections([900, 10, 10, 10])).toEqual([]);
  });

  test('is left while the process works', async () => {
    expect(await collections([1200, 400, 60, 51, 900])).toEqual([]);
  });

  test('is collected once small work has added up, such as that of probes and Leases in hours', async () => {
    expect(await collections(Array.from({ length: 50 }, () => 40))).toEqual([25, 50]);
  });

  test('is not waited for again because of the collection itself', async () => {
    expect(await collections([1200, 10, 10, 10, 10], 1400)).toEqual([2]);
  });

  test('is left to itself once the operator stops', async () => {
    expect(await collections([900, 900, 10, 10], 0, 2)).toEqual([]);
  });
});

test('the collector takes what nobody holds any more, in all of the heap', async () => {
  const collect = garbageCollector();
  const forgotten = new WeakRef({ graph: 'qwen' });
  // What a weak reference was asked for stays until the current task ends. A collection of new objects only would keep it.
  await setImmediate();
  collect();
  expect(forgotten.deref()).toBeUndefined();
});
