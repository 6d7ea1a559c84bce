/**
 * The objects of one watch. It is fed by the watch and by the answers to the operator's own writes, which may arrive in any order: an object is never
 * replaced by an older version, and a deleted one does not come back.
 */
import type { KubernetesObject } from '../../api/index.ts';
import { sameButVersion } from './equal.ts';
import { type Indexing, indexedTerms, isIndexed, type Select, termsOf, termsOfObject } from './select.ts';
import { compareVersions } from './version.ts';

/** A change of one object: added without `before`, deleted without `after`. */
export interface Change {
  readonly before?: KubernetesObject;
  readonly after?: KubernetesObject;
}

/** A list that replaces what is known. */
interface Listed {
  readonly items: readonly KubernetesObject[];
  readonly resourceVersion: string;
  /** Value of the store's counter when the list was requested. */
  readonly startedAt: number;
  /** The API server's versions went back, as after a restore from a backup: the list replaces everything. */
  readonly isReset: boolean;
}

/** The most own writes that are remembered until the watch shows them; the event of a forgotten write is parsed. */
const rememberedWrites = 1000;
/**
 * The most deletions that are remembered. The watch may never report one: it did so before the answer arrived, or the object is in another watch of
 * the kind. If a deletion is forgotten too early, an old event shows the object again until its deletion event arrives.
 */
const rememberedDeletions = 1000;

/** The objects of one watch, by namespace and name and by term. */
export class Store {
  readonly #indexing: Indexing;
  readonly #onChange: (change: Change) => void;
  readonly #objects = new Map<string, KubernetesObject>();
  readonly #namespaces = new Map<string, Set<string>>();
  readonly #terms = new Map<string, Set<string>>();
  readonly #uids = new Set<string>();
  /** Versions from answers to the operator's own writes that the watch has not shown yet. */
  readonly #written = new Set<string>();
  /** Objects whose deletion is known from an answer to a write: uid by key. */
  readonly #deleted = new Map<string, { readonly uid: string; readonly at: number }>();
  #moment = 0;
  /** The version up to which the watch has shown everything. */
  #shown = '';

  constructor(indexing: Indexing, onChange: (change: Change) => void) {
    this.#indexing = indexing;
    this.#onChange = onChange;
  }

  /** Number of objects. */
  get size(): number {
    return this.#objects.size;
  }

  /** An object, never to be changed. */
  get(namespace: string, name: string): KubernetesObject | undefined {
    return this.#objects.get(`${namespace}/${name}`);
  }

  /** Whether the store has an object with that uid. */
  hasUid(uid: string): boolean {
    return this.#uids.has(uid);
  }

  /** The selected objects of a namespace (all namespaces if empty), ordered by name. */
  list(namespace: string, select?: Select): readonly KubernetesObject[] {
    const terms = select === undefined ? [] : termsOf(select);
    const [indexed] = terms.filter((term) => isIndexed(term, this.#indexing));
    const keys = indexed === undefined ? this.#keysOf(namespace) : (this.#terms.get(indexed) ?? []);
    const found: KubernetesObject[] = [];
    for (const key of [...keys].sort()) {
      const object = this.#objects.get(key);
      if (object === undefined || (namespace !== '' && object.metadata.namespace !== namespace)) continue;
      const own = terms.length > 0 ? termsOfObject(object, this.#indexing) : [];
      if (terms.every((term) => own.includes(term))) found.push(object);
    }
    return found;
  }

  /** Advances the store's counter. A list that was requested before may be older than what was stored since. */
  tick(): number {
    this.#moment += 1;
    return this.#moment;
  }

  /** Takes an object as a watch or an answer shows it. */
  put(object: KubernetesObject): void {
    const key = storeKey(object);
    const deleted = this.#deleted.get(key);
    if (deleted !== undefined) {
      if (deleted.uid === object.metadata.uid) return;
      this.#deleted.delete(key);
    }
    const current = this.#objects.get(key);
    if (current === undefined || (order(object, current) ?? 1) > 0) this.#set(key, object, current);
  }

  /** The watch has shown everything up to a version. */
  advance(resourceVersion: string): void {
    this.#shown = resourceVersion;
  }

  /** Takes an object from the answer to one of the operator's own writes. */
  putWritten(object: KubernetesObject): void {
    const { resourceVersion } = object.metadata;
    // The watch has come past this version and shows no such object: it was deleted before the answer arrived.
    const isPast = (compareVersions(resourceVersion ?? '', this.#shown) ?? 1) <= 0;
    if (isPast && !this.#objects.has(storeKey(object))) return;
    this.put(object);
    if (resourceVersion !== undefined && this.#objects.get(storeKey(object))?.metadata.resourceVersion === resourceVersion)
      this.#written.add(resourceVersion);
    const [oldest] = this.#written;
    if (this.#written.size > rememberedWrites && oldest !== undefined) this.#written.delete(oldest);
  }

  /** Whether a version comes from one of the operator's own writes, whose event can be skipped; true once per version. */
  takeWritten(resourceVersion: string): boolean {
    return this.#written.delete(resourceVersion);
  }

  /** Takes a deletion event of the watch: the object was deleted, or the selector no longer matches it. */
  remove(object: KubernetesObject): void {
    const key = storeKey(object);
    if (this.#deleted.get(key)?.uid === object.metadata.uid) this.#deleted.delete(key);
    const current = this.#objects.get(key);
    if (current !== undefined && (order(current, object) ?? 0) <= 0) this.#unset(key, current);
  }

  /** Takes a deletion from the answer to a write. Older events that arrive later do not bring the object back. */
  removeForGood(key: string, uid: string): void {
    const current = this.#objects.get(key);
    // A newer object of the same name is another object.
    if (current !== undefined && current.metadata.uid !== uid) return;
    this.#deleted.delete(key);
    this.#deleted.set(key, { uid, at: this.tick() });
    const [oldest] = this.#deleted.keys();
    if (this.#deleted.size > rememberedDeletions && oldest !== undefined) this.#deleted.delete(oldest);
    if (current !== undefined) this.#unset(key, current);
  }

  /** Replaces all objects by a list, except those stored since the list was requested. */
  replace({ items, resourceVersion, startedAt, isReset }: Listed): void {
    // After a restore from a backup others may write the same versions.
    this.#written.clear();
    for (const [key, { at }] of this.#deleted) if (isReset || at <= startedAt) this.#deleted.delete(key);
    const isKept = ({ metadata }: KubernetesObject): boolean =>
      !isReset && (compareVersions(metadata.resourceVersion ?? '', resourceVersion) ?? 0) > 0;
    const listed = new Set<string>();
    for (const item of items) {
      const key = storeKey(item);
      listed.add(key);
      const current = this.#objects.get(key);
      // What is not younger than the list is in it as it is. One that is older there has gone back, as after a restore from a backup.
      if (current !== undefined && !isKept(current)) this.#set(key, item, current);
      else this.put(item);
    }
    for (const [key, object] of this.#objects) if (!listed.has(key) && !isKept(object)) this.#unset(key, object);
  }

  /** Forgets all objects, as when their kind is no longer served. */
  clear(): void {
    this.#shown = '';
    this.#deleted.clear();
    this.#written.clear();
    for (const [key, object] of this.#objects) this.#unset(key, object);
  }

  #keysOf(namespace: string): Iterable<string> {
    return namespace === '' ? this.#objects.keys() : (this.#namespaces.get(namespace) ?? []);
  }

  #set(key: string, object: KubernetesObject, current: KubernetesObject | undefined): void {
    this.#objects.set(key, object);
    if (current !== undefined && sameButVersion(current, object)) return;
    if (current !== undefined) this.#unindex(key, current);
    for (const term of indexedTerms(object, this.#indexing)) add(this.#terms, term, key);
    add(this.#namespaces, object.metadata.namespace ?? '', key);
    this.#uids.add(object.metadata.uid ?? '');
    this.#onChange({ ...(current === undefined ? {} : { before: current }), after: object });
  }

  #unset(key: string, current: KubernetesObject): void {
    this.#objects.delete(key);
    this.#unindex(key, current);
    this.#onChange({ before: current });
  }

  #unindex(key: string, object: KubernetesObject): void {
    for (const term of indexedTerms(object, this.#indexing)) drop(this.#terms, term, key);
    drop(this.#namespaces, object.metadata.namespace ?? '', key);
    this.#uids.delete(object.metadata.uid ?? '');
  }
}

/** The key of an object among those of its watch. */
export function storeKey({ metadata }: KubernetesObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

function order(a: KubernetesObject, b: KubernetesObject): number | undefined {
  return compareVersions(a.metadata.resourceVersion ?? '', b.metadata.resourceVersion ?? '');
}

function add(index: Map<string, Set<string>>, value: string, key: string): void {
  const keys = index.get(value);
  if (keys === undefined) index.set(value, new Set([key]));
  else keys.add(key);
}

function drop(index: Map<string, Set<string>>, value: string, key: string): void {
  const keys = index.get(value);
  keys?.delete(key);
  if (keys?.size === 0) index.delete(value);
}
