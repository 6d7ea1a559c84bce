import { expect, test } from 'vitest';
import { sleep, sleepUnlessAborted } from '../../lib/runtime/clock.ts';
import { DrivenClock } from './driven-clock.ts';

test('a wait that is aborted leaves no timer behind', async () => {
  const clock = new DrivenClock();
  const stop = new AbortController();
  const waits = [
    expect(sleep(clock, 1000, stop.signal)).rejects.toThrow('enough'),
    expect(sleepUnlessAborted(clock, 1000, [new AbortController().signal, stop.signal])).resolves.toBeUndefined(),
  ];
  expect(clock.pending).toBe(2);
  stop.abort(new Error('enough'));
  await Promise.all(waits);
  expect(clock.pending).toBe(0);
});

test('a wait for signals one of which is aborted already ends at once', async () => {
  const clock = new DrivenClock();
  await sleepUnlessAborted(clock, 1000, [new AbortController().signal, AbortSignal.abort()]);
  expect(clock.pending).toBe(0);
});
