/**
 * Keys that wait for work. A key is in the queue once however often it is added, is never worked on twice at the same time, and comes back after
 * its work when it was added meanwhile. Namespaces take turns, so that a flood in one does not hold up another.
 */
import type { Clock } from '../clock.ts';
import { type MetricSink, noMetrics } from '../metric-sink.ts';
import { Backoff, type BackoffOptions } from './backoff.ts';

/** Dependencies and settings of a queue. */
interface QueueOptions {
  /** Name of the controller, as metrics show it. */
  readonly name: string;
  readonly clock: Clock;
  readonly metrics?: MetricSink;
  readonly backoff?: BackoffOptions;
}

/** A queue of keys `namespace/name`. */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #metrics: MetricSink;
  readonly #labels: Readonly<Record<'name' | 'controller', string>>;
  readonly #backoff: Backoff;
  /** Waiting keys by namespace and the moment each was added; the first namespace is next. */
  readonly #lanes = new Map<string, Map<string, number>>();
  /** Keys in work, with the moment work began and whether they were added meanwhile. */
  readonly #running = new Map<string, { readonly since: number; again: boolean }>();
  readonly #delayed = new Map<string, { readonly due: number; readonly cancel: () => void }>();
  #length = 0;
  #isClosed = false;
  #onReady: () => void = () => {};

  constructor({ name, clock, metrics = noMetrics, backoff }: QueueOptions) {
    this.#clock = clock;
    this.#metrics = metrics;
    this.#labels = { name, controller: name };
    this.#backoff = new Backoff(clock, backoff);
    metrics.count('workqueue_adds_total', this.#labels, 0);
    metrics.count('workqueue_retries_total', this.#labels, 0);
    metrics.collect('workqueue_depth', { ...this.#labels, priority: '' }, () => this.#length);
    metrics.collect('workqueue_unfinished_work_seconds', this.#labels, () => sum(this.#runningSeconds()));
    metrics.collect('workqueue_longest_running_processor_seconds', this.#labels, () => Math.max(0, ...this.#runningSeconds()));
  }

  /** Keys that wait, without those that are delayed. */
  get length(): number {
    return this.#length;
  }

  /** Queues a key. */
  add(key: string): void {
    if (this.#isClosed) return;
    const running = this.#running.get(key);
    if (running !== undefined) {
      if (!running.again) this.#metrics.count('workqueue_adds_total', this.#labels);
      running.again = true;
      return;
    }
    if (this.#enqueue(key)) {
      this.#metrics.count('workqueue_adds_total', this.#labels);
      this.#onReady();
    }
  }

  /** Queues a key after a time; if several times are given, the earliest applies. */
  addAfter(key: string, milliseconds: number): void {
    if (milliseconds <= 0) {
      this.add(key);
      return;
    }
    const due = this.#clock.now() + milliseconds;
    const waiting = this.#delayed.get(key);
    if (this.#isClosed || (waiting !== undefined && waiting.due <= due)) return;
    waiting?.cancel();
    const cancel = this.#clock.after(milliseconds, () => {
      this.#delayed.delete(key);
      this.add(key);
    });
    this.#delayed.set(key, { due, cancel });
  }

  /** Queues a key whose work failed, after a delay that grows with each retry. */
  fail(key: string): void {
    this.#backoff.fail(key);
    this.retry(key);
  }

  /** Queues a key whose work must be done again, with the delay of one that failed. */
  retry(key: string): void {
    this.#metrics.count('workqueue_retries_total', this.#labels);
    this.addAfter(key, this.#backoff.next(key));
  }

  /** Ends the back-off of a key that succeeded. */
  forget(key: string): void {
    this.#backoff.forget(key);
  }

  /** Milliseconds since the first failure of a key after its last success; 0 if it has not failed since. */
  failingMs(key: string): number {
    return this.#backoff.failingMs(key);
  }

  /** Takes the next key to work on, which must be given back by `done`; `undefined` when none waits. */
  take(): string | undefined {
    const [lane] = this.#lanes;
    if (lane === undefined) return undefined;
    const [namespace, keys] = lane;
    const [next] = keys;
    if (next === undefined) return undefined;
    const [key, addedAt] = next;
    keys.delete(key);
    this.#lanes.delete(namespace);
    if (keys.size > 0) this.#lanes.set(namespace, keys);
    this.#length -= 1;
    // The pass that starts now decides when the key is due again: times that earlier passes asked for no longer apply.
    this.#delayed.get(key)?.cancel();
    this.#delayed.delete(key);
    const now = this.#clock.now();
    this.#running.set(key, { since: now, again: false });
    this.#metrics.observe('workqueue_queue_duration_seconds', this.#labels, (now - addedAt) / 1000);
    return key;
  }

  /** Gives a key back after its work. */
  done(key: string): void {
    const running = this.#running.get(key);
    if (running === undefined) return;
    this.#running.delete(key);
    this.#metrics.observe('workqueue_work_duration_seconds', this.#labels, (this.#clock.now() - running.since) / 1000);
    if (running.again && !this.#isClosed && this.#enqueue(key)) this.#onReady();
  }

  /** Calls a function whenever a key becomes ready. */
  whenReady(onReady: () => void): void {
    this.#onReady = onReady;
  }

  /** Drops what waits and takes nothing more. */
  close(): void {
    this.#isClosed = true;
    for (const { cancel } of this.#delayed.values()) cancel();
    this.#delayed.clear();
    this.#lanes.clear();
    this.#length = 0;
  }

  #enqueue(key: string): boolean {
    const namespace = key.slice(0, key.indexOf('/') + 1);
    const lane = this.#lanes.get(namespace);
    if (lane?.has(key) === true) return false;
    if (lane === undefined) this.#lanes.set(namespace, new Map([[key, this.#clock.now()]]));
    else lane.set(key, this.#clock.now());
    this.#length += 1;
    return true;
  }

  #runningSeconds(): readonly number[] {
    const now = this.#clock.now();
    return [...this.#running.values()].map(({ since }) => (now - since) / 1000);
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
