import { getHeapSpaceStatistics } from 'node:v8';
import { describe, expect, test } from 'vitest';
import { collectAfterWork, collectGarbage } from '../../lib/runtime/small-heap.ts';
import { ManualClock } from './manual-clock.ts';

/** A process whose seconds each take some milliseconds of work; returns in which of them garbage was collected. */
async function collections(workOfSeconds: readonly number[], collectionMs = 0, stopAfter = Infinity): Promise<readonly number[]> {
  const clock = new ManualClock();
  const stop = new AbortController();
  const seconds: number[] = [];
  let busy = 7000;
  const collect = (): Promise<void> => {
    seconds.push(clock.now() / 1000);
    busy += collectionMs;
    return Promise.resolve();
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
  const forgotten = new WeakRef({ graph: 'qwen' });
  await collectGarbage();
  expect(forgotten.deref()).toBeUndefined();
});

test('the collector returns the memory of the young generation', async () => {
  const youngSize = (): number =>
    getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.physical_space_size ?? 0;
  for (let round = 0; youngSize() < 8 << 20 && round < 10_000; round += 1)
    Array.from({ length: 1000 }, (_, index) => ({ index }));
  expect(youngSize()).toBeGreaterThanOrEqual(8 << 20);
  await collectGarbage();
  expect(youngSize()).toBeLessThan(4 << 20);
});
