/** A restart that another operator began is brought to its end: what it has restarted is not restarted again, and its adapters are left alone. */
import { expect, onTestFinished, test } from 'vitest';
import { isList, objectAt, stringAt, valueAt, type JsonObject } from '../../../lib/json/index.ts';
import { kinds, type ObjectKey } from '../../../lib/reconcile/index.ts';
import { graphOf, platformStore, readyStatus, setStatus } from '../../reconcile/cluster.ts';
import { keyOf, type Store } from '../../reconcile/store.ts';
import { ControllerRig } from './controller-rig.ts';

const flags = [
  '--planner-cluster-role-name=planner',
  '--mpi-run-ssh-secret-name=mpi-run-ssh-secret',
  '--mpi-run-ssh-secret-namespace=dynamo-system',
];
const graphKey: ObjectKey = { ...kinds.graph, namespace: 'demo', name: 'g' };
const adapterKey: ObjectKey = { ...kinds.adapter, namespace: 'demo', name: 'g-decode' };
const order = ['decode', 'prefill', 'Frontend'];

/** Lets all Deployments reach their specs but the one of a service that waits for a node. */
function moveAllBut(waiting: string): (store: Store) => boolean {
  return (store) =>
    store
      .all()
      .filter((object) => keyOf(object).kind === 'Deployment' && keyOf(object).name !== waiting)
      .reduce((hasMoved, object) => setStatus(store, object, readyStatus(object)) || hasMoved, false);
}

const inProgress = (store: Store): readonly unknown[] => {
  const names = valueAt(store.get(graphKey) ?? {}, 'status', 'restart', 'inProgress');
  return isList(names) ? names : [];
};

test('and nothing is written before the service that waits has restarted', async () => {
  const store = platformStore();
  const made = graphOf('g');
  const decode: JsonObject = { ...objectAt(made, 'spec', 'services', 'decode'), scalingAdapter: { enabled: true } };
  store.create({ ...made, spec: { services: { ...objectAt(made, 'spec', 'services'), decode } } });
  const first = await ControllerRig.start({ flags, store, move: moveAllBut('') });
  await first.stop();
  const value = { id: 'r3', strategy: { type: 'Sequential', order } };
  store.patch(graphKey, [{ op: 'add', path: '/spec/restart', value }]);
  const second = await ControllerRig.start({ flags, store, move: moveAllBut('g-prefill') });
  await second.stop();
  expect(inProgress(store)).toEqual(['prefill']);
  // What the original leaves there when it has scaled before.
  const adapter = store.get(adapterKey) ?? {};
  const lastScaleTime = '2026-01-01T00:00:00Z';
  setStatus(store, adapter, { ...objectAt(adapter, 'status'), lastScaleTime });
  const generations = (name: string): unknown => store.get({ ...kinds.deployment, namespace: 'demo', name })?.['spec'];
  const decodeBefore = generations('g-decode');

  let waiting = 'g-prefill';
  const third = await ControllerRig.start({ flags, store, move: (all) => moveAllBut(waiting)(all) });
  onTestFinished(() => third.stop());
  const writes = third.server.requests.flatMap(({ method, path }) => (method === 'GET' ? [] : [`${method} ${path}`]));
  expect(writes).toEqual([]);
  waiting = '';
  await third.settle();
  for (let tries = 0; tries < 5; tries += 1) {
    await third.clock.advance(5000);
    await third.settle();
  }
  expect(store.get(graphKey)).toMatchObject({ status: { restart: { observedID: 'r3', phase: 'Completed' } } });
  expect(generations('g-decode')).toEqual(decodeBefore);
  expect(stringAt(store.get(adapterKey) ?? {}, 'status', 'lastScaleTime')).toBe(lastScaleTime);
});
