import type { ServedApis } from '../api/discovery.ts';
import type { ObjectKind } from '../api/object.ts';

/** Answers in a row that must miss an API before it counts as gone. */
const answersToLose = 3;

/**
 * The APIs we believe to be served. One that appears is believed at once; one that is missing only after several answers in a row, since an API
 * server that has just started forgets custom resources for a moment, and graphs must not change their orchestrator for that.
 */
export class BelievedApis {
  #apis: ServedApis | undefined;
  #misses = 0;

  /** What is believed now; `undefined` before the first answer. */
  get current(): ServedApis | undefined {
    return this.#apis;
  }

  /** Takes an answer of the API server; returns whether that changed what is believed. */
  take(answer: ServedApis, kinds: readonly ObjectKind[]): boolean {
    const believed = this.#apis;
    if (answer === believed) {
      this.#misses = 0;
      return false;
    }
    const isMissing =
      believed !== undefined &&
      ([...believed.groups].some((group) => !answer.groups.has(group)) ||
        kinds.some((kind) => believed.serves(kind) && !answer.serves(kind)));
    this.#misses = isMissing ? this.#misses + 1 : 0;
    if (isMissing && this.#misses < answersToLose) return false;
    this.#apis = answer;
    this.#misses = 0;
    return true;
  }
}
