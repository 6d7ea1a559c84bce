/**
 * The operator's view of the cluster: the objects of the kinds it watches, reduced to what decisions read, indexed, and never changed in place. Kinds
 * that may be installed later are watched while the API server serves them, and some objects only while another one needs the watch.
 */
import type { KubernetesObject } from '../../api/index.ts';
import type { ApiClient } from '../api/client.ts';
import { Discovery, type ServedApis } from '../api/discovery.ts';
import { ApiError } from '../api/errors.ts';
import { isFinished, type ObjectKey, type ObjectKind } from '../api/object.ts';
import { abortReason, type Clock, sleep } from '../clock.ts';
import { type Logger, noLog } from '../logger.ts';
import { type MetricSink, noMetrics } from '../metric-sink.ts';
import { BelievedApis } from './believed-apis.ts';
import { freeze } from './freeze.ts';
import { NeedingObjects } from './need.ts';
import { metadataOnly, wholeObject } from './projection.ts';
import { Reflector } from './reflector.ts';
import { answers, checkSelectors, isSelected } from './coverage.ts';
import type { Select } from './select.ts';
import { type Change, Store, storeKey } from './store.ts';
import { compareVersions } from './version.ts';
import { watchName, type WatchedKind } from './watched-kind.ts';

/** Dependencies and settings of a cache. */
interface CacheOptions {
  readonly client: ApiClient;
  readonly metrics?: MetricSink;
  readonly log?: Logger;
  /** Freeze cached objects, so that changing one is an error; for tests. */
  readonly freeze?: boolean;
}

/** A change of an object, with the watch it came from. */
export interface CacheChange extends Change {
  readonly watched: WatchedKind;
}

/** An answer from the cache. `isCertain` is false where the watch's selector may hide an object. */
interface Found<T> {
  readonly value: T;
  readonly isCertain: boolean;
}

interface Watch {
  readonly watched: WatchedKind;
  readonly store: Store;
  /** The objects that need it; `undefined` where it runs without. */
  readonly needing: NeedingObjects | undefined;
  reflector: Reflector | undefined;
  stop: AbortController | undefined;
}

const discoveryMs = 60_000;
/** How long a watch may be down, as while the API server restarts, before the operator counts as not ready. */
const toleranceMs = 60_000;

/** The cache of one process. */
export class Cache {
  readonly #client: ApiClient;
  readonly #clock: Clock;
  readonly #options: CacheOptions;
  readonly #discovery: Discovery;
  readonly #watches = new Map<string, Watch[]>();
  /** The watches that run only while an object needs them. */
  readonly #needed: Watch[] = [];
  readonly #listeners = new Set<(change: CacheChange) => void>();
  readonly #apisListeners = new Set<(apis: ServedApis) => void>();
  readonly #running = new Set<Promise<void>>();
  readonly #waiting = new Set<() => void>();
  readonly #apis = new BelievedApis();
  /** The APIs last reported to listeners. */
  #told: ServedApis | undefined;
  #signal: AbortSignal | undefined;

  constructor(options: CacheOptions) {
    this.#options = options;
    this.#client = options.client;
    this.#clock = options.client.transport.clock;
    this.#discovery = new Discovery(options.client.transport);
  }

  /** Adds kinds to watch; they are watched once the cache runs. */
  watch(...kinds: readonly WatchedKind[]): void {
    for (const watched of kinds) {
      checkSelectors(watched);
      const store = new Store(watched, (change) => this.#tell({ ...change, watched }));
      const needing = watched.neededBy && new NeedingObjects(watched.neededBy);
      const watch: Watch = { watched, store, needing, reflector: undefined, stop: undefined };
      const id = idOf(watched);
      this.#watches.set(id, [...(this.#watches.get(id) ?? []), watch]);
      if (needing !== undefined) this.#needed.push(watch);
      this.#adjust(watch);
    }
  }

  /** Calls a function for every change, in the order the cache sees them. The returned function removes it. */
  onChange(listener: (change: CacheChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls a function whenever the API server serves other APIs than before, and their objects have been listed. */
  onApis(listener: (apis: ServedApis) => void): () => void {
    this.#apisListeners.add(listener);
    return () => this.#apisListeners.delete(listener);
  }

  /** The APIs that are served, as last reported to `onApis`; `undefined` before the first answer. */
  get apis(): ServedApis | undefined {
    return this.#told;
  }

  /** Runs until the signal is aborted, then until all watches have ended. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    for (const watch of this.#all()) this.#adjust(watch);
    while (!signal.aborted) {
      const wait = await this.#askApis(signal);
      await sleep(this.#clock, wait * (0.9 + 0.2 * this.#client.transport.random()), signal).catch(() => undefined);
    }
    for (const { stop } of this.#all()) stop?.abort(new Error('the cache stops'));
    await Promise.all(this.#running);
  }

  /** Resolves when all kinds that are served have been listed; rejects when the signal is aborted first. */
  synced(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        if (!this.isSynced && !signal.aborted) return;
        this.#waiting.delete(check);
        signal.removeEventListener('abort', check);
        if (signal.aborted) reject(abortReason(signal));
        else resolve();
      };
      this.#waiting.add(check);
      signal.addEventListener('abort', check);
      check();
    });
  }

  /** Whether it is known which kinds are served, and all of them have been listed. */
  get isSynced(): boolean {
    return this.#apis.current !== undefined && this.#expected().every(({ isSynced }) => isSynced);
  }

  /** Reasons why the cache is not ready, one line each. */
  problems(): readonly string[] {
    if (this.#apis.current === undefined) return ['the API server has not said yet which APIs it serves'];
    return this.#expected().flatMap((reflector) => reflector.problem(toleranceMs) ?? []);
  }

  /** An object; `undefined` when no watch could know it. */
  get(key: ObjectKey): Found<KubernetesObject | undefined> | undefined {
    const { namespace = '', name } = key;
    let best: Found<KubernetesObject | undefined> | undefined;
    for (const { watched, store, reflector } of this.#watches.get(idOf(key)) ?? []) {
      const coverage = answers(watched, { namespace, name });
      if (coverage === 'no') continue;
      // Before the kind is listed, the store already holds the answers to the operator's own writes.
      const value = store.get(namespace, name);
      if (value !== undefined) best = { value: newerOf(best?.value, value), isCertain: true };
      else if (reflector?.isSynced === true && best?.isCertain !== true) best = { value, isCertain: coverage === 'yes' };
    }
    return best;
  }

  /** The objects of a namespace, or of all namespaces if it is empty, that a selection matches; `undefined` if no watch covers them. */
  list(kind: ObjectKind, namespace: string, select?: Select): Found<readonly KubernetesObject[]> | undefined {
    const asked = (this.#watches.get(idOf(kind)) ?? []).map(({ watched, store, reflector }) => ({
      store,
      coverage: answers(watched, { namespace, select }),
      isSynced: reflector?.isSynced === true,
    }));
    for (const coverage of ['yes', 'together', 'if found'] as const) {
      const able = asked.filter((one) => one.coverage === coverage);
      const synced = able.find(({ isSynced }) => isSynced);
      if (synced === undefined) continue;
      if (coverage !== 'together') return { value: synced.store.list(namespace, select), isCertain: coverage === 'yes' };
      // A kind that is not listed yet has the answers to the operator's own writes, as in `get`.
      return { value: newestOf(able.map(({ store }) => store.list(namespace, select))), isCertain: true };
    }
    return undefined;
  }

  /** Number of cached objects of each watch. */
  sizes(): ReadonlyMap<string, number> {
    return new Map(this.#all().map(({ watched, store }) => [watchName(watched), store.size]));
  }

  /** Takes the answer to a write, as if the watch had shown it. */
  record(object: KubernetesObject): void {
    for (const watch of this.#watches.get(idOf(object)) ?? []) {
      if (watch.reflector === undefined) continue;
      if (isFinished(object)) watch.store.removeForGood(storeKey(object), object.metadata.uid ?? '');
      else if (isSelected(watch.watched, object)) watch.store.putWritten(this.#project(watch.watched)(object));
      else watch.store.remove(object);
    }
  }

  /** Takes the answer to a delete, or to a write to an object that does not exist: the object with that uid is removed. */
  recordDeleted(key: ObjectKey, uid: string): void {
    const { namespace = '', name } = key;
    for (const { store, reflector } of this.#watches.get(idOf(key)) ?? [])
      if (reflector !== undefined) store.removeForGood(`${namespace}/${name}`, uid);
  }

  // Asks which APIs are served; returns how long to wait before the next time.
  async #askApis(signal: AbortSignal): Promise<number> {
    const { log = noLog } = this.#options;
    try {
      if (this.#apis.current === undefined) await this.#serverReady(signal);
      const answer = await this.#discovery.ask(signal);
      const optional = this.#all().flatMap(({ watched }) => (watched.optional === true ? [watched] : []));
      if (!this.#apis.take(answer, optional)) return discoveryMs;
      for (const watch of this.#all()) this.#adjust(watch);
      this.#settle();
      return discoveryMs;
    } catch (error) {
      if (this.#apis.current !== undefined || signal.aborted) return discoveryMs;
      log.error('Served APIs could not be read', error);
      return 5000;
    }
  }

  // The first answer decides on orchestrators, so it must not come from a server that has not loaded its custom resources yet.
  async #serverReady(signal: AbortSignal): Promise<void> {
    try {
      await this.#client.transport.request({ method: 'GET', path: '/readyz' }, signal);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
    }
  }

  #settle(): void {
    this.#tellApis();
    for (const check of this.#waiting) check();
  }

  // An API that appears later is reported once its objects are listed: decisions must not read a kind that no watch covers yet.
  #tellApis(): void {
    const { current } = this.#apis;
    if (current === undefined || current === this.#told || (this.#told !== undefined && !this.isSynced)) return;
    this.#told = current;
    for (const listener of this.#apisListeners) listener(current);
  }

  // Starts a watch that should run and stops one that should not.
  #adjust(watch: Watch): void {
    if (this.#signal === undefined || this.#signal.aborted) return;
    const { watched, store } = watch;
    const isServed = watched.optional !== true || this.#apis.current?.serves(watched) === true;
    // A watch runs until the objects that it shows are gone or are shown by another watch.
    const isNeeded = watch.needing?.isEmpty !== true || store.size > 0;
    const isWanted = isServed && isNeeded;
    if (isWanted === (watch.reflector !== undefined)) return;
    if (!isWanted) {
      watch.stop?.abort(new Error('the watch is no longer wanted'));
      watch.reflector = undefined;
      store.clear();
      return;
    }
    const { metrics = noMetrics, log = noLog } = this.#options;
    const stop = new AbortController();
    const onState = (): void => this.#settle();
    const project = this.#project(watched);
    // A new watch must not make a ready operator unready: an unready pod receives no webhook calls.
    const maySyncLater = watch.needing !== undefined && this.isSynced;
    const reflector = new Reflector({ client: this.#client, watched, project, store, metrics, log, onState, maySyncLater });
    watch.reflector = reflector;
    watch.stop = stop;
    const running = reflector.run(stop.signal).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  #project(watched: WatchedKind): (object: KubernetesObject) => KubernetesObject {
    const project = watched.project ?? (watched.selection?.metadataOnly === true ? metadataOnly : wholeObject);
    return this.#options.freeze === true ? (object) => freeze(project(object)) : project;
  }

  #tell(change: CacheChange): void {
    for (const listener of this.#listeners) listener(change);
    for (const watch of this.#needed) {
      const wasRunning = watch.reflector !== undefined;
      watch.needing?.take(change.watched, change);
      this.#adjust(watch);
      // Nobody has to wait any longer for the list of a watch that has stopped.
      if (wasRunning && watch.reflector === undefined) this.#settle();
    }
  }

  // An optional kind that the server does not serve is not waited for.
  #expected(): readonly Reflector[] {
    return this.#all().flatMap(({ watched, reflector }) =>
      reflector === undefined || (watched.optional === true && reflector.isUnserved) ? [] : [reflector],
    );
  }

  #all(): readonly Watch[] {
    return [...this.#watches.values()].flat();
  }
}

function idOf({ apiVersion, kind }: ObjectKind): string {
  return `${apiVersion}/${kind}`;
}

/**
 * The objects of several lists, ordered by name. If several lists contain an object, as just after a change of its labels, the newest version is
 * used.
 */
function newestOf(lists: readonly (readonly KubernetesObject[])[]): readonly KubernetesObject[] {
  const newest = new Map<string, KubernetesObject>();
  for (const object of lists.flat()) newest.set(storeKey(object), newerOf(newest.get(storeKey(object)), object));
  return [...newest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
}

function newerOf(one: KubernetesObject | undefined, other: KubernetesObject): KubernetesObject {
  const isNewer = (compareVersions(other.metadata.resourceVersion ?? '', one?.metadata.resourceVersion ?? '') ?? 0) > 0;
  return one === undefined || isNewer ? other : one;
}
