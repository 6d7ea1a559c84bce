/** An object that was read from the API server after a conflict is known from its watch again afterwards, including its deletion. */
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { objectAt, stringAt, type JsonObject } from '../../../lib/json/index.ts';
import { kinds, type ObjectKey } from '../../../lib/reconcile/index.ts';
import { graphOf, platformStore, runWorkloads } from '../../reconcile/cluster.ts';
import { Refused } from '../../reconcile/store.ts';
import { ControllerRig } from './controller-rig.ts';

const flags = [
  '--planner-cluster-role-name=planner',
  '--mpi-run-ssh-secret-name=mpi-run-ssh-secret',
  '--mpi-run-ssh-secret-namespace=dynamo-system',
];
const graph: ObjectKey = { ...kinds.graph, namespace: 'demo', name: 'g' };
const deployment: ObjectKey = { ...kinds.deployment, namespace: 'demo', name: 'g-decode' };
const copy: ObjectKey = { ...kinds.secret, namespace: 'demo', name: 'mpi-run-ssh-secret' };
const account: ObjectKey = { ...kinds.serviceAccount, namespace: 'demo', name: 'g-k8s-service-discovery' };

async function converged(): Promise<ControllerRig> {
  const store = platformStore();
  store.create(graphOf('g'));
  const rig = await ControllerRig.start({ flags, store, move: runWorkloads });
  onTestFinished(() => rig.stop());
  return rig;
}

test.each([deployment, account])('makes a $kind again that is deleted after a conflict over it', async (child) => {
  const rig = await converged();
  let conflicts = 0;
  rig.server.intercept = ({ method, path }) => {
    if (method !== 'PATCH' || !path.endsWith(`/${child.name}`) || conflicts > 0) return undefined;
    conflicts += 1;
    throw new Refused(409, 'Conflict', 'the object has been modified');
  };
  rig.server.act((store) =>
    store.update(child, (object) => ({ ...object, metadata: { ...objectAt(object, 'metadata'), annotations: {}, labels: {} } })),
  );
  await rig.settle();
  for (let tries = 0; tries < 5; tries += 1) {
    await rig.clock.advance(1000);
    await rig.settle();
  }
  expect(conflicts).toBe(1);
  expect(rig.server.store.get(graph)).toMatchObject({ status: { state: 'successful' } });
  rig.server.act((store) => store.delete(child));
  await rig.settle();
  expect(rig.server.store.get(child)).toMatchObject({ kind: child.kind });
});

test('copies the MPI Secret anew whenever its source changes, also after a conflict over the copy', async () => {
  const rig = await converged();
  const written = [{ manager: 'manager', operation: 'Update', apiVersion: 'v1', fieldsV1: { 'f:data': {} } }];
  const edit = (object: JsonObject, metadata: JsonObject): JsonObject => ({
    ...object,
    metadata: { ...objectAt(object, 'metadata'), ...metadata },
  });
  rig.server.act((store) => store.update(copy, (object) => edit(object, { managedFields: written })));
  await rig.settle();
  let edits = 0;
  rig.server.intercept = ({ method, path }) => {
    if (method !== 'PATCH' || !path.endsWith(`/namespaces/demo/secrets/${copy.name}`) || edits > 0) return undefined;
    edits += 1;
    // Somebody else's edit, which the watch does not show before the answer to the read after the conflict.
    rig.server.store.update(copy, (object) => edit(object, { labels: { theirs: 'yes' } }));
    return undefined;
  };
  for (const key of ['bmV3', 'bmV3ZXI=']) {
    rig.server.act((store) =>
      store.update({ ...copy, namespace: 'dynamo-system' }, (object) => ({ ...object, data: { 'private.key': key } })),
    );
    await rig.settle();
    for (let tries = 0; tries < 5; tries += 1) {
      await rig.clock.advance(1000);
      await rig.settle();
    }
    expect(rig.server.store.get(copy)).toMatchObject({ data: { 'private.key': key }, metadata: { labels: { theirs: 'yes' } } });
  }
  expect(edits).toBe(1);
});

test('knows a child that somebody makes again while the operator is told that it is gone', async () => {
  const rig = await converged();
  const isChild = (path: string): boolean => path.endsWith(`/deployments/${deployment.name}`);
  const paused = (object: JsonObject): JsonObject => ({ ...object, spec: { ...objectAt(object, 'spec'), paused: true } });
  let answers = 0;
  rig.server.intercept = async ({ method, path }) => {
    if (method === 'PATCH' && isChild(path) && answers === 0) rig.server.act((store) => store.delete(deployment));
    if (method !== 'GET' || !isChild(path) || answers > 0) return;
    answers += 1;
    const { uid: _, resourceVersion: __, ...metadata } = objectAt(before, 'metadata');
    const made = rig.server.act((store) => store.create({ ...before, metadata }));
    while (rig.cache.get(deployment)?.value?.metadata.uid !== stringAt(made, 'metadata', 'uid')) await setImmediate();
    throw new Refused(404, 'NotFound', 'not found');
  };
  const before = rig.server.store.get(deployment) ?? {};
  const repair = async (): Promise<void> => {
    rig.server.act((store) => store.update(deployment, paused));
    for (let tries = 0; tries < 5; tries += 1) {
      await rig.settle();
      await rig.clock.advance(1000);
    }
    expect(rig.server.store.get(deployment)).not.toMatchObject({ spec: { paused: true } });
  };
  await repair();
  expect(answers).toBe(1);
  expect(rig.cache.get(deployment)?.value).toMatchObject({ kind: 'Deployment' });
  await repair();
});
