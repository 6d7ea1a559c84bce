/** Objects of other owners, of the kinds that a cluster has most of: the API server is asked for none of them. */
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../../lib/json/index.ts';
import { kinds } from '../../../lib/reconcile/index.ts';
import { componentOf, graphOf, platformStore, runWorkloads } from '../../reconcile/cluster.ts';
import type { Store } from '../../reconcile/store.ts';
import { ControllerRig } from './controller-rig.ts';

const flags = [
  '--planner-cluster-role-name=planner',
  '--mpi-run-ssh-secret-name=mpi-run-ssh-secret',
  '--mpi-run-ssh-secret-namespace=dynamo-system',
];
const count = 100;
const foreign: readonly JsonObject[] = [
  { ...kinds.deployment, spec: { replicas: 1 } },
  { ...kinds.pod, spec: { containers: [{ name: 'main', image: 'i' }] } },
  { ...kinds.secret, type: 'Opaque', data: { key: 'eA==' } },
  { ...kinds.configMap, data: { key: 'x' } },
];

/** The changes that an operator is told of when others make objects. */
async function toldOfOthers(store: Store): Promise<number> {
  const rig = await ControllerRig.start({ flags, store, move: runWorkloads });
  onTestFinished(() => rig.stop());
  const { server } = rig;
  const before = server.told;
  server.act((all) => {
    for (let index = 0; index < count; index += 1)
      for (const object of foreign)
        all.create({ ...object, metadata: { namespace: 'demo', name: `foreign-${index}`, labels: { app: 'x' } } });
  });
  return server.told - before;
}

test('none of them reaches an operator that has graphs', async () => {
  const store = platformStore();
  store.create(graphOf('g'));
  expect(await toldOfOthers(store)).toBe(0);
});

test('only Deployments reach one that has a component without the label of a graph', async () => {
  const store = platformStore();
  store.create(componentOf('solo'));
  expect(await toldOfOthers(store)).toBe(count);
});
