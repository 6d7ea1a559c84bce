/** Orchestrators that are installed while the operator runs: graphs switch to them once their objects have been listed, and not before. */
import { expect, onTestFinished, test } from 'vitest';
import { kinds } from '../../../lib/reconcile/index.ts';
import { graphOf, platformStore, runWorkloads } from '../../reconcile/cluster.ts';
import { runGrove } from '../../reconcile/grove.ts';
import type { Store } from '../../reconcile/store.ts';
import { ControllerRig } from './controller-rig.ts';

const flags = [
  '--planner-cluster-role-name=planner',
  '--mpi-run-ssh-secret-name=mpi-run-ssh-secret',
  '--mpi-run-ssh-secret-namespace=dynamo-system',
];

function namesOf(store: Store, kind: string): readonly unknown[] {
  return store.all().filter((object) => object['kind'] === kind);
}

test('a graph goes over to Grove once Grove is there and has been listed, without an error on the way', async () => {
  const store = platformStore();
  store.create(graphOf('g'));
  const move = (all: Store): boolean => [runWorkloads(all), runGrove(all), all.collect()].includes(true);
  const rig = await ControllerRig.start({ flags, store, move });
  onTestFinished(() => rig.stop());
  expect([namesOf(store, 'Deployment').length, namesOf(store, 'PodCliqueSet').length]).toEqual([3, 0]);

  let list = (): void => {};
  const listed = new Promise<void>((resolve) => {
    list = resolve;
  });
  const isSets = ({ path }: { readonly path: string }): boolean => path.endsWith('/podcliquesets');
  rig.server.intercept = (seen) => (isSets(seen) ? listed : undefined);
  rig.server.serve('grove.io');
  await rig.clock.advance(66_000);
  await rig.server.until(isSets);
  await rig.settle();
  // Somebody who is in a hurry finds the old world.
  rig.server.act((all) => all.update({ ...kinds.graph, namespace: 'demo', name: 'g' }, (graph) => ({ ...graph })));
  await rig.settle();
  expect(rig.lines.filter(({ level }) => level === 'error')).toEqual([]);
  expect(namesOf(store, 'PodCliqueSet')).toEqual([]);

  list();
  await rig.server.until(({ method, path }) => method === 'POST' && path.endsWith('/podcliquesets'));
  await rig.settle();
  expect([namesOf(store, 'Deployment').length, namesOf(store, 'PodCliqueSet').length]).toEqual([0, 1]);
  expect(store.get({ ...kinds.graph, namespace: 'demo', name: 'g' })).toMatchObject({ status: { state: 'successful' } });
  expect(rig.lines.filter(({ level }) => level === 'error')).toEqual([]);
});
