/** What the operator asks and writes while nothing changes: nothing, or once a minute what no watch shows and a graph still waits for. */
import { expect, onTestFinished, test } from 'vitest';
import { kinds } from '../../../lib/reconcile/index.ts';
import { graphOf, platformStore, runWorkloads } from '../../reconcile/cluster.ts';
import { groveGroups, runGrove } from '../../reconcile/grove.ts';
import type { Store } from '../../reconcile/store.ts';
import { ControllerRig } from './controller-rig.ts';

const flags = [
  '--planner-cluster-role-name=planner',
  '--mpi-run-ssh-secret-name=mpi-run-ssh-secret',
  '--mpi-run-ssh-secret-namespace=dynamo-system',
];
const key = { ...kinds.graph, namespace: 'demo', name: 'g' };
const minutes = 30;

/** Starts the controllers over a new graph, and counts the requests of some minutes after everything has come to rest. */
async function quietMinutes(
  groups: readonly string[],
  move: (store: Store) => boolean,
): Promise<{ readonly graph: unknown; readonly requests: Readonly<Record<string, number>> }> {
  const store = platformStore();
  store.create(graphOf('g'));
  const rig = await ControllerRig.start({ flags, groups, store, move });
  onTestFinished(() => rig.stop());
  const before = rig.server.requests.length;
  for (let minute = 0; minute < minutes; minute += 1) await rig.minute();
  const requests: Record<string, number> = {};
  for (const { method, path, isWatch } of rig.server.requests.slice(before)) {
    const request = `${isWatch ? 'WATCH' : method} ${path}`;
    requests[request] = (requests[request] ?? 0) + 1;
  }
  return { graph: store.get(key), requests };
}

/** The operator looks every minute, whatever it has to do, whether the cluster serves other APIs. */
function withoutDiscovery({
  'GET /apis': looks = 0,
  ...others
}: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  expect(looks).toBeLessThanOrEqual(minutes);
  return others;
}

const orchestrations = [
  ['of components', [], runWorkloads],
  ['on Grove', groveGroups, runGrove],
] as const;

test.each(orchestrations)(
  'no request is made for a graph %s that is ready, however long it stays so',
  async (_, groups, move) => {
    const { graph, requests } = await quietMinutes(groups, move);
    expect(graph).toMatchObject({ status: { state: 'successful' } });
    expect(withoutDiscovery(requests)).toEqual({});
  },
);

test.each(orchestrations)('a graph %s that is pending costs one request a minute, for what no watch shows', async (_, groups) => {
  const { graph, requests } = await quietMinutes(groups, () => false);
  expect(graph).toMatchObject({ status: { state: 'pending' } });
  expect(withoutDiscovery(requests)).toEqual({ 'GET /apis/rbac.authorization.k8s.io/v1/clusterroles/planner': minutes });
});
