/** Requests that the operator takes all the way by itself. The clock stands still, so that nothing may wait for a timer. */
import { expect, onTestFinished, test } from 'vitest';
import { kinds, type ObjectKey } from '../../../lib/reconcile/index.ts';
import { objectAt, objectsAt, stringAt, type JsonObject } from '../../../lib/json/index.ts';
import { platformStore } from '../../reconcile/cluster.ts';
import { graphText, request } from '../../reconcile/request/snapshots.ts';
import { Refused, type Store } from '../../reconcile/store.ts';
import { ControllerRig } from './controller-rig.ts';

const flags = [
  '--planner-cluster-role-name=planner',
  '--dgdr-profiling-cluster-role-name=planner',
  '--mpi-run-ssh-secret-name=mpi-run-ssh-secret',
  '--mpi-run-ssh-secret-namespace=dynamo-system',
];
const ask: ObjectKey = { ...kinds.graph, kind: 'DynamoGraphDeploymentRequest', namespace: 'demo', name: 'ask' };
const complete = { conditions: [{ type: 'Complete', status: 'True' }] };

/** Plays the Job: writes what the profiler put out, and ends. */
function profilerOf(output: string): (store: Store) => boolean {
  return (store) => {
    const job = store.get({ ...kinds.job, namespace: 'demo', name: 'profile-ask' });
    if (job === undefined || job['status'] !== undefined) return false;
    const metadata = { namespace: 'demo', name: 'dgdr-output-ask' };
    store.create({ ...kinds.configMap, metadata, data: { 'config_with_planner.yaml': output } });
    store.status({ ...job, status: complete }, stringAt(job, 'metadata', 'resourceVersion'));
    return true;
  };
}

async function askFor(output: string, spec: JsonObject = {}, more: readonly string[] = []): Promise<ControllerRig> {
  const store = platformStore();
  const { metadata: _, ...asked } = request({ autoApply: true, ...spec });
  store.create({ ...asked, metadata: { namespace: 'demo', name: 'ask' } });
  const create = store.create.bind(store);
  store.create = (object) => {
    if (stringAt(object, 'metadata', 'namespace') === 'other')
      throw new Refused(403, 'Forbidden', 'nothing may be made in other');
    return create(object);
  };
  const rig = await ControllerRig.start({ flags: [...flags, ...more], store, move: profilerOf(output) });
  onTestFinished(() => rig.stop());
  return rig;
}

function told({ server }: ControllerRig): readonly string[] {
  const warnings = server.store
    .all()
    .filter((event) => stringAt(event, 'involvedObject', 'kind') === ask.kind && event['type'] === 'Warning');
  return warnings.map((event) => `${stringAt(event, 'reason')}: ${stringAt(event, 'message')}`);
}

test('a graph is created as soon as it is known', async () => {
  const { server } = await askFor(graphText);
  expect(server.store.get({ ...kinds.graph, namespace: 'demo', name: 'asked' })).toMatchObject({
    metadata: { labels: { 'dgdr.nvidia.com/name': 'ask' } },
  });
  expect(server.store.get(ask)).toMatchObject({ status: { state: 'Deploying', deployment: { name: 'asked', created: true } } });
});

test.each(['', '.', '..', 'a/b', '../secrets/x', 'a%2e'])(
  'a ConfigMap that cannot have the name %j is told of and not looked for',
  async (name) => {
    const configMap = JSON.stringify({ kind: 'ConfigMap', metadata: { name }, data: { a: 'b' } });
    const rig = await askFor(`${configMap}\n---\n${graphText}`);
    expect(rig.server.store.get(ask)).toMatchObject({ status: { state: 'Deploying', deployment: { created: true } } });
    const read = rig.server.requests.filter(({ method, path }) => method === 'GET' && path.includes('/demo/configmaps'));
    expect([...new Set(read.map(({ path }) => path.split('/configmaps')[1]))]).toEqual(['/dgdr-output-ask']);
  },
);

test('a graph that does not fit into a request fails it', async () => {
  const value = 'x'.repeat(100_000);
  const envs = [`{name: A, value: &v ${value}}`, ...Array.from({ length: 19 }, (_, index) => `{name: A${index}, value: *v}`)];
  const { server } = await askFor(
    `kind: DynamoGraphDeployment\nmetadata: {name: asked}\nspec: {services: {a: {envs: [${envs.join(', ')}]}}}`,
  );
  const { state, conditions } = objectAt(server.store.get(ask), 'status');
  expect(state).toBe('Failed');
  expect(objectsAt({ conditions }, 'conditions').at(-1)).toMatchObject({
    type: 'SpecGenerated',
    reason: 'GenerationFailed',
    message: expect.stringMatching(
      /^failed to extract DGD from config_with_planner.yaml: the DynamoGraphDeployment has 200\d+ bytes/,
    ),
  });
});

test('a restricted operator asks for nothing elsewhere, and tells what it may not create there', async () => {
  const planner = JSON.stringify({ kind: 'ConfigMap', metadata: { name: 'planner-profile-data' }, data: { a: 'b' } });
  const restricted = ['--restrictedNamespace=demo', '--mpi-run-ssh-secret-namespace=demo'];
  const rig = await askFor(`${planner}\n---\n${graphText}`, { deploymentOverrides: { namespace: 'other' } }, restricted);
  // What was refused brings the request back after a back-off.
  for (const milliseconds of [5, 10]) {
    await rig.clock.advance(milliseconds);
    await rig.settle();
  }
  const elsewhere = rig.server.requests.filter(({ path }) => path.includes('/namespaces/other/'));
  expect(new Set(elsewhere.map(({ method }) => method))).toEqual(new Set(['POST']));
  expect(rig.server.store.get(ask)).toMatchObject({ status: { state: 'Deploying' } });
  expect(told(rig)).toEqual([
    'ConfigMapCreationFailed: Failed to create ConfigMaps from profiling output: failed to create ConfigMap planner-profile-data: nothing may be made in other',
    'DeploymentCreationFailed: nothing may be made in other',
  ]);
});
