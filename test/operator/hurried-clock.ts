import type { Clock } from '../../lib/runtime/clock.ts';

/** The machine's clock, on which waiting takes a fraction of the time: what an operator does after minutes it does after seconds. */
export function hurriedClock(times: number): Clock {
  return {
    now: () => performance.now() * times,
    date: () => new Date(),
    after: (milliseconds, run) => {
      const timer = setTimeout(run, Math.min(milliseconds / times, 2 ** 31 - 1));
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}
