/** What no watch shows is asked for again every minute while a graph that needs it is not ready; afterwards only by passes, after a minute. */
import { expect, onTestFinished, test } from 'vitest';
import { objectAt } from '../../../lib/json/index.ts';
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

async function converged(store = platformStore()): Promise<ControllerRig> {
  store.create(graphOf('g'));
  const rig = await ControllerRig.start({ flags, store, move: runWorkloads });
  onTestFinished(() => rig.stop());
  expect(store.get(graph)).toMatchObject({ status: { state: 'successful' } });
  return rig;
}

function edit(rig: ControllerRig, value: string): Promise<void> {
  const envs = [{ name: 'A', value }];
  rig.server.act((store) => store.update(graph, (object) => ({ ...object, spec: { ...objectAt(object, 'spec'), envs } })));
  return rig.settle();
}

test('knows a minute later that a ClusterRole is gone, when a graph that was ready changes', async () => {
  const rig = await converged();
  rig.server.act((store) => store.delete(role));
  await edit(rig, 'a');
  expect(rig.server.store.get(graph)).toMatchObject({ status: { state: 'successful' } });
  await rig.clock.advance(60_000);
  await edit(rig, 'b');
  expect(rig.server.store.get(graph)).toMatchObject({
    status: { state: 'failed', conditions: [{ message: expect.stringContaining('cluster role "planner" does not exist') }] },
  });
});

test('knows its own change of a binding that no watch shows', async () => {
  const binding = { ...kinds.roleBinding, namespace: 'demo', name: 'planner-serviceaccount-binding' };
  const store = platformStore();
  store.create({
    apiVersion: binding.apiVersion,
    kind: binding.kind,
    metadata: { name: binding.name, namespace: binding.namespace },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role.name },
    subjects: [],
  });
  const rig = await converged(store);
  await edit(rig, 'a');
  const patches = rig.server.requests.filter(({ method, path }) => method === 'PATCH' && path.endsWith(`/${binding.name}`));
  expect(patches).toHaveLength(1);
  expect(store.get(binding)).toMatchObject({ subjects: [{ name: 'planner-serviceaccount', namespace: 'demo' }] });
});
