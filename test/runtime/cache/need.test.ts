/** A watch that runs only while an object of another kind needs it. */
import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { objectAt, type JsonObject } from '../../../lib/json/index.ts';
import { kinds, type ObjectKey } from '../../../lib/reconcile/index.ts';
import { ApiClient } from '../../../lib/runtime/api/client.ts';
import { Cache, type CacheChange } from '../../../lib/runtime/cache/cache.ts';
import type { WatchedKind } from '../../../lib/runtime/cache/watched-kind.ts';
import { Store } from '../../reconcile/store.ts';
import { answeringClient } from '../answering-client.ts';
import { DrivenClock, settled } from '../driven-clock.ts';
import { MemoryApiServer, type SeenRequest } from '../memory-api-server.ts';
import { ObservedTransport } from '../observed-transport.ts';
import { RecordedMetrics } from '../recorded-metrics.ts';

const { service, configMap } = kinds;
const needed = { watch: 'v1/ConfigMap?!of' };
const watched: readonly WatchedKind[] = [
  { ...service },
  { ...configMap, selection: { labelSelector: 'of' } },
  {
    ...configMap,
    selection: { labelSelector: '!of' },
    neededBy: { ...service, needs: ({ metadata }) => metadata.labels?.['needs'] !== undefined },
  },
];
const owner = { apiVersion: 'v1', kind: 'Service', name: 's', uid: 'u', controller: true };
const map = (name: string, labels: JsonObject = {}): JsonObject => ({
  ...configMap,
  metadata: { namespace: 'n', name, labels, ownerReferences: [owner] },
});
const serviceOf = (name: string, labels: JsonObject): JsonObject => ({ ...service, metadata: { namespace: 'n', name, labels } });
const isNeeded = ({ query }: SeenRequest): boolean => query.get('labelSelector') === '!of';

/** Gives an object other labels. */
function relabel(server: MemoryApiServer, key: ObjectKey, labels: JsonObject): void {
  server.act((all) => all.update(key, (object) => ({ ...object, metadata: { ...objectAt(object, 'metadata'), labels } })));
}

/** A running cache in front of a server that has some objects. */
class Bench {
  readonly clock = new DrivenClock();
  readonly metrics = new RecordedMetrics();
  readonly changes: CacheChange[] = [];
  readonly server: MemoryApiServer;
  readonly cache: Cache;
  readonly signal: AbortSignal;

  private constructor(server: MemoryApiServer) {
    this.server = server;
    const { clock, metrics } = this;
    const config = { server: server.url, insecureSkipTlsVerify: false, namespace: 'n' };
    const transport = new ObservedTransport(config, { userAgent: 'manager/test', clock });
    this.cache = new Cache({ client: new ApiClient(transport), metrics, freeze: true });
    this.cache.watch(...watched);
    this.cache.onChange((change) => this.changes.push(change));
    const stop = new AbortController();
    this.signal = stop.signal;
    const ended = this.cache.run(stop.signal);
    onTestFinished(async () => {
      stop.abort(new Error('the test is over'));
      await ended;
      await transport.close();
      await server.stop();
    });
  }

  static async start(...objects: readonly JsonObject[]): Promise<Bench> {
    const server = await MemoryApiServer.start({ store: new Store() });
    server.act((store) => objects.map((object) => store.create(object)));
    return new Bench(server);
  }

  /** Holds the list of the watch that is needed until the returned function is called. */
  hold(): () => void {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    this.server.intercept = (request) => (isNeeded(request) ? held : undefined);
    return release;
  }

  /** Names of the cached ConfigMaps of the owner. */
  owned(): readonly string[] | undefined {
    return this.cache.list(configMap, 'n', { controllerUid: 'u' })?.value.map(({ metadata }) => metadata.name);
  }

  get isUp(): number | undefined {
    return this.metrics.value('dynamo_operator_watch_up', needed);
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await settled();
  }
}

test('is not opened while nothing needs it', async () => {
  const bench = await Bench.start(serviceOf('s', {}), map('theirs'), map('ours', { of: 'g' }));
  await bench.cache.synced(bench.signal);
  expect([bench.owned(), bench.isUp, bench.server.requests.some(isNeeded)]).toEqual([['ours'], undefined, false]);
  expect(bench.cache.get({ ...configMap, namespace: 'n', name: 'theirs' })).toEqual({ value: undefined, isCertain: false });
});

test('is waited for at the start if something needs it', async () => {
  const bench = await Bench.start(serviceOf('s', { needs: '' }), map('b'), map('c', { of: 'g' }), map('a', { of: 'g' }));
  const release = bench.hold();
  await bench.server.until(isNeeded);
  await bench.until(() => bench.owned()?.length === 2 && bench.cache.apis !== undefined);
  expect([bench.cache.isSynced, bench.cache.problems()]).toEqual([false, [`${needed.watch}: not listed yet`]]);
  release();
  await bench.cache.synced(bench.signal);
  expect([bench.owned(), bench.isUp, bench.cache.problems()]).toEqual([['a', 'b', 'c'], 1, []]);
});

test('runs from the first object that needs it until none does and it shows nothing any more', async () => {
  const bench = await Bench.start(map('theirs'), map('ours', { of: 'g' }));
  await bench.cache.synced(bench.signal);
  const key = (name: string) => ({ ...service, namespace: 'n', name });
  const isKnown = (name: string): boolean => bench.cache.get(key(name))?.value?.metadata.labels?.['needs'] !== undefined;
  bench.server.act((all) => all.create(serviceOf('s', { needs: '' })));
  await bench.until(() => bench.isUp === 1);
  expect(bench.owned()).toEqual(['ours', 'theirs']);
  bench.server.act((all) => all.create(serviceOf('t', { needs: '' })));
  bench.server.act((all) => all.delete(key('s')));
  await bench.until(() => !isKnown('s') && isKnown('t'));
  expect([bench.isUp, bench.owned()]).toEqual([1, ['ours', 'theirs']]);
  relabel(bench.server, key('t'), {});
  await bench.until(() => !isKnown('t'));
  expect([bench.isUp, bench.owned()]).toEqual([1, ['ours', 'theirs']]);
  bench.server.act((all) => all.delete({ ...configMap, namespace: 'n', name: 'theirs' }));
  await bench.until(() => bench.owned()?.length === 1);
  expect([bench.isUp, bench.server.requests.filter(isNeeded).length]).toEqual([undefined, 1]);
  // It begins anew when it is needed again.
  bench.server.act((all) => all.create(map('later')));
  bench.server.act((all) => all.create(serviceOf('s', { needs: '' })));
  await bench.until(() => bench.isUp === 1);
  expect([bench.owned(), bench.server.requests.filter(isNeeded).length]).toEqual([['later', 'ours'], 2]);
});

test('is no longer waited for when nothing needs it any more', async () => {
  const bench = await Bench.start(serviceOf('s', { needs: '' }), map('ours', { of: 'g' }));
  const release = bench.hold();
  await bench.server.until(isNeeded);
  await bench.until(() => bench.owned()?.length === 1 && bench.cache.apis !== undefined);
  const synced = bench.cache.synced(bench.signal).then(() => 'synced');
  expect(await Promise.race([synced, settled()])).toBeUndefined();
  bench.server.act((all) => all.delete({ ...service, namespace: 'n', name: 's' }));
  expect(await synced).toBe('synced');
  expect([bench.isUp, bench.cache.problems()]).toEqual([undefined, []]);
  release();
});

test('shows what the operator wrote before it is listed, also among the objects of an owner', async () => {
  const bench = await Bench.start(map('ours', { of: 'g' }));
  await bench.cache.synced(bench.signal);
  const release = bench.hold();
  bench.server.act((all) => all.create(serviceOf('s', { needs: '' })));
  await bench.server.until(isNeeded);
  const made = bench.server.act((all) => all.create(map('written')));
  const { metadata } = made as unknown as { readonly metadata: { readonly name: string } };
  bench.cache.record({ ...configMap, metadata });
  expect(bench.owned()).toEqual(['ours', 'written']);
  release();
  await bench.until(() => bench.isUp === 1);
  expect(bench.owned()).toEqual(['ours', 'written']);
});

test('has a minute for its first list once the cache is ready, and knows own writes before', async () => {
  const bench = await Bench.start(map('ours', { of: 'g' }));
  await bench.cache.synced(bench.signal);
  const release = bench.hold();
  bench.server.act((all) => all.create(serviceOf('s', { needs: '' })));
  await bench.server.until(isNeeded);
  const made = bench.server.act((all) => all.create(map('written')));
  const { metadata } = made as unknown as { readonly metadata: { readonly name: string } };
  bench.cache.record({ ...configMap, metadata });
  expect(bench.cache.get({ ...configMap, namespace: 'n', name: 'written' })?.value).toEqual({ ...configMap, metadata });
  await bench.clock.advance(59_999);
  expect([bench.cache.problems(), bench.isUp]).toEqual([[], 0]);
  await bench.clock.advance(1);
  expect(bench.cache.problems()).toEqual([expect.stringContaining(needed.watch)]);
  release();
  await bench.clock.advance(2000);
  await bench.until(() => bench.isUp === 1);
  expect([bench.cache.problems(), bench.owned()]).toEqual([[], ['ours', 'written']]);
});

test('leaves an object whose label changes to the other watch', async () => {
  const bench = await Bench.start(serviceOf('s', { needs: '' }), map('a', { of: 'g' }));
  await bench.cache.synced(bench.signal);
  const key = { ...configMap, namespace: 'n', name: 'a' };
  const labels = (): unknown => bench.cache.list(configMap, 'n', { controllerUid: 'u' })?.value.map((one) => one.metadata.labels);
  relabel(bench.server, key, { other: 'x' });
  await bench.until(() => bench.changes.length === 4);
  expect([labels(), [...bench.cache.sizes().values()]]).toEqual([[{ other: 'x' }], [1, 0, 1]]);
  relabel(bench.server, key, { of: 'h' });
  await bench.until(() => bench.changes.length === 6);
  expect([labels(), [...bench.cache.sizes().values()]]).toEqual([[{ of: 'h' }], [1, 1, 0]]);
});

test('shows the newer version of an object while both watches have it', async () => {
  const streams = new Map<string, ServerResponse>();
  const send = (selector: string, type: string, metadata: JsonObject): void => {
    streams.get(selector)?.write(`${JSON.stringify({ type, object: { ...configMap, metadata } })}\n`);
  };
  const client = await answeringClient((request, response) => {
    const selector = new URL(request.url ?? '', 'http://server').searchParams.get('labelSelector');
    response.writeHead(200, { 'content-type': 'application/json' });
    if (selector === null) return response.end(JSON.stringify({ kind: 'APIGroupDiscoveryList', items: [] }));
    streams.set(selector, response);
    return send(selector, 'BOOKMARK', { resourceVersion: '1', annotations: { 'k8s.io/initial-events-end': 'true' } });
  });
  const cache = new Cache({ client });
  cache.watch(...['of', '!of'].map((labelSelector) => ({ ...configMap, selection: { labelSelector } })));
  const stop = new AbortController();
  const ended = cache.run(stop.signal);
  onTestFinished(() => {
    stop.abort(new Error('the test is over'));
    return ended;
  });
  await cache.synced(stop.signal);
  const moved = { namespace: 'n', name: 'a', uid: 'u' };
  const until = async (sizes: readonly number[]): Promise<void> => {
    while (String([...cache.sizes().values()]) !== String(sizes)) await settled();
  };
  const version = (): unknown => cache.get({ ...configMap, namespace: 'n', name: 'a' })?.value?.metadata.resourceVersion;
  send('of', 'ADDED', { ...moved, resourceVersion: '2', labels: { of: 'g' } });
  await until([1, 0]);
  send('!of', 'ADDED', { ...moved, resourceVersion: '3' });
  await until([1, 1]);
  expect(version()).toBe('3');
  send('of', 'DELETED', { ...moved, resourceVersion: '3', labels: { of: 'g' } });
  await until([0, 1]);
  expect(version()).toBe('3');
  send('of', 'ADDED', { ...moved, resourceVersion: '4', labels: { of: 'g' } });
  await until([1, 1]);
  expect(version()).toBe('4');
});

test('leaves no timer and no stream behind when it comes and goes', async () => {
  const bench = await Bench.start(map('ours', { of: 'g' }));
  await bench.cache.synced(bench.signal);
  // Two watches wait for data, and the cache until it asks for the APIs again.
  const held = (): readonly number[] => [bench.clock.pending, bench.server.watches];
  await bench.until(() => String(held()) === '3,2');
  for (let round = 1; round <= 50; round += 1) {
    bench.server.act((all) => all.create(serviceOf('s', { needs: '' })));
    await bench.until(() => bench.isUp === 1);
    bench.server.act((all) => all.delete({ ...service, namespace: 'n', name: 's' }));
    await bench.until(() => bench.isUp === undefined);
  }
  await bench.until(() => bench.server.watches === 2);
  expect(held()).toEqual([3, 2]);
  expect(bench.server.requests.filter(isNeeded)).toHaveLength(50);
});
