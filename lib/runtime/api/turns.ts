/**
 * Which request is sent next. Most requests go to the pool of connections at once. Those that yield, such as writes of a status or an event, wait
 * until a connection is free: objects that pods need come before information for people.
 */
import { abortReason } from '../clock.ts';
import { onAbort } from '../on-abort.ts';

/**
 * After this many other requests, those that yield take turns with them even if no connection is free, so that many requests only delay them. With
 * 400 requests a second this is five seconds.
 */
const requestsAhead = 2000;

/** The turns of one pool of connections. */
export class Turns {
  readonly #connections: number;
  readonly #waiting = new Set<() => void>();
  readonly #requestsAhead: number;
  #underWay = 0;
  /** Requests that ended since one that yields began to wait. */
  #ended = 0;

  constructor(connections: number, most = requestsAhead) {
    this.#connections = connections;
    this.#requestsAhead = most;
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
    if (first === undefined) this.#ended = 0;
    if (first === undefined || (this.#underWay >= this.#connections && this.#ended < this.#requestsAhead)) return;
    this.#waiting.delete(first);
    this.#underWay += 1;
    first();
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(abortReason(signal));
        return;
      }
      const go = (): void => {
        stopListening?.();
        resolve();
      };
      this.#waiting.add(go);
      const stopListening =
        signal &&
        onAbort(signal, () => {
          this.#waiting.delete(go);
          reject(abortReason(signal));
        });
    });
  }
}
