/** Two replicas of an operator that fight for a Lease. */
import { setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { DisturbedCluster } from './disturbed-cluster.ts';
import { isChange, type Launcher, type OperatorProcess } from './fault-rig.ts';

const timing = JSON.stringify({ leaseDuration: 3_000, renewDeadline: 2_000, retryPeriod: 300 });
const flags = ['--leader-elect', '--leader-election-id=id', '--leader-election-namespace=dynamo-system'];

/** Two replicas of an operator that want the same Lease, each started again whenever it ends. */
export class Rivals {
  readonly #over = new AbortController();
  readonly #running = new Set<OperatorProcess>();
  readonly #ended: Promise<unknown>;
  #starts = 0;
  readonly #leaders = new Set<OperatorProcess>();

  /** Starts them; a function is called at each of their changes, with which of all it is and who made it. */
  constructor(launcher: Launcher, disturbed: DisturbedCluster, onChange: (change: number, leader: OperatorProcess) => void) {
    let changes = 0;
    const replica = async (): Promise<void> => {
      const { proxy, kubeconfig } = await disturbed.newWay();
      while (!this.#over.signal.aborted) {
        const operator = launcher.start(kubeconfig, flags, { TIMING: timing });
        this.#starts += 1;
        this.#running.add(operator);
        proxy.onAnswer((request) => {
          if (!isChange(request) || this.#over.signal.aborted) return;
          changes += 1;
          this.#leaders.add(operator);
          onChange(changes, operator);
        });
        await operator.ended;
        this.#running.delete(operator);
      }
    };
    this.#ended = Promise.all([replica(), replica()]);
    // A test that fails leaves nobody behind.
    onTestFinished(async () => {
      this.#over.abort();
      for (const { child } of this.#running) child.kill('SIGKILL');
      await this.#ended;
    });
  }

  /** How many of them led for a while, of how many that were started. */
  get led(): { readonly leaders: number; readonly starts: number } {
    return { leaders: this.#leaders.size, starts: this.#starts };
  }

  /** Lets those that live end in good order. */
  async end(): Promise<void> {
    this.#over.abort();
    for (const { child } of this.#running) {
      child.kill('SIGCONT');
      child.kill('SIGTERM');
    }
    await this.#ended;
  }
}

/** Kills a leader, or every other time pauses it for longer than it may hold the Lease. */
export function depose({ child }: OperatorProcess, time: number): void {
  if (time % 2 === 0) child.kill('SIGKILL');
  else {
    child.kill('SIGSTOP');
    void setTimeout(6_000).then(() => child.kill('SIGCONT'));
  }
}
