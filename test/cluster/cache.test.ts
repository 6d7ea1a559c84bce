import type { KubernetesObject } from '../../lib/api/index.ts';
import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../lib/json/index.ts';
import { ApiClient } from '../../lib/runtime/api/client.ts';
import { isNotFound } from '../../lib/runtime/api/errors.ts';
import type { ObjectKey, ObjectKind } from '../../lib/runtime/api/object.ts';
import { Cache, type CacheChange } from '../../lib/runtime/cache/cache.ts';
import { Lookups } from '../../lib/runtime/cache/lookups.ts';
import { keepFields } from '../../lib/runtime/cache/projection.ts';
import { secretIndexes } from '../../lib/runtime/cache/select.ts';
import type { WatchedKind } from '../../lib/runtime/cache/watched-kind.ts';
import { succeeded } from '../control-plane/client.ts';
import { cluster, describeCluster, holdApiGroups, newNamespace } from '../control-plane/cluster-test.ts';
import { DrivenClock, settled } from '../runtime/driven-clock.ts';
import { calls, FaultProxy, type Matches, watchesOf } from '../runtime/fault-proxy.ts';
import { ObservedTransport } from '../runtime/observed-transport.ts';
import { RecordedMetrics } from '../runtime/recorded-metrics.ts';

const configMaps: ObjectKind = { apiVersion: 'v1', kind: 'ConfigMap' };
const watches = watchesOf('configmaps');
/** How long a watch waits before it lists after a first lost version, with the random number of these tests. */
const relistMs = 200;

/** A running cache behind a proxy that breaks things, with a clock the test moves. */
class Bench {
  readonly clock = new DrivenClock();
  readonly metrics = new RecordedMetrics();
  readonly changes: CacheChange[] = [];
  readonly errors: string[] = [];
  readonly namespace: string;
  readonly proxy: FaultProxy;
  readonly transport: ObservedTransport;
  readonly client: ApiClient;
  readonly cache: Cache;
  readonly #waiting = new Set<() => void>();
  readonly #stop = new AbortController();

  private constructor(namespace: string, proxy: FaultProxy, watched: readonly WatchedKind[]) {
    this.namespace = namespace;
    this.proxy = proxy;
    const config = { server: proxy.url, token: { data: cluster().user('admin').token }, insecureSkipTlsVerify: false, namespace };
    const { clock, metrics } = this;
    const transport = new ObservedTransport(config, { userAgent: 'manager/test', clock, metrics, random: () => 0.5 });
    this.transport = transport;
    this.client = new ApiClient(transport);
    const log = {
      debug: () => {},
      info: (message: string) => void this.errors.push(message),
      error: (message: string, error: unknown) => void this.errors.push(`${message}: ${String(error)}`),
    };
    this.cache = new Cache({ client: this.client, metrics, log, freeze: true });
    this.cache.watch(...watched);
    this.cache.onChange((change) => {
      // Every namespace has that one, a moment after its creation.
      const isOurs = (change.after ?? change.before)?.metadata.name !== 'kube-root-ca.crt';
      if (isOurs) this.changes.push(change);
      for (const resolve of this.#waiting) resolve();
      this.#waiting.clear();
    });
    const ended = this.cache.run(this.#stop.signal);
    onTestFinished(async () => {
      this.#stop.abort(new Error('the test is over'));
      await ended;
      await transport.close();
      await proxy.stop();
    });
  }

  /** Starts; by default the ConfigMaps of a new namespace are watched. */
  static async start(
    watched: (namespace: string) => readonly WatchedKind[] = (namespace) => [
      { ...configMaps, labels: ['app'], selection: { namespace } },
    ],
    prepare: (proxy: FaultProxy, namespace: string) => Promise<void> = async () => {},
  ): Promise<Bench> {
    const { server, ca } = cluster().connection;
    const namespace = await newNamespace();
    await rootCertificates(namespace);
    const proxy = await FaultProxy.start({ server, ca });
    await prepare(proxy, namespace);
    return new Bench(namespace, proxy, watched(namespace));
  }

  synced(): Promise<void> {
    return this.cache.synced(this.#stop.signal);
  }

  /** Writes without the cache knowing, as other people do. */
  async foreign(
    name: string,
    data: Readonly<Record<string, string>> = { x: '0' },
    labels: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const metadata = { namespace: this.namespace, name, labels };
    succeeded(await cluster().client.apply({ ...configMaps, metadata, data }));
  }

  async foreignDelete(name: string): Promise<void> {
    succeeded(await cluster().client.delete({ ...configMaps, metadata: { namespace: this.namespace, name } }));
  }

  /** Writes as controllers do: the answer enters the cache. */
  async create(object: KubernetesObject): Promise<KubernetesObject> {
    const answer = await this.client.create(object);
    this.cache.record(answer);
    return answer;
  }

  async merge(key: ObjectKey, fields: JsonObject): Promise<void> {
    this.cache.record(await this.client.merge(key, fields));
  }

  async delete(key: ObjectKey, { metadata }: KubernetesObject): Promise<void> {
    const uid = metadata.uid ?? '';
    const left = await this.client.delete(key, { uid });
    if (left === undefined) this.cache.recordDeleted(key, uid);
    else this.cache.record(left);
  }

  key(name: string): ObjectKey {
    return { ...configMaps, namespace: this.namespace, name };
  }

  data(name: string): unknown {
    return this.cache.get(this.key(name))?.value?.['data'];
  }

  /** Resolves when a condition holds; looked at after every change of the cache. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
      });
    }
  }

  /** Lets the time pass that a broken watch waits, and resolves when it is open again. */
  async reopen(matches: Matches = watches, waitMs = 800): Promise<void> {
    await this.clock.until(() => this.clock.dueIn(waitMs));
    await this.clock.advance(waitMs);
    await this.proxy.until(() => this.proxy.open(matches) > 0);
    // Open at the proxy is not yet open at the client, which counts silence from there on.
    if (matches === watches) await this.up();
  }

  /** Resolves when the watch is open in the client's own view. */
  up(): Promise<void> {
    return until(() => this.metrics.value('dynamo_operator_watch_up', watchLabel()) === 1);
  }

  /** Resolves when so many lists have been taken in: a stream is open before its list is complete. */
  listed(count: number): Promise<void> {
    return until(() => this.metrics.value('dynamo_operator_watch_lists_total', watchLabel()) === count);
  }

  /** Resolves when the watch has failed so often for a reason: before, a timer that is due may be that of the request. */
  failed(reason: string, count: number): Promise<void> {
    return until(() => this.failures(reason) === count);
  }

  failures(reason: string): number | undefined {
    return this.metrics.value('dynamo_operator_watch_failures_total', { ...watchLabel(), reason });
  }

  /** Says something on the watch; resolves when the client has read it. */
  async say(text: string): Promise<void> {
    const before = this.transport.heard;
    expect(this.proxy.say(watches, text)).toBe(1);
    await until(() => this.transport.heard >= before + Buffer.byteLength(text));
  }

  lists(): number {
    return this.proxy.requests.filter(({ method, path, query }) => {
      const isList = !query.has('watch') || query.get('sendInitialEvents') === 'true';
      return method === 'GET' && path.endsWith('/configmaps') && isList;
    }).length;
  }
}

describeCluster('the cache', () => {
  let bench: Bench;

  describe('of a kind', () => {
    beforeEach(async () => {
      bench = await Bench.start();
      await bench.synced();
    });

    test('follows what others do', async () => {
      await bench.foreign('a', { x: '1' });
      await bench.until(() => bench.data('a') !== undefined);
      await bench.foreign('a', { x: '2' });
      await bench.until(() => bench.changes.length === 2);
      expect(bench.data('a')).toEqual({ x: '2' });
      await bench.foreignDelete('a');
      await bench.until(() => bench.changes.length === 3);
      expect(bench.changes.map(({ before, after }) => [before?.['data'], after?.['data']])).toEqual([
        [undefined, { x: '1' }],
        [{ x: '1' }, { x: '2' }],
        [{ x: '2' }, undefined],
      ]);
      expect([bench.lists(), bench.metrics.value('dynamo_operator_watch_lists_total', watchLabel())]).toEqual([1, 1]);
    });

    test('knows the answer to a write at once, and the watch says nothing new', async () => {
      const made = await bench.create({
        ...configMaps,
        metadata: { namespace: bench.namespace, name: 'a' },
        data: { x: '1' },
      });
      expect(bench.data('a')).toEqual({ x: '1' });
      await bench.merge(bench.key('a'), { data: { x: '2' } });
      expect(bench.data('a')).toEqual({ x: '2' });
      await bench.delete(bench.key('a'), made);
      expect(bench.data('a')).toBeUndefined();
      // What comes after on the same stream shows that all before has been seen.
      await bench.foreign('last');
      await bench.until(() => bench.data('last') !== undefined);
      expect(bench.changes.map(({ before, after }) => [before?.metadata.name, after?.metadata.name])).toEqual([
        [undefined, 'a'],
        ['a', 'a'],
        ['a', undefined],
        [undefined, 'last'],
      ]);
    });

    test('knows of a deletion from the answer to whatever write caused it', async () => {
      const metadata = { namespace: bench.namespace, name: 'a', finalizers: ['example.com/hold'] };
      const made = await bench.create({ ...configMaps, metadata });
      await bench.delete(bench.key('a'), made);
      expect(bench.cache.get(bench.key('a'))?.value?.metadata.deletionTimestamp).toMatch(/^\d{4}-/);
      await bench.merge(bench.key('a'), { metadata: { finalizers: null } });
      expect(bench.cache.get(bench.key('a'))).toEqual({ value: undefined, isCertain: true });
      await expect(bench.delete(bench.key('a'), made)).rejects.toSatisfy(isNotFound);
    });

    test('does not bring back what somebody deleted before the answer to its creation came', async () => {
      let answer = (): void => {};
      bench.proxy.inject(calls('POST', 'configmaps'), { until: new Promise<void>((resolve) => (answer = resolve)) });
      const made = bench.create({ ...configMaps, metadata: { namespace: bench.namespace, name: 'a' } });
      await bench.until(() => bench.changes.length === 1);
      await bench.foreignDelete('a');
      await bench.until(() => bench.changes.length === 2);
      answer();
      await made;
      expect(bench.cache.get(bench.key('a'))).toEqual({ value: undefined, isCertain: true });
    });

    test('never goes back while the watch lags behind its own writes', async () => {
      bench.proxy.freeze(watches);
      const made = await bench.create({
        ...configMaps,
        metadata: { namespace: bench.namespace, name: 'a' },
        data: { x: '0' },
      });
      for (const x of ['1', '2', '3']) await bench.merge(bench.key('a'), { data: { x } });
      await bench.create({ ...configMaps, metadata: { namespace: bench.namespace, name: 'b' } });
      await bench.delete(bench.key('a'), made);
      const before = bench.changes.length;
      bench.proxy.cut(watches);
      await bench.reopen();
      await bench.foreign('last');
      await bench.until(() => bench.data('last') !== undefined);
      // The resumed watch told the whole story again; nothing of it was news.
      expect(bench.changes.slice(before).map(({ after }) => after?.metadata.name)).toEqual(['last']);
      expect(bench.lists()).toBe(1);
    });

    test.each([
      ['is cut', 'cut_off', (proxy: FaultProxy) => proxy.cut(watches)],
      ['ends inside an event', 'cut_off', (proxy: FaultProxy) => [proxy.say(watches, '{"type":"ADD'), proxy.end(watches)]],
      ['says what is no JSON', 'cut_off', (proxy: FaultProxy) => proxy.say(watches, '<html>\n')],
      ['says what nobody knows', 'cut_off', (proxy: FaultProxy) => proxy.say(watches, '{"type":"PING","object":{}}\n')],
      ['tells a server error', 'InternalError', (proxy: FaultProxy) => proxy.say(watches, errorEvent(500, 'InternalError'))],
    ])('goes on where it was when a stream %s', async (_, reason, breakStream) => {
      await bench.foreign('a');
      await bench.until(() => bench.data('a') !== undefined);
      breakStream(bench.proxy);
      await bench.foreign('missed', { x: '1' });
      await bench.reopen();
      await bench.until(() => bench.data('missed') !== undefined);
      expect([bench.lists(), bench.metrics.value('dynamo_operator_watch_up', watchLabel())]).toEqual([1, 1]);
      expect(bench.failures(reason)).toBe(1);
    });

    test('lists again when its version is lost, told in the stream or at its begin, and notices what went meanwhile', async () => {
      await bench.foreign('a');
      await bench.foreign('b');
      await bench.until(() => bench.changes.length === 2);
      bench.proxy.inject(watches, { answer: 410, reason: 'Expired', message: 'too old resource version' });
      bench.proxy.cut(watches);
      await bench.foreignDelete('a');
      await bench.clock.until(() => bench.clock.dueIn(800));
      await bench.clock.advance(800);
      await bench.reopen(watches, relistMs);
      await bench.until(() => bench.data('a') === undefined);
      expect([bench.lists(), bench.data('b')]).toEqual([2, { x: '0' }]);
      // Lost again at once: from now on it waits as after any other failure.
      bench.proxy.say(watches, errorEvent(410, 'Expired'));
      await bench.reopen(watches, 1600);
      await bench.listed(3);
      // A stream that lived for a while makes the next loss the first again.
      await bench.clock.advance(10_000);
      bench.proxy.say(watches, errorEvent(410, 'Expired'));
      await bench.reopen(watches, relistMs);
      await bench.listed(4);
      expect(bench.lists()).toBe(4);
    });

    test('does not flood a server that refuses again and again, says so once, and recovers', async () => {
      bench.proxy.inject(watches, { answer: 403, reason: 'Forbidden', message: 'configmaps is forbidden' }, 7);
      bench.proxy.cut(watches);
      await bench.failed('cut_off', 1);
      for (const [index, wait] of [800, 1600, 3200, 6400, 12_800, 25_600, 30_000].entries()) {
        await bench.clock.until(() => bench.clock.dueIn(wait));
        await bench.clock.advance(wait);
        await bench.failed('Forbidden', index + 1);
      }
      await bench.clock.until(() => bench.clock.dueIn(30_000));
      expect(bench.errors).toEqual(['Watch could not be established: ApiError: configmaps is forbidden']);
      const [problem] = bench.cache.problems();
      expect(problem).toContain('configmaps is forbidden');
      expect(bench.metrics.value('dynamo_operator_watch_up', watchLabel())).toBe(0);
      await bench.clock.advance(30_000);
      await bench.up();
      expect(bench.cache.problems()).toEqual([]);
    });

    test('notices a half-open stream in bounded time', async () => {
      bench.proxy.freeze(watches);
      await bench.foreign('missed');
      await bench.clock.advance(100_000);
      await bench.reopen();
      await bench.until(() => bench.data('missed') !== undefined);
      expect(bench.lists()).toBe(1);
    });

    test('leaves a quiet stream alone for as long as bookmarks come', async () => {
      const before = bench.proxy.requests.filter(watches).length;
      for (let minute = 0; minute < 30; minute += 1) {
        await bench.say(bookmark(String(9_000_000 + minute)));
        await bench.clock.advance(60_000);
      }
      expect(bench.proxy.requests.filter(watches).length).toBe(before);
    });

    test('reconnects ever more rarely to a server that sends no bookmarks', async () => {
      for (const silence of [100_000, 200_000, 400_000]) {
        await bench.clock.advance(silence - 1000);
        expect(bench.proxy.open(watches)).toBe(1);
        await bench.clock.advance(1000);
        await bench.reopen();
      }
      // One that begins to send them is held to them.
      const { metadata } = succeeded(await cluster().client.list({ ...configMaps, namespace: bench.namespace }));
      await bench.say(bookmark(metadata.resourceVersion));
      await bench.clock.advance(800_000);
      await bench.reopen();
      await bench.clock.advance(100_000);
      await bench.reopen();
      expect(bench.lists()).toBe(1);
    });

    test('leaves nothing behind after many disturbances', async () => {
      const timers = bench.clock.pending;
      const sockets = await bench.proxy.connections();
      for (let round = 0; round < 50; round += 1) {
        bench.proxy.cut(watches);
        await bench.failed('cut_off', round + 1);
        await bench.reopen(watches, Math.min(800 * 2 ** round, 30_000));
      }
      await bench.foreign('a');
      await bench.until(() => bench.data('a') !== undefined);
      expect(bench.clock.pending).toBeLessThanOrEqual(timers + 1);
      expect(await bench.proxy.connections()).toBeLessThanOrEqual(sockets + 1);
      expect(bench.lists()).toBe(1);
    });
  });

  describe('starts', () => {
    test('with pages where the server refuses to stream the list', async () => {
      bench = await Bench.start(undefined, async (proxy) => {
        proxy.inject(({ query }) => query.has('sendInitialEvents'), { answer: 422, reason: 'Invalid' }, 10);
      });
      await bench.clock.until(() => bench.clock.dueIn(800));
      await bench.clock.advance(800);
      await bench.synced();
      await bench.foreign('a');
      await bench.until(() => bench.data('a') !== undefined);
      expect(bench.proxy.requests.filter(({ query }) => query.has('limit')).length).toBe(1);
    });

    test('with pages where the server begins to stream and never says that the list is complete', async () => {
      bench = await Bench.start(undefined, async (proxy) => {
        proxy.inject(({ query }) => query.has('sendInitialEvents'), { freezeAfter: 0 });
      });
      // The client counts silence from the moment the stream is open in its own view.
      await bench.clock.until(() => bench.clock.dueIn(10_000));
      await bench.clock.advance(10_000);
      await bench.clock.until(() => bench.clock.dueIn(800));
      await bench.clock.advance(800);
      await bench.synced();
      expect(bench.cache.isSynced).toBe(true);
    });

    test('anew when versions went back behind what it has seen, as after a restore from a backup', async () => {
      bench = await Bench.start(undefined, async (proxy) => {
        proxy.inject(({ query }) => query.has('sendInitialEvents'), { answer: 422, reason: 'Invalid' }, 10);
      });
      await bench.clock.until(() => bench.clock.dueIn(800));
      await bench.clock.advance(800);
      await bench.synced();
      await bench.foreign('lost');
      await bench.until(() => bench.data('lost') !== undefined);
      const details = { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }] };
      bench.proxy.inject(watches, { answer: 504, reason: 'Timeout', details });
      const restored = {
        ...configMaps,
        metadata: { ...bench.key('restored'), uid: 'u', resourceVersion: '3' },
        data: { x: 'old' },
      };
      bench.proxy.inject(({ query }) => query.has('limit'), { reply: { metadata: { resourceVersion: '5' }, items: [restored] } });
      bench.proxy.cut(watches);
      for (const wait of [1600, relistMs]) {
        await bench.clock.until(() => bench.clock.dueIn(wait));
        await bench.clock.advance(wait);
      }
      await bench.until(() => bench.changes.length >= 3);
      expect(bench.changes.slice(1, 3).map(({ before, after }) => [before?.metadata.name, after?.metadata.name])).toEqual([
        [undefined, 'restored'],
        ['lost', undefined],
      ]);
    });

    test('with huge objects and characters that are cut between pieces', async () => {
      const text = '\u00fc\u20ac\u{1f600}'.repeat(100_000);
      bench = await Bench.start(undefined, async (proxy, namespace) => {
        const object = { ...configMaps, metadata: { namespace, name: 'huge' }, data: { text } };
        succeeded(await cluster().client.create(object));
        proxy.inject(watches, { pieces: 4099 });
      });
      await bench.synced();
      expect(bench.data('huge')).toEqual({ text });
    });

    test('not, and says why, while a kind may not be watched', async () => {
      bench = await Bench.start(undefined, async (proxy) => {
        proxy.inject(({ path }) => path.endsWith('/configmaps'), { answer: 403, reason: 'Forbidden', message: 'not yours' }, 2);
      });
      await bench.clock.until(() => bench.clock.dueIn(800));
      await bench.proxy.until(() => bench.proxy.requests.some(({ path }) => path === '/apis'));
      await until(() => bench.cache.apis !== undefined);
      expect(bench.cache.isSynced).toBe(false);
      expect(bench.cache.problems()).toEqual([expect.stringContaining('not yours')]);
      await bench.clock.advance(800);
      await bench.clock.until(() => bench.clock.dueIn(1600));
      await bench.clock.advance(1600);
      await bench.synced();
      expect(bench.cache.problems()).toEqual([]);
    });
  });

  test('holds only what its selectors mean, and of that what its projections keep', async () => {
    const secret = (namespace: string, name: string, type: string, value: string): KubernetesObject => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace, name },
      type,
      data: { '.dockerconfigjson': value },
    });
    const docker = 'kubernetes.io/dockerconfigjson';
    const auths = Buffer.from('{"auths":{}}').toString('base64');
    bench = await Bench.start(
      (namespace) => [
        {
          apiVersion: 'v1',
          kind: 'Secret',
          selection: { namespace, fieldSelector: `type=${docker}` },
          project: keepFields('type'),
          indexes: secretIndexes,
        },
        { ...configMaps, selection: { namespace, labelSelector: 'mine', metadataOnly: true } },
      ],
      async (_, namespace) => {
        const { client } = cluster();
        succeeded(await client.create(secret(namespace, 'pull', docker, auths)));
        succeeded(await client.create(secret(namespace, 'foreign', 'Opaque', auths)));
        succeeded(
          await client.create({ ...configMaps, metadata: { namespace, name: 'mine', labels: { mine: '' } }, data: { x: '1' } }),
        );
        succeeded(await client.create({ ...configMaps, metadata: { namespace, name: 'foreign' }, data: { x: '1' } }));
      },
    );
    await bench.synced();
    const { namespace, cache } = bench;
    const secrets = cache.list({ apiVersion: 'v1', kind: 'Secret' }, namespace, { secretType: docker });
    expect(secrets?.isCertain).toBe(true);
    expect(secrets?.value.map(({ metadata, type, data }) => [metadata.name, type, data])).toEqual([['pull', docker, undefined]]);
    expect(cache.get({ apiVersion: 'v1', kind: 'Secret', namespace, name: 'pull' })).toBeUndefined();
    expect(cache.get(bench.key('mine'))).toMatchObject({ isCertain: true, value: { kind: 'ConfigMap' } });
    expect(cache.get(bench.key('mine'))?.value).not.toHaveProperty('data');
    expect(cache.get(bench.key('foreign'))).toEqual({ value: undefined, isCertain: false });
    // Our own write to something the selector does not mean does not enter, and one that takes the label away ends it.
    await bench.merge(bench.key('foreign'), { data: { x: '2' } });
    await bench.merge(bench.key('mine'), { metadata: { labels: { mine: null } } });
    expect([...cache.sizes().values()]).toEqual([1, 0]);
  });

  test('drops objects of others unread, resumes behind them, and lets go of what is no longer ours', async () => {
    const isOurs = ({ data }: KubernetesObject): boolean => JSON.stringify(data ?? {}).includes('our-marker');
    bench = await Bench.start(
      (namespace) => [{ ...configMaps, selection: { namespace }, keep: isOurs, marker: 'our-marker' }],
      async (_, namespace) => {
        for (const [name, x] of [
          ['ours', 'our-marker'],
          ['foreign', 'other'],
        ] as const)
          succeeded(await cluster().client.create({ ...configMaps, metadata: { namespace, name }, data: { x } }));
      },
    );
    await bench.synced();
    expect([...bench.cache.sizes().values()]).toEqual([1]);
    await bench.foreign('foreign', { x: 'another' });
    await bench.foreign('ours', { x: 'our-marker', y: '1' });
    await bench.until(() => bench.changes.length === 2);
    await bench.foreign('ours', { x: 'no longer', y: '1' });
    await bench.until(() => bench.changes.length === 3);
    expect([...bench.cache.sizes().values()]).toEqual([0]);
    bench.proxy.cut(watches);
    await bench.reopen();
    expect(bench.proxy.requests.filter(watches).at(-1)?.query.has('resourceVersion')).toBe(true);
    await bench.foreign('ours', { x: 'our-marker' });
    await bench.until(() => bench.changes.length === 4);
    expect(bench.lists()).toBe(1);
  });

  test('watches kinds that come and go while they are served', async () => {
    const sets = { apiVersion: 'grove.io/v1alpha1', kind: 'PodCliqueSet' };
    const without = await holdApiGroups([]);
    bench = await Bench.start((namespace) => [{ ...sets, optional: true, selection: { namespace } }]);
    await bench.synced();
    await without();
    const { namespace, cache } = bench;
    expect(cache.list(sets, namespace)).toBeUndefined();
    const told: boolean[] = [];
    cache.onApis(({ groups }) => told.push(groups.has('grove.io')));
    const having = await holdApiGroups(['grove.io']);
    await untilServed(bench, true);
    await bench.synced();
    expect(cache.list(sets, namespace)?.value).toEqual([]);
    succeeded(
      await cluster().client.create({ ...sets, metadata: { namespace, name: 'a' }, spec: { replicas: 1, template: {} } }),
    );
    await bench.until(() => bench.changes.length === 1);
    await having();
    onTestFinished(await holdApiGroups([]));
    await untilServed(bench, false);
    expect(cache.list(sets, namespace)).toBeUndefined();
    expect(bench.changes.map(({ before, after }) => [before?.metadata.name, after?.metadata.name])).toEqual([
      [undefined, 'a'],
      ['a', undefined],
    ]);
    expect([told[0], told.at(-1), cache.problems()]).toEqual([true, false, []]);
  });

  test('watches what a selector leaves out while an object needs it, and follows an object whose label changes', async () => {
    const accounts = { apiVersion: 'v1', kind: 'ServiceAccount' };
    const needs = ({ metadata }: KubernetesObject): boolean => metadata.labels?.['needs'] !== undefined;
    bench = await Bench.start((namespace) => [
      { ...accounts, selection: { namespace, metadataOnly: true } },
      { ...configMaps, selection: { namespace, labelSelector: 'of' } },
      {
        ...configMaps,
        selection: { namespace, labelSelector: '!of' },
        keep: ({ metadata }) => metadata.name !== 'kube-root-ca.crt',
        neededBy: { ...accounts, needs },
      },
    ]);
    await bench.synced();
    const { namespace, cache, proxy } = bench;
    const { client } = cluster();
    const isNeeded: Matches = (request) => watches(request) && request.query.get('labelSelector') === '!of';
    const sizes = (): readonly number[] => [...cache.sizes().values()].slice(1);
    await bench.foreign('others');
    await bench.foreign('a', { x: '1' }, { of: 'g' });
    await bench.until(() => sizes()[0] === 1);
    expect(proxy.requests.some(isNeeded)).toBe(false);
    // Nobody watches it without its label; the answer to the write that gives it back is known at once, and no event undoes that.
    succeeded(await client.merge({ ...configMaps, metadata: { namespace, name: 'a' } }, { metadata: { labels: { of: null } } }));
    await bench.until(() => sizes()[0] === 0);
    await bench.merge(bench.key('a'), { metadata: { labels: { of: 'g' } } });
    expect([sizes(), bench.data('a')]).toEqual([[1, 0], { x: '1' }]);
    await bench.foreign('last', { x: '1' }, { of: 'g' });
    await bench.until(() => bench.data('last') !== undefined);
    expect([sizes(), bench.data('a')]).toEqual([[2, 0], { x: '1' }]);

    const needing = { ...accounts, metadata: { namespace, name: 'needing', labels: { needs: '' } } };
    succeeded(await client.create(needing));
    await bench.until(() => sizes()[1] === 1);
    expect([bench.data('others'), cache.problems()]).toEqual([{ x: '0' }, []]);
    succeeded(await client.merge({ ...configMaps, metadata: { namespace, name: 'a' } }, { metadata: { labels: { of: null } } }));
    await bench.until(() => sizes().join() === '1,2');
    await bench.merge(bench.key('a'), { metadata: { labels: { of: 'g' } } });
    expect([sizes(), bench.data('a')]).toEqual([[2, 1], { x: '1' }]);
    succeeded(await client.delete(needing));
    await bench.until(() => cache.get({ ...accounts, namespace, name: 'needing' })?.value === undefined);
    // It goes on until nothing that it shows is left.
    await bench.foreign('others', { x: '2' });
    await bench.until(() => JSON.stringify(bench.data('others')) === '{"x":"2"}');
    await bench.foreignDelete('others');
    await bench.until(() => sizes()[1] === 0);
    await proxy.until(() => proxy.open(isNeeded) === 0);
    expect([bench.data('others'), proxy.open(watches)]).toEqual([undefined, 1]);
  });

  test('waits for no optional kind that the server says it serves and does not know', async () => {
    const release = await holdApiGroups(['grove.io']);
    onTestFinished(release);
    const sets = { apiVersion: 'grove.io/v1alpha1', kind: 'PodCliqueSet', optional: true };
    bench = await Bench.start(
      () => [sets],
      async (proxy) => {
        proxy.inject(watchesOf('podcliquesets'), { answer: 404, reason: 'NotFound' }, 2);
      },
    );
    await bench.synced();
    expect([bench.cache.list(sets, ''), bench.cache.problems()]).toEqual([undefined, []]);
    await bench.clock.advance(800);
    await bench.reopen(watchesOf('podcliquesets'), 1600);
    await until(() => bench.cache.list(sets, '') !== undefined);
  });

  test('tells who looked something up that the answer changed, and asks for what it does not watch', async () => {
    bench = await Bench.start();
    await bench.synced();
    const { namespace, cache, client, clock } = bench;
    const told: string[] = [];
    const lookups = new Lookups({ cache, client, requeue: (user) => told.push(user) });
    const stop = new AbortController();
    const polling = lookups.run(stop.signal);
    onTestFinished(async () => {
      stop.abort(new Error('over'));
      await polling;
    });
    const next = async (act: () => Promise<unknown>): Promise<readonly string[]> => {
      const count = bench.changes.length;
      await act();
      await bench.until(() => bench.changes.length > count);
      return told.splice(0).toSorted();
    };

    const byName = lookups.begin('by name');
    expect(byName.get(bench.key('a'))).toBeNull();
    byName.end(true);
    const byLabel = lookups.begin('by label');
    expect(byLabel.list(configMaps, namespace, { labels: { app: 'x', tier: 'web' } })).toEqual([]);
    byLabel.end(true);

    expect(await next(() => bench.foreign('b', { x: '0' }, { app: 'y' }))).toEqual([]);
    expect(await next(() => bench.foreign('a'))).toEqual(['by name']);
    expect(await next(() => bench.foreign('a', { x: '0' }, { app: 'x', tier: 'web' }))).toEqual(['by label', 'by name']);
    expect(await next(() => bench.foreign('a', { x: '0' }, { app: 'z', tier: 'web' }))).toEqual(['by label', 'by name']);

    const again = lookups.begin('by name');
    expect(again.list(configMaps, namespace, { controllerUid: 'nobody' })).toEqual([]);
    again.end(true);
    expect(await next(() => bench.foreignDelete('a'))).toEqual([]);

    const account: ObjectKey = { apiVersion: 'v1', kind: 'ServiceAccount', namespace, name: 'later' };
    const unwatched = lookups.begin('unwatched');
    expect(unwatched.get(account)).toBeUndefined();
    expect(await unwatched.ask(account)).toBeNull();
    expect(unwatched.get(account)).toBeNull();
    unwatched.end(false);
    const { apiVersion, kind, name } = account;
    succeeded(await cluster().client.create({ apiVersion, kind, metadata: { namespace, name } }));
    await clock.advance(60_000);
    await until(() => told.length > 0);
    expect(told.splice(0)).toEqual(['unwatched']);
    const settledPass = lookups.begin('unwatched');
    expect(settledPass.get(account)).toMatchObject({ metadata: { name: 'later' } });
    settledPass.end(true);
    const asked = bench.proxy.requests.length;
    await until(() => bench.transport.underWay === 0);
    await clock.advance(60_000);
    await until(() => bench.transport.underWay === 0);
    expect(bench.proxy.requests.slice(asked).filter(({ path }) => path.includes('serviceaccounts'))).toEqual([]);
    lookups.forget('unwatched');
    expect(lookups.begin('unwatched').get(account)).toBeUndefined();
  });
});

// Kubernetes puts it into every new namespace, at a moment of its own: an event that would break a silence.
async function rootCertificates(namespace: string): Promise<void> {
  const root = { ...configMaps, metadata: { namespace, name: 'kube-root-ca.crt' } };
  while ((await cluster().client.get(root)).status === 404) await setTimeout(20);
}

function watchLabel(): { readonly watch: string } {
  return { watch: 'v1/ConfigMap' };
}

function errorEvent(code: number, reason: string): string {
  return `${JSON.stringify({ type: 'ERROR', object: { kind: 'Status', apiVersion: 'v1', code, reason, message: 'injected' } })}\n`;
}

function bookmark(resourceVersion: string): string {
  return `${JSON.stringify({ type: 'BOOKMARK', object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion } } })}\n`;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await settled();
}

/** Moves the clock from one question for the served APIs to the next until the answer is the one wanted. */
async function untilServed(bench: Bench, isServed: boolean): Promise<void> {
  const { clock, cache } = bench;
  for (;;) {
    // The question has been answered when the cache waits for its next one.
    await clock.until(() => clock.dueIn(60_000));
    // What is served now is listed before it counts, or its watch waits for another try.
    await until(() => cache.isSynced || cache.problems().every(isRefused));
    if (cache.apis?.groups.has('grove.io') === isServed) return;
    await clock.advance(60_000);
  }
}

function isRefused(problem: string): boolean {
  return !problem.endsWith('not listed yet');
}
