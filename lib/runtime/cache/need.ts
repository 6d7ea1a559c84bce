/** Whether the cache holds an object for which another watch has to run. */
import type { KubernetesObject } from '../../api/index.ts';
import type { ObjectKind } from '../api/object.ts';
import type { Change } from './store.ts';

/** The objects of one kind that need a watch of another. */
export interface Need extends ObjectKind {
  readonly needs: (object: KubernetesObject) => boolean;
}

/** The cached objects that need a watch. */
export class NeedingObjects {
  readonly #need: Need;
  readonly #keys = new Set<string>();

  constructor(need: Need) {
    this.#need = need;
  }

  /** Whether there are none. */
  get isEmpty(): boolean {
    return this.#keys.size === 0;
  }

  /** Takes a change of an object of any kind. */
  take(kind: ObjectKind, { before, after }: Change): void {
    const object = after ?? before;
    if (object === undefined || kind.kind !== this.#need.kind || kind.apiVersion !== this.#need.apiVersion) return;
    const key = `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
    if (after !== undefined && this.#need.needs(after)) this.#keys.add(key);
    else this.#keys.delete(key);
  }
}
