/** What no watch shows is asked for again every minute while a graph that needs it is not ready, and no longer once it is. */
import { expect, onTestFinished, test } from 'vitest';
import { kinds, type ObjectKey } from '../../../lib/reconcile/index.ts';
import { graphOf, platformStore, runWorkloads } from '../../reconcile/cluster.ts';
import { ControllerRig } from './controller-rig.ts';

const flags = [
  '--planner-cluster-role-name=planner',
  '--mpi-run-ssh-secret-name=mpi-run-ssh-secret',
  '--mpi-run-ssh-secret-namespace=dynamo-system',
];
const role: ObjectKey = { ...kinds.clusterRole, namespace: '', name: 'planner' };
const graph: ObjectKey = { ...kinds.graph, namespace: 'demo', name: 'g' };

test('asks for a ClusterRole every minute until a graph that waits for it is ready', async () => {
  const store = platformStore();
  store.delete(role);
  store.create(graphOf('g'));
  const rig = await ControllerRig.start({ flags, store, move: runWorkloads });
  onTestFinished(() => rig.stop());
  const asked = (): number => rig.server.requests.filter(({ path }) => path.endsWith('/clusterroles/planner')).length;
  const minute = async (): Promise<void> => {
    await rig.clock.advance(60_000);
    await rig.settle();
  };
  expect(store.get(graph)).toMatchObject({
    status: { state: 'failed', conditions: [{ message: expect.stringContaining('cluster role "planner" does not exist') }] },
  });
  expect(asked()).toBe(1);
  // Tries in between do not ask: the answer of a minute ago is good enough.
  await minute();
  expect(asked()).toBe(2);
  rig.server.act((all) => all.create({ apiVersion: role.apiVersion, kind: role.kind, metadata: { name: role.name } }));
  await rig.settle();
  expect(store.get(graph)).toMatchObject({ status: { state: 'failed' } });
  await minute();
  expect(asked()).toBe(3);
  expect(store.get(graph)).toMatchObject({ status: { state: 'successful' } });
  for (let count = 0; count < 5; count += 1) await minute();
  expect(asked()).toBe(3);
});
