/** Metrics about passes and about the number of resources. */
import { expect, onTestFinished, test } from 'vitest';
import { kinds, type ObjectKey } from '../../../lib/reconcile/index.ts';
import { keepInventory } from '../../../lib/runtime/inventory.ts';
import { graphOf, platformStore, runWorkloads } from '../../reconcile/cluster.ts';
import { ControllerRig } from './controller-rig.ts';

const flags = [
  '--planner-cluster-role-name=planner',
  '--mpi-run-ssh-secret-name=mpi-run-ssh-secret',
  '--mpi-run-ssh-secret-namespace=dynamo-system',
];
const role: ObjectKey = { ...kinds.clusterRole, namespace: '', name: 'planner' };

/** The results of passes over graphs, without how many there were. */
async function results(rig: ControllerRig, metric = 'dynamo_operator_reconcile_total'): Promise<readonly string[]> {
  const own = (await rig.series(metric)).filter((line) => line.startsWith('{resource_type="DynamoGraphDeployment",'));
  return own.map((line) => line.replace('{resource_type="DynamoGraphDeployment",', '').replace(/\} \d+$/, ''));
}

test('a pass that failed, one that waits and one that has nothing left to do are told apart, by namespace', async () => {
  const store = platformStore();
  store.delete(role);
  store.create(graphOf('g'));
  const rig = await ControllerRig.start({ flags, store });
  onTestFinished(() => rig.stop());
  expect(await results(rig)).toEqual(['namespace="demo",result="error"']);
  expect(await results(rig, 'dynamo_operator_reconcile_errors_total')).toEqual(['namespace="demo",error_type="internal"']);

  rig.server.act((all) => all.create({ apiVersion: role.apiVersion, kind: role.kind, metadata: { name: role.name } }));
  await rig.clock.advance(60_000);
  await rig.settle();
  expect(await results(rig)).toEqual(['namespace="demo",result="error"', 'namespace="demo",result="requeue"']);

  rig.server.act(runWorkloads);
  await rig.settle();
  expect(await results(rig)).toContain('namespace="demo",result="success"');
  expect(await rig.series('controller_runtime_reconcile_panics_total')).toEqual([]);
});

test('the inventory forgets states that are empty again and leaves out namespaces of other operators', async () => {
  const store = platformStore();
  store.create(graphOf('g'));
  store.create(graphOf('g', {}, { namespace: 'excluded' }));
  const renewTime = '2026-01-01T00:00:00.000000Z';
  store.create({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'dynamo-operator-namespace-scope', namespace: 'excluded' },
    spec: { leaseDurationSeconds: 600, renewTime },
  });
  const rig = await ControllerRig.start({ flags, store });
  const stop = new AbortController();
  const counting = keepInventory(rig.cache, rig.scope, rig.metrics, rig.clock, stop.signal);
  onTestFinished(async () => {
    stop.abort(new Error('the test is over'));
    await counting;
    await rig.stop();
  });
  const graphs = async (): Promise<readonly string[]> =>
    (await rig.series('dynamo_operator_resources_total')).filter((line) => line.includes('"DynamoGraphDeployment"'));
  const series = (state: string): string => `{resource_type="DynamoGraphDeployment",namespace="demo",status="${state}"} 1`;
  expect(await graphs()).toEqual([series('pending')]);
  rig.server.act(runWorkloads);
  await rig.settle();
  await rig.clock.advance(30_000);
  expect(await graphs()).toEqual([series('successful')]);
});
