/** A watch may show a write of a pass before the write is answered. That leads to no further pass, but changes that others made meanwhile do. */
import { expect, onTestFinished, test } from 'vitest';
import { objectAt } from '../../../lib/json/index.ts';
import { kinds } from '../../../lib/reconcile/index.ts';
import { graphOf, platformStore } from '../../reconcile/cluster.ts';
import { keyOf, type Store } from '../../reconcile/store.ts';
import type { SeenRequest } from '../memory-api-server.ts';
import { ControllerRig } from './controller-rig.ts';

const flags = [
  '--planner-cluster-role-name=planner',
  '--mpi-run-ssh-secret-name=mpi-run-ssh-secret',
  '--mpi-run-ssh-secret-namespace=dynamo-system',
];

/** Starts the controllers with a store in which children are shown by the watches first. */
async function startWithLateAnswers(store: Store, meanwhile: (request: SeenRequest) => void = () => {}): Promise<ControllerRig> {
  const rig = await ControllerRig.start({ flags, store });
  onTestFinished(() => rig.stop());
  rig.server.delay = (request) => {
    if (request.method !== 'POST' || !/\/(services|deployments)$/.test(request.path)) return undefined;
    return new Promise((resolve) => {
      const end = rig.cache.onChange(({ before }) => {
        if (before !== undefined) return;
        end();
        meanwhile(request);
        resolve();
      });
    });
  };
  return rig;
}

/** How many passes over components there were. */
async function passes(rig: ControllerRig): Promise<number> {
  const series = await rig.series('controller_runtime_reconcile_total');
  const own = series.filter((line) => line.includes('"DynamoComponentDeployment"'));
  return own.reduce((total, line) => total + Number(line.split('} ')[1]), 0);
}

const components = (store: Store): number => store.all().filter(({ kind }) => kind === kinds.component.kind).length;

test('a component is passed over once, also where the watches show its children first', async () => {
  const store = platformStore();
  const rig = await startWithLateAnswers(store);
  rig.server.act((all) => all.create(graphOf('g')));
  await rig.settle();
  expect(components(store)).toBeGreaterThan(0);
  expect(await passes(rig)).toBe(components(store));
});

test('what somebody else changes while a creation is not answered yet is repaired at once', async () => {
  const store = platformStore();
  let edits = 0;
  const rig = await startWithLateAnswers(store, ({ path }) => {
    if (!path.endsWith('/deployments') || edits > 0) return;
    edits += 1;
    const [deployment] = store.all().filter(({ kind }) => kind === kinds.deployment.kind);
    if (deployment === undefined) throw new Error('no Deployment');
    rig.server.act((all) =>
      all.update(keyOf(deployment), (object) => ({ ...object, spec: { ...objectAt(object, 'spec'), replicas: 7 } })),
    );
  });
  rig.server.act((all) => all.create(graphOf('g')));
  await rig.settle();
  expect(edits).toBe(1);
  const replicas = store
    .all()
    .flatMap((object) => (object['kind'] === 'Deployment' ? [objectAt(object, 'spec')['replicas']] : []));
  expect(replicas).not.toContain(7);
  expect(await passes(rig)).toBeGreaterThan(components(store));
});
