/** A clock that stands still until a test moves it. */
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../lib/runtime/clock.ts';

/** A clock for tests, with its timers. */
export class DrivenClock implements Clock {
  #now = 0;
  readonly #timers = new Set<{ readonly due: number; readonly run: () => void }>();

  readonly #waiting = new Set<() => void>();

  readonly now = (): number => this.#now;
  readonly date = (): Date => new Date(Date.UTC(2026, 0, 1) + this.#now);
  readonly after = (milliseconds: number, run: () => void): (() => void) => {
    const timer = { due: this.#now + milliseconds, run };
    this.#timers.add(timer);
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
    return () => this.#timers.delete(timer);
  };

  /** Timers that have not run. */
  get pending(): number {
    return this.#timers.size;
  }

  /** When the next timer is due, in milliseconds from now; `undefined` when there is none. */
  get nextIn(): number | undefined {
    const waits = this.waits();
    return waits.length === 0 ? undefined : Math.min(...waits);
  }

  /** In how many milliseconds each timer is due. */
  waits(): readonly number[] {
    return [...this.#timers].map(({ due }) => due - this.#now);
  }

  /** Whether a timer is due in exactly that time. */
  dueIn(milliseconds: number): boolean {
    return this.waits().some((wait) => Math.round(wait) === milliseconds);
  }

  /** Resolves when a condition on its timers holds; looked at whenever one is set. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
      });
    }
  }

  /** Moves the clock, running each timer at its time and letting what it started go on. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settled();
    for (;;) {
      const [timer] = [...this.#timers].filter(({ due }) => due <= end).toSorted((a, b) => a.due - b.due);
      if (timer === undefined) break;
      this.#timers.delete(timer);
      this.#now = Math.max(this.#now, timer.due);
      timer.run();
      await settled();
    }
    this.#now = end;
  }
}

/** Resolves when what is ready to run has run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
}
