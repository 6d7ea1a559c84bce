/**
 * Which request is sent next. Most requests go to the pool of connections at once. Those that yield, such as writes of a status or an event, wait
 * until a connection is free: objects that pods need come before information for people.
 */
import { abortReason } from '../clock.ts';

/** A request that yields is sent after this many others have ended even if no connection is free, so that it is delayed but never blocked. */
const patience = 8;

/** The turns of one pool of connections. */
export class Turns {
  readonly #connections: number;
  readonly #waiting = new Set<() => void>();
  #underWay = 0;
  #ended = 0;

  constructor(connections: number) {
    this.#connections = connections;
  }

  /** Sends a request when it is its turn; rejects with the signal's reason when it is aborted before. */
  async take<T>(yields: boolean, send: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (yields && this.#underWay >= this.#connections) await this.#wait(signal);
    else this.#underWay += 1;
    try {
      return await send();
    } finally {
      this.#underWay -= 1;
      this.#ended += 1;
      this.#next();
    }
  }

  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined || (this.#underWay >= this.#connections && this.#ended < patience)) return;
    this.#waiting.delete(first);
    this.#ended = 0;
    this.#underWay += 1;
    first();
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const stop = (): void => {
        this.#waiting.delete(go);
        if (signal !== undefined) reject(abortReason(signal));
      };
      this.#waiting.add(go);
      if (signal?.aborted === true) stop();
      else signal?.addEventListener('abort', stop, { once: true });
    });
  }
}
