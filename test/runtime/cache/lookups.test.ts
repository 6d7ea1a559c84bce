import { expect, onTestFinished, test } from 'vitest';
import { kinds, type ObjectKey } from '../../../lib/reconcile/index.ts';
import { ApiClient } from '../../../lib/runtime/api/client.ts';
import { Cache } from '../../../lib/runtime/cache/cache.ts';
import { Lookups } from '../../../lib/runtime/cache/lookups.ts';
import { DrivenClock, settled } from '../driven-clock.ts';
import { MemoryApiServer } from '../memory-api-server.ts';
import { ObservedTransport } from '../observed-transport.ts';

const role: ObjectKey = { ...kinds.clusterRole, namespace: '', name: 'planner' };

interface Started {
  readonly server: MemoryApiServer;
  readonly clock: DrivenClock;
  readonly client: ApiClient;
  readonly transport: ObservedTransport;
  readonly lookups: Lookups;
  /** Users that were queued again. */
  readonly queued: string[];
}

/** Look-ups in front of a server that has a ClusterRole and watches none. */
async function start(): Promise<Started> {
  const server = await MemoryApiServer.start();
  const clock = new DrivenClock();
  const config = { server: server.url, insecureSkipTlsVerify: false, namespace: 'default' };
  const transport = new ObservedTransport(config, { userAgent: 'manager/test', clock });
  onTestFinished(async () => {
    await transport.close();
    await server.stop();
  });
  const client = new ApiClient(transport);
  server.store.create({ ...kinds.clusterRole, metadata: { name: role.name } });
  const queued: string[] = [];
  const lookups = new Lookups({ cache: new Cache({ client }), client, requeue: (user) => void queued.push(user) });
  return { server, clock, client, transport, lookups, queued };
}

test('an answer of the API server is kept while a user depends on it, and asked for anew when one does again', async () => {
  const { lookups } = await start();
  const first = lookups.begin('user');
  expect(first.get(role)).toBeUndefined();
  expect(await first.ask(role)).toMatchObject({ metadata: { name: 'planner' } });
  first.end(true);
  const second = lookups.begin('user');
  expect(second.get(role)).toMatchObject({ metadata: { name: 'planner' } });
  second.end(true);
  lookups.begin('user').end(true);
  expect(lookups.begin('user').get(role)).toBeUndefined();
});

test('an answer stays known for as long as one of several users depends on it', async () => {
  const { lookups } = await start();
  for (const user of ['one', 'other']) {
    const pass = lookups.begin(user);
    if (pass.get(role) === undefined) await pass.ask(role);
    pass.end(true);
  }
  lookups.forget('one');
  expect(lookups.begin('third').get(role)).toMatchObject({ metadata: { name: 'planner' } });
});

/** Has users look the ClusterRole up; none of them is settled. */
async function ask(lookups: Lookups, ...users: readonly string[]): Promise<void> {
  for (const user of users) {
    const pass = lookups.begin(user);
    await pass.ask(role);
    pass.end(false);
  }
}

const relabelled = (client: ApiClient, team: string) => client.merge(role, { metadata: { labels: { team } } });

test('a write of one user queues the others that looked its object up, if it changed anything', async () => {
  const { client, lookups, queued } = await start();
  await ask(lookups, 'writer', 'other');
  const written = await relabelled(client, 'a');
  lookups.record(written, 'writer');
  expect(queued).toEqual(['other']);
  lookups.record({ ...written, metadata: { ...written.metadata, resourceVersion: '99' } }, 'writer');
  expect(queued).toEqual(['other']);
  expect(lookups.begin('third').get(role)).toMatchObject({ metadata: { labels: { team: 'a' } } });
  lookups.recordDeleted(role, 'other');
  expect(queued).toEqual(['other', 'writer', 'third']);
});

test('an answer to one user that is news queues the others', async () => {
  const { client, lookups, queued } = await start();
  await ask(lookups, 'one', 'other');
  await relabelled(client, 'a');
  await ask(lookups, 'one');
  expect(queued).toEqual(['other']);
  await client.delete(role);
  expect(await lookups.begin('other').reread(role)).toBeNull();
  expect(queued).toEqual(['other', 'one']);
});

test.each(['a user', 'the clock'])('an answer that %s waited for during a write does not hide the write', async (who) => {
  const { server, clock, client, transport, lookups } = await start();
  await ask(lookups, 'writer');
  const stop = new AbortController();
  const running = lookups.run(stop.signal);
  onTestFinished(() => {
    stop.abort(new Error('the test is over'));
    return running;
  });
  let answer = (): void => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.delay = ({ method }) => (method === 'GET' ? held : undefined);
  const before = server.requests.length;
  const reading = who === 'a user' ? lookups.begin('reader').ask(role) : clock.advance(60_000);
  while (server.requests.length === before) await settled();
  await settled();
  lookups.record(await relabelled(client, 'a'), 'writer');
  answer();
  await reading;
  while (transport.underWay > 0) await settled();
  await settled();
  expect(lookups.begin('third').get(role)).toMatchObject({ metadata: { labels: { team: 'a' } } });
});
