/** An operator whose Lease has run out sends no write, although it has not noticed yet: the check stands before every write. */
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../lib/runtime/clock.ts';
import type { Controller } from '../../lib/runtime/controller.ts';
import { startOperator } from '../control-plane/operator.ts';
import { platformStore } from '../reconcile/cluster.ts';
import { MemoryApiServer } from './memory-api-server.ts';

const namespace = 'dynamo-system';

test.each([
  ['leader', ['--leader-elect', '--leader-election-id=id'], 10_000, 'NotLeadingError: leader election lost'],
  [
    'restricted operator',
    [`--restrictedNamespace=${namespace}`, '--operator-version=v1'],
    30_000,
    'ScopeLostError: the scope Lease of the namespace has expired',
  ],
])('a %s writes until its Lease has run out', async (_, args, lasts, refusal) => {
  const server = await MemoryApiServer.start({ store: platformStore() });
  onTestFinished(() => server.stop());
  let passed = 0;
  const clock = { ...systemClock, now: () => performance.now() + passed };
  const outcomes: string[] = [];
  const writer: Controller = {
    name: 'Writer',
    start: async ({ client }) => {
      for (const name of ['before', 'after']) {
        const write = client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name } });
        outcomes.push(await write.then(() => 'done', String));
        passed = lasts;
      }
    },
  };
  await startOperator({ namespace, kubeconfig: await server.kubeconfig(), args, controllers: [writer], place: { clock } });
  while (outcomes.length < 2) await setImmediate();
  expect(outcomes).toEqual(['done', refusal]);
  expect(server.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/configmaps'))).toHaveLength(1);
});
