import type { Clock } from '../../lib/runtime/clock.ts';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that stands still until it is moved. */
export class ManualClock implements Clock {
  #now: number;
  #timers: readonly Timer[] = [];
  /** Calendar's time at the start. */
  readonly start: number;

  constructor(start = Date.parse('2026-01-01T00:00:00Z')) {
    this.start = start;
    this.#now = 0;
  }

  readonly now = (): number => this.#now;
  readonly date = (): Date => new Date(this.start + this.#now);
  readonly after = (milliseconds: number, run: () => void): (() => void) => {
    const timer = { at: this.#now + milliseconds, run };
    this.#timers = [...this.#timers, timer];
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };

  /** Moves time on, running timers in their order and letting what they wake finish. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settle();
    for (;;) {
      const [next] = [...this.#timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
      await settle();
    }
    this.#now = end;
    await settle();
  }

  /** Moves time on without running any timer, as for a process that is stopped; they run at the next `advance`. */
  pause(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

/** Lets promises that can go on go on. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
}
