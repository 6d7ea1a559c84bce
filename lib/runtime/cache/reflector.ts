/**
 * Keeps a store equal to what the API server has: lists, watches from there, resumes after every break, and lists again only when the server no
 * longer has the version to resume from. A failed attempt is repeated for ever, with growing and random delays. Only after a lost version is the kind
 * listed without delay, and only the first time: the server answers, and every change since that version is unknown.
 */
import type { KubernetesObject } from '../../api/index.ts';
import { type Clock, sleep } from '../clock.ts';
import type { ApiClient } from '../api/client.ts';
import { ApiError, ConnectionError, isBadRequest, isGone, isInvalid, isNotFound } from '../api/errors.ts';
import { askedDelay } from '../api/retry.ts';
import { endsInitialEvents, watch, type WatchEvent } from '../api/watch.ts';
import type { Logger } from '../logger.ts';
import type { MetricSink } from '../metric-sink.ts';
import { isAddition, isForeignEvent } from './foreign-event.ts';
import { isOwnEcho } from './own-echo.ts';
import type { Projection } from './projection.ts';
import { type Store, storeKey } from './store.ts';
import { compareVersions } from './version.ts';
import { watchName, type WatchedKind } from './watched-kind.ts';

/** Dependencies of a reflector. */
interface ReflectorOptions {
  readonly client: ApiClient;
  readonly watched: WatchedKind;
  readonly project: Projection;
  readonly store: Store;
  readonly metrics: MetricSink;
  readonly log: Logger;
  /** Called when the store has been filled for the first time, and when the watch breaks. */
  readonly onState: () => void;
  /** Whether the first list may take as long as a break before the watch counts as not ready. */
  readonly maySyncLater?: boolean;
}

const minWaitMs = 800;
const maxWaitMs = 30_000;
/** Many watches often lose their version at the same moment: their lists are spread over this time. */
const relistWithinMs = 400;
/** A stream that lasted this long was healthy: after the next break the wait is short again. */
const healthyMs = 10_000;
/** Bookmarks come every minute. */
const bookmarkIdleMs = 100_000;
/** The longest time without an event allowed where the server sends no bookmarks: more than a watch lasts. */
const longestIdleMs = 1_300_000;
/** A server without streaming lists ignores `sendInitialEvents` and never sends the bookmark that ends the list. */
const listIdleMs = 10_000;

/** The watch of one kind. */
export class Reflector {
  /** Name of the watch in metrics, logs and readiness. */
  readonly name: string;
  readonly #options: ReflectorOptions;
  readonly #clock: Clock;
  readonly #marker: Buffer | undefined;
  /** Version to resume from; empty when a list is due. */
  #version = '';
  #newestVersion = '';
  /** Since when a first list is awaited. */
  readonly #unlistedSince: number;
  #isSynced = false;
  #streamsLists = true;
  #idleMs = bookmarkIdleMs;
  #failures = 0;
  /** When the server accepted the watch; `undefined` until it does. */
  #openedAt: number | undefined;
  /** Whether a lost version has led to a list at once, and no stream has been healthy since. */
  #hasRelisted = false;
  #broken: { readonly since: number; readonly message: string; readonly isUnserved: boolean } | undefined;
  #told = '';
  /** Whether it was told to stop. It then changes nothing, even if data has already arrived. */
  #isStopped = false;

  constructor(options: ReflectorOptions) {
    this.#options = options;
    this.#clock = options.client.transport.clock;
    this.name = watchName(options.watched);
    this.#marker = options.watched.marker === undefined ? undefined : Buffer.from(options.watched.marker);
    this.#unlistedSince = options.maySyncLater === true ? this.#clock.now() : -Infinity;
    this.#show(0);
  }

  /** Whether the store has been filled once. */
  get isSynced(): boolean {
    return this.#isSynced;
  }

  /** Whether the server said last that there is no such kind. */
  get isUnserved(): boolean {
    return this.#broken?.isUnserved === true;
  }

  /** Why the watch is not ready: not listed yet, or broken for at least `toleranceMs`; `undefined` if it is ready. */
  problem(toleranceMs: number): string | undefined {
    const since = this.#isSynced ? this.#broken?.since : this.#unlistedSince;
    if (since === undefined || this.#clock.now() - since < toleranceMs) return undefined;
    return `${this.name}: ${this.#broken?.message ?? 'not listed yet'}`;
  }

  /** Runs until the signal is aborted. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#stop(), { once: true });
    while (!signal.aborted) {
      this.#openedAt = undefined;
      const error = await this.#listAndWatch(signal).then(
        () => undefined,
        (cause: unknown) => cause ?? new Error('unknown'),
      );
      const lived = this.#openedAt === undefined ? 0 : this.#clock.now() - this.#openedAt;
      if (lived >= healthyMs && this.#isSynced) this.#healthy();
      if (signal.aborted) break;
      if (error !== undefined) await this.#recover(error, signal);
      else if (lived < healthyMs) await this.#recover(new Error('the server ended the watch at once'), signal);
    }
  }

  async #listAndWatch(signal: AbortSignal): Promise<void> {
    if (this.#version === '' && this.#streamsLists) {
      await this.#streamList(signal);
      return;
    }
    if (this.#version === '') await this.#pageList(signal);
    await this.#stream({ resourceVersion: this.#version }, signal, (event) => this.#take(event));
  }

  async #pageList(signal: AbortSignal): Promise<void> {
    const { client, watched, project, store } = this.#options;
    const startedAt = store.tick();
    const kept = (object: KubernetesObject): KubernetesObject | undefined => (this.#isKept(object) ? project(object) : undefined);
    const { items, resourceVersion } = await client.list(watched, watched.selection ?? {}, kept, signal);
    const objects = items.filter((item) => item !== undefined);
    this.#replace(objects, resourceVersion, startedAt);
  }

  // One watch that begins with all objects: neither side ever holds the whole list as text. What changes before the list ends may be shown before
  // its end, as changes of objects that were shown already (kubernetes/kubernetes#134846).
  async #streamList(signal: AbortSignal): Promise<void> {
    const { project, store } = this.#options;
    const startedAt = store.tick();
    let items: Map<string, KubernetesObject> | undefined = new Map();
    try {
      await this.#stream({ resourceVersion: '', initialEvents: true, isListing: () => items !== undefined }, signal, (event) => {
        if (items === undefined) this.#take(event);
        else if (endsInitialEvents(event)) {
          this.#replace([...items.values()], event.object.metadata.resourceVersion ?? '', startedAt);
          items = undefined;
        } else if (event.type === 'BOOKMARK') return;
        else if (event.type !== 'DELETED' && this.#isKept(event.object)) items.set(storeKey(event.object), project(event.object));
        else items.delete(storeKey(event.object));
      });
      if (items !== undefined) this.#streamsLists = false;
    } catch (error) {
      if (items !== undefined && refusesStreaming(error)) this.#streamsLists = false;
      throw error;
    }
  }

  async #stream(
    from: { readonly resourceVersion: string; readonly initialEvents?: boolean; readonly isListing?: () => boolean },
    signal: AbortSignal,
    onEvent: (event: WatchEvent) => void,
  ): Promise<void> {
    const { client, watched } = this.#options;
    const { isListing = () => false, ...start } = from;
    // Random, so that watches that began together do not end together.
    const timeoutSeconds = Math.round(600 * (1 + client.transport.random()));
    const idleMs = (): number => (isListing() ? listIdleMs : this.#idleMs);
    let hasBookmarks = false;
    const listener = {
      onOpen: () => {
        this.#openedAt = this.#clock.now();
        if (this.#isSynced) this.#established();
      },
      // The store does not know yet what the list has shown, so changes of it are parsed.
      skips: (event: Buffer) =>
        isListing() ? isAddition(event) && this.#skips(event) : this.#skips(event) || this.#isEcho(event),
      onEvent: (event: WatchEvent) => {
        if (event.type === 'BOOKMARK' && !endsInitialEvents(event)) {
          hasBookmarks = true;
          this.#idleMs = bookmarkIdleMs;
        }
        onEvent(event);
      },
    };
    try {
      await watch(client, watched, watched.selection ?? {}, { ...start, timeoutSeconds, idleMs }, listener, signal);
    } catch (error) {
      // A server without bookmarks sends nothing while nothing happens: allow a longer time each time, up to the length of a watch.
      if (isTimeout(error) && !isListing() && !hasBookmarks) this.#idleMs = Math.min(this.#idleMs * 2, longestIdleMs);
      throw error;
    }
  }

  #take({ type, object }: WatchEvent): void {
    const { store, project } = this.#options;
    if (this.#isStopped) return;
    if (type === 'DELETED' || (type !== 'BOOKMARK' && !this.#isKept(object))) store.remove(object);
    else if (type !== 'BOOKMARK') store.put(project(object));
    this.#advance(object.metadata.resourceVersion ?? '');
  }

  // The watch resumes from the last bookmark or parsed event; events skipped since then are sent again.
  #skips(event: Buffer): boolean {
    return this.#marker !== undefined && isForeignEvent(event, this.#marker, (uid) => this.#options.store.hasUid(uid));
  }

  #isEcho(event: Buffer): boolean {
    return isOwnEcho(event, (version) => this.#options.store.takeWritten(version));
  }

  #isKept(object: KubernetesObject): boolean {
    return this.#options.watched.keep?.(object) !== false;
  }

  #replace(items: readonly KubernetesObject[], resourceVersion: string, startedAt: number): void {
    const { store, metrics, onState } = this.#options;
    if (this.#isStopped) return;
    const isReset = (compareVersions(resourceVersion, this.#newestVersion) ?? 0) < 0;
    store.replace({ items, resourceVersion, startedAt, isReset });
    metrics.count('dynamo_operator_watch_lists_total', { watch: this.name });
    this.#advance(resourceVersion);
    const isFirst = !this.#isSynced;
    this.#isSynced = true;
    this.#established();
    if (isFirst) onState();
  }

  #advance(version: string): void {
    this.#version = version;
    this.#newestVersion = version;
    this.#options.store.advance(version);
  }

  async #recover(error: unknown, signal: AbortSignal): Promise<void> {
    const { metrics, client, log, onState } = this.#options;
    const isRefused = error instanceof ApiError && !isBusy(error);
    const isLost = isGone(error) || isTooYoung(error);
    // After several refusals the version is dropped too, since a list does not need one.
    if (isLost || (isRefused && this.#failures >= 3)) this.#version = '';
    metrics.count('dynamo_operator_watch_failures_total', { watch: this.name, reason: reasonOf(error) });
    const message = error instanceof Error ? error.message : String(error);
    this.#broken = { since: this.#broken?.since ?? this.#clock.now(), message, isUnserved: isNotFound(error) };
    this.#show(0);
    onState();
    // Each cause is logged once, and only if the first attempt to resume fails.
    if (this.#failures > 0 && message !== this.#told) {
      this.#told = message;
      log.error('Watch could not be established', error, { watch: this.name });
    }
    const isFirstLoss = isLost && !this.#hasRelisted;
    const backoff = Math.min(minWaitMs * 2 ** this.#failures, maxWaitMs) * (0.5 + client.transport.random());
    const usual = isFirstLoss ? relistWithinMs * client.transport.random() : backoff;
    const wait = Math.max(usual, askedDelay(error, client.transport.random) ?? 0);
    if (isFirstLoss) this.#hasRelisted = true;
    else this.#failures += 1;
    // Being told to stop ends the wait; the loop above looks at the signal.
    await sleep(this.#clock, wait, signal).catch(() => undefined);
  }

  #established(): void {
    this.#broken = undefined;
    this.#show(1);
  }

  #healthy(): void {
    if (this.#told !== '') this.#options.log.info('Watch was established again', { watch: this.name });
    this.#told = '';
    this.#failures = 0;
    this.#hasRelisted = false;
  }

  #show(up: 0 | 1): void {
    if (this.#isStopped) return;
    this.#options.metrics.set('dynamo_operator_watch_up', { watch: this.name }, up);
  }

  // A watch that nobody wants is not down.
  #stop(): void {
    this.#isStopped = true;
    this.#options.metrics.remove('dynamo_operator_watch_up', { watch: this.name });
  }
}

function refusesStreaming(error: unknown): boolean {
  return isBadRequest(error) || isInvalid(error) || isTimeout(error);
}

function isTimeout(error: unknown): boolean {
  return error instanceof ConnectionError && error.code === 'timeout';
}

// The server cannot answer now, which says nothing about the version. Many lists at once would not help it.
function isBusy({ status }: ApiError): boolean {
  return status === 429 || status === 503 || status === 504;
}

// The server's versions are lower than ours, as after a restore from a backup.
function isTooYoung(error: unknown): boolean {
  return error instanceof ApiError && error.details?.causes?.some(({ reason }) => reason === 'ResourceVersionTooLarge') === true;
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return error.reason || String(error.status);
  return error instanceof Error && 'code' in error ? String(error.code) : 'ended';
}
