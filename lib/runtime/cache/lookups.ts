/**
 * Look-ups that are remembered. Whoever looks something up for a decision is queued again when the answer may have changed: an object appeared,
 * changed or was removed. What no watch covers is read from the API server. It is read again every minute while a user that is not settled depends on
 * it, and by a pass that finds an answer older than a minute.
 */
import type { KubernetesObject } from '../../api/index.ts';
import { isEqual } from '../../json/index.ts';
import type { ApiClient } from '../api/client.ts';
import { isFinished, keyOf, type ObjectKey, type ObjectKind } from '../api/object.ts';
import { type Clock, sleep } from '../clock.ts';
import { type Logger, noLog } from '../logger.ts';
import type { Cache, CacheChange } from './cache.ts';
import { sameButVersion } from './equal.ts';
import { type Projection, wholeObject } from './projection.ts';
import { type Indexing, type Select, termsOf, termsOfObject } from './select.ts';

/** Dependencies and settings of `Lookups`. */
interface LookupsOptions {
  readonly cache: Cache;
  readonly client: ApiClient;
  /** Queues a user whose look-ups may have a different answer, since an object has changed to this version. */
  readonly requeue: (user: string, version?: string) => void;
  /**
   * The part to keep of objects that are read from the API server, by kind.
   * @default - all but managed fields
   */
  readonly project?: (kind: ObjectKind) => Projection;
  /**
   * The kind of the users, if they are objects, named `namespace/name`: a change of the user itself does not queue it here.
   * @default - users are no objects
   */
  readonly users?: ObjectKind;
  readonly log?: Logger;
}

/** How long an answer of the API server is good for. */
const pollMs = 60_000;

interface LiveAnswer {
  readonly key: ObjectKey;
  readonly object: KubernetesObject | undefined;
  /** When it was given. */
  readonly at: number;
}

/** Remembers which users depend on which look-ups. */
export class Lookups {
  readonly #options: LookupsOptions;
  readonly #clock: Clock;
  /** Users by dependency: `kind/ns/name` or `kind/ns/term`. */
  readonly #users = new Map<string, Set<string>>();
  /** Kinds that were looked up; changes of other kinds are ignored. */
  readonly #kinds = new Set<string>();
  readonly #dependencies = new Map<string, Set<string>>();
  readonly #live = new Map<string, LiveAnswer>();
  readonly #settled = new Set<string>();

  constructor(options: LookupsOptions) {
    this.#options = options;
    this.#clock = options.client.transport.clock;
    options.cache.onChange((change) => this.#changed(change));
  }

  /** Begins a pass of a user. */
  begin(user: string): LookupPass {
    const before = this.#dependencies.get(user) ?? new Set<string>();
    const used = new Set<string>();
    // A look-up is registered at once, so that a change during the pass is not lost.
    const depend = (dependency: string): void => {
      used.add(dependency);
      this.#add(user, dependency);
    };
    return {
      get: (key) => this.#get(key, depend),
      list: (kind, namespace, select) => this.#list(kind, namespace, select, depend),
      ask: (key, signal) => this.#ask(key, user, depend, signal),
      reread: (key, signal) => this.#reread(key, user, depend, signal),
      end: (isSettled) => {
        for (const dependency of before) if (!used.has(dependency)) this.#drop(user, dependency);
        this.#dependencies.set(user, used);
        if (isSettled) this.#settled.add(user);
        else this.#settled.delete(user);
      },
    };
  }

  /** Takes the answer to a write of a user: it is newer than what the API server answered before. */
  record(object: KubernetesObject, user: string): void {
    const key = keyOf(object);
    if (isFinished(object)) this.recordDeleted(key, user);
    else if (this.#live.has(objectDependency(key))) this.#keep(key, this.#project(key, object), user);
  }

  /** Takes the answer to a delete of a user. */
  recordDeleted(key: ObjectKey, user: string): void {
    const dependency = objectDependency(key);
    const before = this.#live.get(dependency);
    this.#live.delete(dependency);
    if (before?.object !== undefined) this.#requeueOthers(dependency, user);
  }

  /** Forgets a user that no longer exists. */
  forget(user: string): void {
    for (const dependency of this.#dependencies.get(user) ?? []) this.#drop(user, dependency);
    this.#dependencies.delete(user);
    this.#settled.delete(user);
  }

  /** Asks again every minute what no watch covers, until the signal is aborted. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(this.#clock, pollMs, signal).catch(() => undefined);
      for (const [dependency, answer] of this.#live) {
        const isAwaited = [...(this.#users.get(dependency) ?? [])].some((user) => !this.#settled.has(user));
        if (isAwaited && !signal.aborted) await this.#poll(dependency, answer, signal);
      }
    }
  }

  #get(key: ObjectKey, depend: (dependency: string) => void): KubernetesObject | null | undefined {
    const dependency = objectDependency(key);
    this.#kinds.add(key.kind);
    depend(dependency);
    const found = this.#options.cache.get(key);
    if (found?.value !== undefined) {
      this.#live.delete(dependency);
      return found.value;
    }
    const live = this.#live.get(dependency);
    if (live === undefined) return found === undefined ? undefined : null;
    return this.#clock.now() - live.at < pollMs ? (live.object ?? null) : undefined;
  }

  #list(
    kind: ObjectKind,
    namespace: string,
    select: Select,
    depend: (dependency: string) => void,
  ): readonly KubernetesObject[] | undefined {
    const [term = ''] = termsOf(select);
    this.#kinds.add(kind.kind);
    depend(termDependency(kind, namespace, term));
    return this.#options.cache.list(kind, namespace, select)?.value;
  }

  async #ask(
    key: ObjectKey,
    user: string,
    depend: (dependency: string) => void,
    signal?: AbortSignal,
  ): Promise<KubernetesObject | null> {
    const dependency = objectDependency(key);
    this.#kinds.add(key.kind);
    depend(dependency);
    const before = this.#live.get(dependency);
    const object = this.#project(key, await this.#options.client.find(key, signal));
    // The answer to a write that came meanwhile is newer.
    if (this.#live.get(dependency) === before) this.#keep(key, object, user);
    return object ?? null;
  }

  async #reread(
    key: ObjectKey,
    user: string,
    depend: (dependency: string) => void,
    signal?: AbortSignal,
  ): Promise<KubernetesObject | null> {
    const object = await this.#options.client.find(key, signal);
    this.#kinds.add(key.kind);
    depend(objectDependency(key));
    // Nothing is left to ask for every minute: a watch shows the object when it appears, or the next pass asks again.
    if (object === undefined) this.recordDeleted(key, user);
    else this.#keep(key, this.#project(key, object), user);
    return object ?? null;
  }

  /** Keeps an answer given to a user. If it differs from the previous answer, the other users of the look-up are queued again. */
  #keep(key: ObjectKey, object: KubernetesObject | undefined, user?: string): void {
    const dependency = objectDependency(key);
    const before = this.#live.get(dependency);
    this.#live.set(dependency, { key, object, at: this.#clock.now() });
    if (before !== undefined && !isSameAnswer(before.object, object))
      this.#requeueOthers(dependency, user, object?.metadata.resourceVersion);
  }

  #requeueOthers(dependency: string, user: string | undefined, version?: string): void {
    for (const other of this.#users.get(dependency) ?? []) if (other !== user) this.#options.requeue(other, version);
  }

  async #poll(dependency: string, answer: LiveAnswer, signal: AbortSignal): Promise<void> {
    try {
      const object = this.#project(answer.key, await this.#options.client.find(answer.key, signal));
      // The answer to a write that came meanwhile is newer.
      if (this.#live.get(dependency) === answer) this.#keep(answer.key, object);
    } catch (error) {
      if (!signal.aborted) (this.#options.log ?? noLog).error('Object could not be read', error, { ...answer.key });
    }
  }

  #project(key: ObjectKey, object: KubernetesObject | undefined): KubernetesObject | undefined {
    return object && (this.#options.project?.(key) ?? wholeObject)(object);
  }

  #changed({ before, after, watched }: CacheChange): void {
    if (!this.#kinds.has(watched.kind)) return;
    const affected = new Set<string>();
    const affect = (dependency: string): void => {
      for (const user of this.#users.get(dependency) ?? []) affected.add(user);
    };
    for (const object of isFoundAlike(before, after, watched) ? [after] : [before, after]) {
      if (object === undefined) continue;
      const { namespace = '', name } = object.metadata;
      const dependency = objectDependency({ ...watched, namespace, name });
      // Once a watch has the object, it also reports its removal. The earlier answer of the API server would hide that.
      this.#live.delete(dependency);
      affect(dependency);
      for (const term of termsOfObject(object, watched)) affect(termDependency(watched, namespace, term));
    }
    const { users } = this.#options;
    const changed = after ?? before;
    if (users?.kind === watched.kind && users.apiVersion === watched.apiVersion && changed !== undefined)
      affected.delete(`${changed.metadata.namespace ?? ''}/${changed.metadata.name}`);
    for (const user of affected) this.#options.requeue(user, after?.metadata.resourceVersion);
  }

  #add(user: string, dependency: string): void {
    const users = this.#users.get(dependency);
    if (users === undefined) this.#users.set(dependency, new Set([user]));
    else users.add(user);
    const own = this.#dependencies.get(user);
    if (own === undefined) this.#dependencies.set(user, new Set([dependency]));
    else own.add(dependency);
  }

  #drop(user: string, dependency: string): void {
    const users = this.#users.get(dependency);
    users?.delete(user);
    if (users?.size !== 0) return;
    this.#users.delete(dependency);
    this.#live.delete(dependency);
  }
}

function isSameAnswer(one: KubernetesObject | undefined, other: KubernetesObject | undefined): boolean {
  return one === undefined || other === undefined ? one === other : sameButVersion(one, other);
}

/** The look-ups of one pass. */
export interface LookupPass {
  /** An object, or null when it does not exist; `undefined` when neither a watch nor an answer of the last minute has it: call `ask` then. */
  readonly get: (key: ObjectKey) => KubernetesObject | null | undefined;
  /** The objects of a namespace that a selection matches; `undefined` if no watch covers them. */
  readonly list: (kind: ObjectKind, namespace: string, select: Select) => readonly KubernetesObject[] | undefined;
  /** Asks the API server and remembers the answer, also for an object that a watch's selector hides. */
  readonly ask: (key: ObjectKey, signal?: AbortSignal) => Promise<KubernetesObject | null>;
  /**
   * Asks the API server after a write showed that the cache is outdated. Only an object that is there is remembered. It is returned as it was
   * answered, for the cache, which keeps the part of it that its watch keeps.
   */
  readonly reread: (key: ObjectKey, signal?: AbortSignal) => Promise<KubernetesObject | null>;
  /**
   * Ends a pass that came to a decision: dependencies of earlier passes that it did not look up are dropped. For a settled user the answers to
   * `ask` are not refreshed.
   */
  readonly end: (isSettled: boolean) => void;
}

/** Whether the same look-ups find both versions of an object. */
function isFoundAlike(before: KubernetesObject | undefined, after: KubernetesObject | undefined, { indexes }: Indexing): boolean {
  return (
    before !== undefined &&
    after !== undefined &&
    indexes === undefined &&
    isEqual(before.metadata.labels, after.metadata.labels) &&
    isEqual(before.metadata.ownerReferences, after.metadata.ownerReferences)
  );
}

function objectDependency({ apiVersion, kind, namespace = '', name }: ObjectKey): string {
  return `${apiVersion}/${kind}/${namespace}/${name}`;
}

function termDependency({ apiVersion, kind }: ObjectKind, namespace: string, term: string): string {
  return `${apiVersion}/${kind}/${namespace}?${term}`;
}
