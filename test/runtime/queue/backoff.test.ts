import { expect, test } from 'vitest';
import { Backoff } from '../../../lib/runtime/queue/backoff.ts';
import { DrivenClock } from '../driven-clock.ts';

test('doubles from 5 ms to 1000 s for a key that fails again and again, and starts anew after a success', () => {
  const backoff = new Backoff(new DrivenClock());
  const waits = Array.from({ length: 20 }, () => backoff.next('a'));
  expect(waits).toEqual([
    5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10_240, 20_480, 40_960, 81_920, 163_840, 327_680, 655_360, 1_000_000,
    1_000_000,
  ]);
  expect(backoff.next('b')).toBe(5);
  backoff.forget('a');
  expect(backoff.next('a')).toBe(5);
});

test('knows for how long a key has failed without a success, whatever is tried again in between', async () => {
  const clock = new DrivenClock();
  const backoff = new Backoff(clock);
  backoff.next('a');
  await clock.advance(3000);
  expect(backoff.failingMs('a')).toBe(0);
  backoff.fail('a');
  await clock.advance(4000);
  backoff.fail('a');
  backoff.next('a');
  await clock.advance(1000);
  expect([backoff.failingMs('a'), backoff.failingMs('b')]).toEqual([5000, 0]);
  backoff.forget('a');
  expect(backoff.failingMs('a')).toBe(0);
});

test('lets 100 retries go at once and 10 in each second after', async () => {
  const clock = new DrivenClock();
  const backoff = new Backoff(clock);
  const waits = Array.from({ length: 105 }, (_, index) => backoff.next(`key-${index}`));
  expect(waits.slice(0, 100).every((wait) => wait === 5)).toBe(true);
  expect(waits.slice(100)).toEqual([100, 200, 300, 400, 500]);
  await clock.advance(500);
  expect(backoff.next('later')).toBe(100);
  await clock.advance(60_000);
  expect(backoff.next('much later')).toBe(5);
});
