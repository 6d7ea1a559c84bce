/** While pods come and go, a status that differs in counts alone is stored once a second; what changes the verdict is stored at once. */
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../../lib/json/index.ts';
import { kinds, type ObjectKey } from '../../../lib/reconcile/index.ts';
import { graphOf, platformStore, setStatus } from '../../reconcile/cluster.ts';
import { groveGroups, runGrove } from '../../reconcile/grove.ts';
import { ControllerRig } from './controller-rig.ts';

const flags = [
  '--planner-cluster-role-name=planner',
  '--mpi-run-ssh-secret-name=mpi-run-ssh-secret',
  '--mpi-run-ssh-secret-namespace=dynamo-system',
];
const graph: ObjectKey = { ...kinds.graph, namespace: 'demo', name: 'g' };
const clique: ObjectKey = { ...kinds.podClique, namespace: 'demo', name: 'g-0-decode' };

test('counts wait for a second, a new state does not', async () => {
  const store = platformStore();
  store.create(graphOf('g'));
  let isMoving = true;
  const rig = await ControllerRig.start({ flags, groups: groveGroups, store, move: (all) => isMoving && runGrove(all) });
  onTestFinished(() => rig.stop());
  isMoving = false;
  expect(store.get(graph)).toMatchObject({ status: { state: 'successful' } });
  const stored = (): number =>
    rig.server.requests.filter(({ method, path }) => method === 'PUT' && path.endsWith('/dynamographdeployments/g/status'))
      .length;
  const tick = async (counts: JsonObject): Promise<number> => {
    const before = stored();
    rig.server.act((all) => {
      const live = all.get(clique) ?? {};
      return setStatus(all, live, { ...(live['status'] as JsonObject), ...counts });
    });
    await rig.settle();
    return stored() - before;
  };
  expect(await tick({ updatedReplicas: 0 })).toBe(1);
  expect(await tick({ replicas: 0 })).toBe(0);
  expect(await tick({ readyReplicas: 0 })).toBe(0);
  expect(store.get(graph)).toMatchObject({ status: { services: { decode: { replicas: 1, readyReplicas: 1 } } } });
  await rig.clock.advance(1000);
  await rig.settle();
  expect(store.get(graph)).toMatchObject({ status: { services: { decode: { replicas: 0, readyReplicas: 0 } } } });
  expect(await tick({ replicas: 1 })).toBe(0);
  expect(await tick({ updatedReplicas: 1, readyReplicas: 1 })).toBe(1);
  expect(store.get(graph)).toMatchObject({
    status: { state: 'successful', services: { decode: { replicas: 1, readyReplicas: 1 } } },
  });
});
