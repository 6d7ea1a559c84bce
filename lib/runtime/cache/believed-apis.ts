import type { ServedApis } from '../api/discovery.ts';
import type { ObjectKind } from '../api/object.ts';

/** Successive answers without an API after which it counts as removed. */
const answersToLose = 3;

/**
 * The APIs that count as served. A new API counts at once. A missing one counts as removed only after several answers, since an API server that has
 * just started does not serve custom resources for a moment, and graphs must not change their orchestrator for that.
 */
export class BelievedApis {
  #apis: ServedApis | undefined;
  #misses = 0;

  /** The APIs that count as served; `undefined` before the first answer. */
  get current(): ServedApis | undefined {
    return this.#apis;
  }

  /** Takes an answer of the API server; returns whether it changed the APIs that count as served. */
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
    if (isMissing && this.#misses < answersToLose) {
      const isMore =
        [...answer.groups].some((group) => !believed.groups.has(group)) ||
        kinds.some((kind) => answer.serves(kind) && !believed.serves(kind));
      if (isMore) this.#apis = together(believed, answer);
      return isMore;
    }
    this.#apis = answer;
    this.#misses = 0;
    return true;
  }
}

function together(one: ServedApis, other: ServedApis): ServedApis {
  return { groups: new Set([...one.groups, ...other.groups]), serves: (kind) => one.serves(kind) || other.serves(kind) };
}
