/** The operator's controllers with their own cache and queues, in front of an API server in this process; a test can stop the queues. */
import type { KubernetesObject } from '../../../lib/api/index.ts';
import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { objectAt, type JsonObject } from '../../../lib/json/index.ts';
import type { ObjectKey } from '../../../lib/reconcile/index.ts';
import { ApiClient } from '../../../lib/runtime/api/client.ts';
import { Cache, type CacheChange } from '../../../lib/runtime/cache/cache.ts';
import type { WatchedKind } from '../../../lib/runtime/cache/watched-kind.ts';
import { controllers } from '../../../lib/runtime/controllers/index.ts';
import { EventWriter } from '../../../lib/runtime/events/recorder.ts';
import { flagTable } from '../../../lib/runtime/flag-table.ts';
import { parseFlags } from '../../../lib/runtime/go-flags.ts';
import { createLog } from '../../../lib/runtime/log.ts';
import { createMetrics } from '../../../lib/runtime/metrics/registry.ts';
import { type ManagerOptions, readOptions } from '../../../lib/runtime/options.ts';
import { WorkQueue } from '../../../lib/runtime/queue/queue.ts';
import { Exclusions } from '../../../lib/runtime/scope/exclusions.ts';
import { clusterScope, restrictedScope, type Scope, scopeLeaseReader } from '../../../lib/runtime/scope/scope.ts';
import { keyOf, versionOf, type Store } from '../../reconcile/store.ts';
import { DrivenClock } from '../driven-clock.ts';
import { MemoryApiServer } from '../memory-api-server.ts';
import { ObservedTransport } from '../observed-transport.ts';

/** A queue that tells what is added, and hands nothing out while it is held. */
class HeldQueue extends WorkQueue {
  readonly added = new Set<string>();
  isHeld = false;
  #running = 0;
  #wake: () => void = () => {};

  override add(key: string): void {
    this.added.add(key);
    super.add(key);
  }

  override take(): string | undefined {
    const key = this.isHeld ? undefined : super.take();
    if (key !== undefined) this.#running += 1;
    return key;
  }

  override done(key: string): void {
    this.#running -= 1;
    super.done(key);
  }

  override whenReady(onReady: () => void): void {
    this.#wake = onReady;
    super.whenReady(onReady);
  }

  get isIdle(): boolean {
    return this.#running === 0 && (this.isHeld || this.length === 0);
  }

  release(): void {
    this.isHeld = false;
    this.#wake();
  }
}

/** How to run the controllers. */
interface RigSetting {
  readonly flags: readonly string[];
  readonly groups?: readonly string[];
  /** What there is at the start. */
  readonly store: Store;
  /** What other controllers of the cluster do; returns whether anything changed. */
  readonly move?: (store: Store) => boolean;
}

/** Running controllers. */
export class ControllerRig {
  readonly server: MemoryApiServer;
  readonly clock = new DrivenClock();
  readonly cache: Cache;
  readonly metrics = createMetrics({ processMetrics: false });
  readonly scope: Scope;
  readonly lines: JsonObject[] = [];
  readonly #queues = new Map<string, HeldQueue>();
  readonly #watched: readonly WatchedKind[];
  readonly #move: (store: Store) => boolean;
  readonly #stop = new AbortController();
  readonly #running: readonly Promise<unknown>[];
  readonly #events: EventWriter;
  readonly #transport: ObservedTransport;

  private constructor(server: MemoryApiServer, { flags, move = () => false }: RigSetting) {
    this.server = server;
    this.#move = move;
    const options = optionsOf(flags);
    const { clock, metrics } = this;
    const log = createLog(
      { ...options.log, level: 'debug' },
      { write: (line) => this.lines.push(JSON.parse(line)), date: clock.date },
    );
    const config = { server: server.url, insecureSkipTlsVerify: false, namespace: 'default' };
    const transport = new ObservedTransport(config, { userAgent: 'manager/test', clock });
    this.#transport = transport;
    const client = new ApiClient(transport);
    const cache = new Cache({ client, log, freeze: true });
    this.cache = cache;
    const { restrictedNamespace } = options;
    const exclusions = new Exclusions({ clock, log, read: scopeLeaseReader(client) });
    const scope = restrictedNamespace === '' ? clusterScope(cache, exclusions, log) : restrictedScope(restrictedNamespace);
    this.scope = scope;
    this.#watched = controllers.flatMap(({ watches }) => watches?.(options) ?? []);
    cache.watch(...this.#watched);
    const events = new EventWriter({ client, clock, log });
    this.#events = events;
    const newQueue = (name: string): HeldQueue => {
      const queue = new HeldQueue({ name, clock, metrics });
      this.#queues.set(name, queue);
      return queue;
    };
    const context = {
      options,
      client,
      cache,
      scope,
      operatorNamespace: '',
      newQueue,
      log,
      metrics,
      clock,
      apis: () => cache.apis ?? { groups: new Set<string>(), serves: () => false },
      recorder: (component: string) => events.recorder(component),
    };
    const { signal } = this.#stop;
    setMaxListeners(0, signal);
    this.#running = [
      cache.run(signal),
      cache.synced(signal).then(() => Promise.all(controllers.map((controller) => controller.start(context, signal)))),
    ];
  }

  /** Starts the controllers; resolves when they have nothing left to do. */
  static async start(setting: RigSetting): Promise<ControllerRig> {
    const rig = new ControllerRig(await MemoryApiServer.start(setting), setting);
    await rig.cache.synced(rig.#stop.signal);
    await rig.settle();
    return rig;
  }

  /** Ends the controllers and the server. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('the test is over'));
    await Promise.all(this.#running);
    await this.#transport.close();
    await this.server.stop();
  }

  /** The series of a metric, without its name and in order. */
  async series(name: string): Promise<readonly string[]> {
    const lines = (await this.metrics.page()).split('\n');
    return lines.flatMap((line) => (line.startsWith(`${name}{`) ? [line.slice(name.length)] : [])).toSorted();
  }

  /** Lets controllers and cluster work until neither has anything left to do. */
  async settle(): Promise<void> {
    do {
      // Several turns in a row: what a turn begins, such as a pass or an event, the next ones see.
      for (let quiet = 0; quiet < 5; quiet = this.#isQuiet() ? quiet + 1 : 0) await setImmediate();
      await this.#events.flush();
    } while (this.server.act(this.#move));
  }

  /** Lets a minute pass, at whose end each watch gets a bookmark, as the API server sends them. */
  async minute(): Promise<void> {
    await this.clock.advance(60_000);
    await this.settle();
    const expected = this.#transport.heard + this.server.bookmark();
    while (this.#transport.heard < expected) await setImmediate();
  }

  /**
   * What a change queues before anybody works on it, as `Kind namespace/name`; afterwards everybody works again. Nobody does before the
   * watches show the object the change returns, and another one if it is named.
   */
  async queuedBy(change: (store: Store) => JsonObject, also?: ObjectKey): Promise<readonly string[]> {
    for (const queue of this.#queues.values()) {
      queue.isHeld = true;
      queue.added.clear();
    }
    let changed: JsonObject = {};
    const seen = new Promise<void>((resolve) => {
      const end = this.cache.onChange((told) => {
        if (!isAbout(told, changed)) return;
        end();
        resolve();
      });
    });
    changed = this.server.act(change);
    await seen;
    const isShown = (): boolean => also === undefined || this.cache.get(also)?.value !== undefined;
    while (!isShown()) await setImmediate();
    const queued = [...this.#queues].flatMap(([kind, queue]) => [...queue.added].map((key) => `${short(kind)} ${key}`));
    for (const queue of this.#queues.values()) queue.release();
    await this.settle();
    return queued.toSorted();
  }

  #isQuiet(): boolean {
    const isIdle = this.#transport.underWay === 0 && [...this.#queues.values()].every((queue) => queue.isIdle);
    return isIdle && this.#isCaughtUp();
  }

  // Whether the cache shows what is stored: the watches run behind by a moment.
  #isCaughtUp(): boolean {
    const { store } = this.server;
    const known = this.#watched.flatMap((kind) => this.cache.list(kind, '')?.value ?? []);
    const isBehind = (object: JsonObject): boolean => {
      const found = this.cache.get(keyOf(object));
      return found?.isCertain === true && versionOf(found.value ?? {}) !== versionOf(object);
    };
    return known.every((object) => store.get(keyOf(object)) !== undefined) && !store.all().some(isBehind);
  }
}

function optionsOf(flags: readonly string[]): ManagerOptions {
  const parsed = parseFlags(flagTable, flags);
  if (!('values' in parsed)) throw new Error(JSON.stringify(parsed));
  return readOptions(parsed.values, {});
}

function isAbout({ before, after }: CacheChange, object: JsonObject): boolean {
  const changed: KubernetesObject | undefined = after ?? before;
  return changed !== undefined && changed.kind === object['kind'] && changed.metadata.uid === objectAt(object, 'metadata')['uid'];
}

const shortNames: Readonly<Record<string, string>> = {
  DynamoGraphDeployment: 'graph',
  DynamoComponentDeployment: 'component',
  DynamoGraphDeploymentScalingAdapter: 'adapter',
  DynamoGraphDeploymentRequest: 'request',
  DynamoModel: 'model',
};

function short(kind: string): string {
  return shortNames[kind] ?? kind;
}
