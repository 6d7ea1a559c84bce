/** From a new graph to one that is ready: one creation for each child, one status for each real change; and nothing at all after a restart. */
import { expect, test } from 'vitest';
import { kinds } from '../../../lib/reconcile/index.ts';
import { graphOf, platformStore, runWorkloads } from '../../reconcile/cluster.ts';
import { groveGroups, runGrove } from '../../reconcile/grove.ts';
import { versionOf, type Store } from '../../reconcile/store.ts';
import { ControllerRig } from './controller-rig.ts';

const flags = [
  '--planner-cluster-role-name=planner',
  '--mpi-run-ssh-secret-name=mpi-run-ssh-secret',
  '--mpi-run-ssh-secret-namespace=dynamo-system',
];

function writesOf({ server }: ControllerRig): readonly string[] {
  return server.requests.flatMap(({ method, path }) =>
    method === 'GET' ? [] : [`${method} ${path.split('/namespaces/demo/')[1]}`],
  );
}

/** Counts status writes to resources of ours that store what is stored already. */
function countEqual(store: Store): () => number {
  let equal = 0;
  const write = store.status.bind(store);
  store.status = (object, version) => {
    const after = write(object, version);
    if (versionOf(after) === version && object['apiVersion'] === kinds.graph.apiVersion) equal += 1;
    return after;
  };
  return () => equal;
}

test.each([
  ['of components', [], runWorkloads],
  ['on Grove', groveGroups, runGrove],
] as const)('a graph %s is made and ready with no write too many', async (_, groups, move) => {
  const store = platformStore();
  const present = store.all().length;
  const setting = { flags, groups, store, move };
  const rig = await ControllerRig.start(setting);
  const made = store.create(graphOf('g'));
  const equalWrites = countEqual(store);
  rig.server.act(() => made);
  await rig.settle();
  expect(store.get({ ...kinds.graph, namespace: 'demo', name: 'g' })).toMatchObject({ status: { state: 'successful' } });
  const writes = writesOf(rig);
  const isMovers = ({ kind }: { readonly kind?: unknown }): boolean => kind === 'PodClique' || kind === 'PodCliqueScalingGroup';
  const created = store.all().filter((object) => !isMovers(object)).length - present - 1;
  expect(writes.filter((write) => write.startsWith('POST'))).toHaveLength(created);
  const others = writes.filter((write) => !write.startsWith('POST') && !write.endsWith('/status'));
  expect(others.filter((write) => !write.includes('events/'))).toEqual(['PATCH dynamographdeployments/g']);
  await rig.stop();

  const again = await ControllerRig.start(setting);
  expect(writesOf(again)).toEqual([]);
  await again.stop();
  expect(equalWrites()).toBe(0);
});

test('an account that a chart has made, without the label the operator gives, is not made again, nor tried to after a restart', async () => {
  const store = platformStore();
  store.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'planner-serviceaccount', namespace: 'demo' } });
  store.create(graphOf('g'));
  const setting = { flags, store, move: runWorkloads };
  const rig = await ControllerRig.start(setting);
  const accounts = store.all().filter(({ kind }) => kind === 'ServiceAccount').length;
  expect(writesOf(rig).filter((write) => write === 'POST serviceaccounts')).toHaveLength(accounts - 1);
  await rig.stop();
  const again = await ControllerRig.start(setting);
  expect(writesOf(again)).toEqual([]);
  await again.stop();
});
