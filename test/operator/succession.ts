import { setTimeout } from 'node:timers/promises';
import * as fc from 'fast-check';
import { onTestFinished } from 'vitest';
import { isWrite, type Launcher, type OperatorProcess, type Way } from './fault-rig.ts';

/** Operators one after the other, each started when the one before it has died. */
export class Succession {
  readonly #over = new AbortController();
  readonly #running: Promise<void>;
  #operator: OperatorProcess | undefined;
  #deaths = 0;

  constructor(launcher: Launcher, { kubeconfig }: Way, onStart: (kill: () => void) => void = () => {}) {
    const run = async (): Promise<void> => {
      while (!this.#over.signal.aborted) {
        const operator = launcher.start(kubeconfig);
        this.#operator = operator;
        onStart(() => operator.child.kill('SIGKILL'));
        await operator.ended;
        if (!this.#over.signal.aborted) this.#deaths += 1;
      }
    };
    this.#running = run();
    // A test that fails leaves nobody behind.
    onTestFinished(() => {
      this.#over.abort();
      this.#operator?.child.kill('SIGKILL');
      return this.#running;
    });
  }

  /** How many died. */
  get deaths(): number {
    return this.#deaths;
  }

  /** Kills the one that lives. */
  kill(): void {
    if (!this.#over.signal.aborted) this.#operator?.child.kill('SIGKILL');
  }

  /** Lets the last one end in good order. */
  async end(): Promise<void> {
    this.#over.abort();
    this.#operator?.child.kill('SIGTERM');
    await this.#running;
  }
}

/** Operators that die at each of their first writes, or at all, when it is done and before they know it. */
export function dyingAtWrites(launcher: Launcher, way: Way, last = Infinity): Succession {
  const succession = new Succession(launcher, way);
  way.proxy.onAnswer((request) => {
    if (isWrite(request) && succession.deaths < last) succession.kill();
  });
  return succession;
}

/** When one dies: after how many answers, of which it needs some forty to start, and how many milliseconds later. */
const moment = fc.record({ answers: fc.integer({ min: 1, max: 80 }), milliseconds: fc.integer({ min: 0, max: 20 }) });

/** Operators that die at random moments, which a seed draws. */
export function dyingAtRandom(launcher: Launcher, way: Way, seed: number): Succession {
  const moments = fc.sample(moment, { seed, numRuns: 500 }).values();
  return new Succession(launcher, way, (kill) => {
    const { answers = Infinity, milliseconds = 0 } = moments.next().value ?? {};
    let answered = 0;
    way.proxy.onAnswer(() => {
      answered += 1;
      if (answered === answers) void setTimeout(milliseconds).then(kill);
    });
  });
}
