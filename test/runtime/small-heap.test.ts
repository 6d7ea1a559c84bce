import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
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
    expect(await collections([450, 10, 10, 10])).toEqual([]);
  });

  test('is left while the process works', async () => {
    expect(await collections([1200, 400, 60, 51, 900])).toEqual([]);
  });

  test('is collected once small work has added up, such as that of probes and Leases in hours', async () => {
    expect(await collections(Array.from({ length: 50 }, () => 20))).toEqual([25, 50]);
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

/** Replaces objects that lived for a while, as a cache does, and prints the largest heap in MB; `keepHeapSmall` is called first if `small` is an argument. */
const program = `
  import { keepHeapSmall } from ${JSON.stringify(resolve(import.meta.dirname, '../../lib/runtime/small-heap.ts'))};
  if (process.argv.includes('small')) keepHeapSmall(new AbortController().signal);
  const held = [];
  let largest = 0;
  for (let round = 0; round < 2_000_000; round += 1) {
    held[round % 200_000] = { round, text: 'x' + round };
    if (round % 10_000 === 0) largest = Math.max(largest, process.memoryUsage().heapTotal);
  }
  console.log(Math.round(largest / 2 ** 20));
  process.exit();
`;

test('the heap stays closer to what is in use than usual', () => {
  const largest = (...args: readonly string[]): number =>
    Number(
      execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program, ...args], { encoding: 'utf8' }),
    );
  expect(largest('small')).toBeLessThan(0.8 * largest());
});
