import { expect, onTestFinished, test } from 'vitest';
import { kinds, type ObjectKey } from '../../../lib/reconcile/index.ts';
import { ApiClient } from '../../../lib/runtime/api/client.ts';
import { Transport } from '../../../lib/runtime/api/transport.ts';
import { Cache } from '../../../lib/runtime/cache/cache.ts';
import { Lookups } from '../../../lib/runtime/cache/lookups.ts';
import { MemoryApiServer } from '../memory-api-server.ts';

const role: ObjectKey = { ...kinds.clusterRole, namespace: '', name: 'planner' };

/** Look-ups in front of a server that has a ClusterRole and watches none. */
async function start(): Promise<{ readonly server: MemoryApiServer; readonly lookups: Lookups }> {
  const server = await MemoryApiServer.start();
  const config = { server: server.url, insecureSkipTlsVerify: false, namespace: 'default' };
  const transport = new Transport(config, { userAgent: 'manager/test' });
  onTestFinished(async () => {
    await transport.close();
    await server.stop();
  });
  const client = new ApiClient(transport);
  server.store.create({ ...kinds.clusterRole, metadata: { name: role.name } });
  return { server, lookups: new Lookups({ cache: new Cache({ client }), client, requeue: () => {} }) };
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
