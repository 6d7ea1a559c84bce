import type { Clock } from '../../lib/runtime/clock.ts';

/** A clock that knows how many of its timers are yet to run. */
export interface CountingClock extends Clock {
  readonly pending: () => number;
}

/** The machine's clock, on which waiting takes a fraction of the time: what an operator does after minutes it does after seconds. */
export function hurriedClock(times: number): CountingClock {
  const timers = new Set<NodeJS.Timeout>();
  return {
    now: () => performance.now() * times,
    date: () => new Date(),
    after: (milliseconds, run) => {
      const end = (): void => {
        clearTimeout(timer);
        timers.delete(timer);
      };
      const due = (): void => {
        end();
        run();
      };
      const timer = setTimeout(due, Math.min(milliseconds / times, 2 ** 31 - 1));
      timer.unref();
      timers.add(timer);
      return end;
    },
    pending: () => timers.size,
  };
}
