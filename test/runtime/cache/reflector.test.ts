import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { isObject } from '../../../lib/json/index.ts';
import type { KubernetesObject } from '../../../lib/api/index.ts';
import { wholeObject } from '../../../lib/runtime/cache/projection.ts';
import { Reflector } from '../../../lib/runtime/cache/reflector.ts';
import { Store } from '../../../lib/runtime/cache/store.ts';
import { type Logger, noLog } from '../../../lib/runtime/logger.ts';
import { noMetrics } from '../../../lib/runtime/metric-sink.ts';
import { answeringClient } from '../answering-client.ts';
import { DrivenClock, settled } from '../driven-clock.ts';
import { RecordedMetrics } from '../recorded-metrics.ts';

const count = 100;
const watched = { apiVersion: 'v1', kind: 'ConfigMap' };
const bookmark = {
  type: 'BOOKMARK',
  object: { ...watched, metadata: { resourceVersion: '1', annotations: { 'k8s.io/initial-events-end': 'true' } } },
};
const gone = { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' } };

/** Begins a watch that lists nothing. */
function sendList(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' }).write(`${JSON.stringify(bookmark)}\n`);
}

const parts = { watched, project: wholeObject, metrics: noMetrics, log: noLog, onState: () => {} };

/** Runs a reflector until the test ends. */
function run(options: Pick<ConstructorParameters<typeof Reflector>[0], 'client'> & { readonly log?: Logger }): Reflector {
  const reflector = new Reflector({ ...parts, ...options, store: new Store({}, () => {}) });
  const stop = new AbortController();
  const ended = reflector.run(stop.signal);
  onTestFinished(() => {
    stop.abort();
    return ended;
  });
  return reflector;
}

test('a server that takes requests and no longer answers is asked ever more rarely, and the log says so', async () => {
  const clock = new DrivenClock();
  const said: string[] = [];
  const log = { ...noLog, error: (message: string, error: unknown) => void said.push(`${message}: ${String(error)}`) };
  const streams: ServerResponse[] = [];
  const answer = (_: IncomingMessage, response: ServerResponse): void => {
    if (streams.length === 0) sendList(response);
    streams.push(response);
  };
  const reflector = run({ client: await answeringClient(answer, { clock, random: () => 0.5 }), log });
  while (!reflector.isSynced) await settled();
  streams[0]?.destroy();
  for (const wait of [800, 1600, 3200, 6400]) {
    await clock.until(() => clock.dueIn(wait));
    await clock.advance(wait);
    await clock.until(() => clock.dueIn(30_000));
    await clock.advance(30_000);
  }
  expect(said).toEqual(['Watch could not be established: ConnectionError: GET /api/v1/configmaps: no answer within 30 s']);
});

test.each([
  ['keeps its version while the server', 429, 'asks for patience', 'resourceVersion=1'],
  ['keeps its version while the server', 503, 'is not ready', 'resourceVersion=1'],
  ['gives its version up when the server', 500, 'fails at it', 'sendInitialEvents=true'],
])('%s answers %d and %s', async (_, status, __, query) => {
  const clock = new DrivenClock();
  const asked: string[] = [];
  const streams: ServerResponse[] = [];
  const client = await answeringClient(
    ({ url = '' }, response) => {
      asked.push(url);
      streams.push(response);
      if (streams.length === 1) sendList(response);
      else
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ kind: 'Status', code: status }));
    },
    { clock, random: () => 0.5 },
  );
  const reflector = run({ client });
  while (!reflector.isSynced) await settled();
  streams[0]?.destroy();
  for (const wait of [800, 1600, 3200, 6400, 12_800]) {
    await clock.until(() => clock.dueIn(wait));
    await clock.advance(wait);
  }
  while (asked.length < 6) await settled();
  expect(asked[5]).toContain(query);
});

test.each([
  ['as long as the server asks it to', '7', 7700],
  ['no longer than half a minute, whatever the server asks for', '86400', 33_000],
  ['as long as usual if the server asks for less', '0', 800],
])('a watch that is refused waits %s', async (_, retryAfter, wait) => {
  const clock = new DrivenClock();
  const client = await answeringClient(
    (__, response) => void response.writeHead(429, { 'retry-after': retryAfter, 'content-type': 'text/plain' }).end('too many'),
    { clock, random: () => 0.5 },
  );
  const reflector = run({ client });
  while (reflector.problem(0)?.includes('answered 429') !== true) await settled();
  expect(clock.waits().map(Math.round)).toEqual([wait]);
});

/** Begins a watch on a clock that the test moves, with the answer to each request after its list; returns once it has listed. */
async function listed(answers: readonly ((response: ServerResponse) => void)[]): Promise<{
  readonly clock: DrivenClock;
  readonly reflector: Reflector;
  /** The part of each request that says from where it watches. */
  readonly starts: readonly (string | undefined)[];
  readonly streams: readonly ServerResponse[];
}> {
  const clock = new DrivenClock();
  const starts: (string | undefined)[] = [];
  const streams: ServerResponse[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    (answers[starts.length - 1] ?? sendList)(response);
    starts.push(/sendInitialEvents=true|resourceVersion=\d+/.exec(request.url ?? '')?.[0]);
    streams.push(response);
  };
  const reflector = run({ client: await answeringClient(answer, { clock, random: () => 0.5 }) });
  while (!reflector.isSynced) await settled();
  return { clock, reflector, starts, streams };
}

function sendHead(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
}

function refuse(response: ServerResponse): void {
  response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ kind: 'Status', code: 500 }));
}

test.each([
  [
    'goes on from its version however often the connection breaks',
    (response: ServerResponse) => response.destroy(),
    'resourceVersion=1',
  ],
  ['lists again after the third refusal to go on from its version', refuse, 'sendInitialEvents=true'],
])('a watch %s', async (_, fail, last) => {
  const { clock, starts, streams } = await listed([fail, fail, fail]);
  streams[0]?.destroy();
  for (const wait of [800, 1600, 3200, 6400]) {
    await clock.until(() => clock.dueIn(wait));
    await clock.advance(wait);
  }
  while (starts.length < 5) await settled();
  expect(starts).toEqual(['sendInitialEvents=true', ...Array<string>(3).fill('resourceVersion=1'), last]);
});

test('a lost version leads to a list at once again after the watch was healthy for a while', async () => {
  const { clock, reflector, starts, streams } = await listed([sendList]);
  const lose = async (): Promise<readonly number[]> => {
    streams.at(-1)?.write(`${JSON.stringify(gone)}\n`);
    while (reflector.problem(0) === undefined) await settled();
    return clock.waits();
  };
  expect(await lose()).toEqual([200]);
  await clock.advance(200);
  while (reflector.problem(0) !== undefined) await settled();
  await clock.advance(10_000);
  expect(await lose()).toEqual([200]);
  await clock.advance(200);
  while (starts.length < 3) await settled();
});

test('a lost version takes nothing from the store', async () => {
  const object = { ...watched, metadata: { namespace: 'n', name: 'a', uid: 'u', resourceVersion: '1' } };
  const clock = new DrivenClock();
  const streams: ServerResponse[] = [];
  const client = await answeringClient(
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(`${JSON.stringify({ type: 'ADDED', object })}\n${JSON.stringify(bookmark)}\n`);
      streams.push(response);
    },
    { clock, random: () => 0.5 },
  );
  const changes: unknown[] = [];
  const store = new Store({}, (change) => void changes.push(change));
  const reflector = new Reflector({ ...parts, client, store });
  const stop = new AbortController();
  const ended = reflector.run(stop.signal);
  while (!reflector.isSynced) await settled();
  streams[0]?.write(`${JSON.stringify(gone)}\n`);
  while (reflector.problem(0) === undefined) await settled();
  expect(store.size).toBe(1);
  await clock.advance(200);
  while (reflector.problem(0) !== undefined) await settled();
  stop.abort();
  await ended;
  expect(changes).toHaveLength(1);
});

test.each([
  ['a server that sends bookmarks is never left silent for longer than they take', true, 100_000],
  ['a server that sends no bookmarks is believed for longer each time it was silent', false, 200_000],
])('%s', async (_, sendsBookmark, idle) => {
  const { clock, reflector, starts, streams } = await listed([sendHead]);
  if (sendsBookmark) {
    const metadata = { resourceVersion: '2' };
    streams[0]?.write(`${JSON.stringify({ type: 'BOOKMARK', object: { ...watched, metadata } })}\n`);
  }
  await settled();
  await clock.advance(100_000);
  while (reflector.problem(0) === undefined) await settled();
  await clock.until(() => clock.dueIn(800));
  await clock.advance(800);
  while (reflector.problem(0) !== undefined) await settled();
  expect([starts.at(-1), clock.waits()]).toEqual([`resourceVersion=${sendsBookmark ? 2 : 1}`, [idle]]);
});

test('a hundred watches that lose their versions together list once each, at moments of their own, and then back off', async () => {
  const clock = new DrivenClock();
  const streams: ServerResponse[] = [];
  let drawn = 0;
  const random = (): number => (drawn += 0.618) % 1;
  const client = await answeringClient(
    (request, response) => {
      expect(request.url).toContain('sendInitialEvents=true');
      sendList(response);
      streams.push(response);
    },
    { clock, random },
  );
  const reflectors = Array.from({ length: count }, () => run({ client }));
  const listed = async (times: number): Promise<void> => {
    while (streams.length < times * count || reflectors.some((one) => one.problem(0) !== undefined)) await settled();
  };
  const lose = async (): Promise<void> => {
    for (const stream of streams.slice(-count)) stream.write(`${JSON.stringify(gone)}\n`);
    while (reflectors.some((one) => one.problem(0) === undefined)) await settled();
  };

  await listed(1);
  await lose();
  const quarters = [0, 1, 2, 3].map((quarter) => clock.waits().filter((wait) => Math.floor(wait / 100) === quarter).length);
  expect(Math.min(...quarters), `lists in each tenth of a second: ${quarters.join()}`).toBeGreaterThan(count / 8);
  expect(Math.max(...clock.waits())).toBeLessThanOrEqual(400);
  await clock.advance(400);
  await listed(2);

  await lose();
  expect(Math.min(...clock.waits())).toBeGreaterThanOrEqual(400);
  expect(Math.max(...clock.waits())).toBeLessThanOrEqual(1200);
  expect(streams.length).toBe(2 * count);
});

test.each([
  ['streams', (): ServerResponse['statusCode'] => 200],
  ['pages', (request: IncomingMessage) => (request.url?.includes('watch=true') === true ? 400 : 200)],
])('a list by %s that arrives while the watch is told to stop changes nothing', async (_, statusOf) => {
  const object = { ...watched, metadata: { namespace: 'n', name: 'a', uid: 'u', resourceVersion: '1' } };
  const client = await answeringClient(
    (request, response) => {
      response.writeHead(statusOf(request), { 'content-type': 'application/json' });
      if (request.url?.includes('watch=true') !== true)
        response.end(JSON.stringify({ kind: 'List', metadata: { resourceVersion: '1' }, items: [object] }));
      else if (statusOf(request) === 400) response.end(JSON.stringify({ kind: 'Status', code: 400, reason: 'BadRequest' }));
      else response.write(`${JSON.stringify({ type: 'ADDED', object })}\n${JSON.stringify(bookmark)}\n`);
    },
    { random: () => 0 },
  );
  const stop = new AbortController();
  const metrics = new RecordedMetrics();
  const store = new Store({}, () => {});
  const project: typeof wholeObject = (listed) => {
    stop.abort(new Error('no longer wanted'));
    return wholeObject(listed);
  };
  const reflector = new Reflector({ ...parts, client, store, metrics, project });
  await reflector.run(stop.signal);
  expect([store.size, reflector.isSynced, metrics.value('dynamo_operator_watch_up', { watch: 'v1/ConfigMap' })]).toEqual([
    0,
    false,
    undefined,
  ]);
});

test('an event that arrives together with the one for which the watch is told to stop changes nothing', async () => {
  const metadata = { namespace: 'n', name: 'a', uid: 'u', resourceVersion: '1' };
  const events = [
    { type: 'ADDED', object: { ...watched, metadata } },
    bookmark,
    { type: 'DELETED', object: { ...watched, metadata: { ...metadata, resourceVersion: '2' } } },
    { type: 'ADDED', object: { ...watched, metadata: { ...metadata, name: 'b', uid: 'v', resourceVersion: '3' } } },
  ];
  const client = await answeringClient((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  });
  const stop = new AbortController();
  const metrics = new RecordedMetrics();
  const store = new Store({}, ({ after }) => {
    if (after === undefined) stop.abort(new Error('no longer wanted'));
  });
  await new Reflector({ ...parts, client, store, metrics }).run(stop.signal);
  expect([store.size, metrics.value('dynamo_operator_watch_up', { watch: 'v1/ConfigMap' })]).toEqual([0, undefined]);
});

test('a list by streams takes in what changes before the list ends', async () => {
  const event = (type: string, name: string, resourceVersion: string, data: object = { owner: 'ours' }): object => ({
    type,
    object: { ...watched, metadata: { namespace: 'n', name, uid: `uid-${name}`, resourceVersion }, data },
  });
  const end = { ...bookmark, object: { ...bookmark.object, metadata: { ...bookmark.object.metadata, resourceVersion: '9' } } };
  const events = [
    event('ADDED', 'edited', '1'),
    event('ADDED', 'deleted', '2'),
    event('ADDED', 'given-away', '3'),
    event('ADDED', 'foreign', '4', {}),
    event('MODIFIED', 'edited', '6', { owner: 'ours', new: 'yes' }),
    event('DELETED', 'deleted', '7'),
    event('MODIFIED', 'given-away', '8', {}),
    event('ADDED', 'made', '9'),
    end,
  ];
  const client = await answeringClient((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(events.map((one) => `${JSON.stringify(one)}\n`).join(''));
  });
  const changes: string[] = [];
  const store = new Store({}, ({ after }) => void changes.push(`${after?.metadata.name} ${after?.metadata.resourceVersion}`));
  const stop = new AbortController();
  const keep = ({ data }: KubernetesObject): boolean => isObject(data) && data['owner'] === 'ours';
  const reflector = new Reflector({ ...parts, watched: { ...watched, keep, marker: 'ours' }, client, store });
  const ended = reflector.run(stop.signal);
  while (!reflector.isSynced) await settled();
  stop.abort();
  await ended;
  expect(changes).toEqual(['edited 6', 'made 9']);
});
