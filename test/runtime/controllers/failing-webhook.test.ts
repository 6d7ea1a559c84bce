/** A webhook of somebody else that cannot be called: the API server answers 500 to every write that it guards. */
import { expect, onTestFinished, test } from 'vitest';
import { listAt, stringAt, valueAt } from '../../../lib/json/index.ts';
import { graphOf, platformStore, resourceKey } from '../../reconcile/cluster.ts';
import { Refused } from '../../reconcile/store.ts';
import { ProxyPage } from '../memory-api-server.ts';
import { ControllerRig } from './controller-rig.ts';

const flags = [
  '--planner-cluster-role-name=planner',
  '--mpi-run-ssh-secret-name=mpi-run-ssh-secret',
  '--mpi-run-ssh-secret-namespace=dynamo-system',
];
const message = 'Internal error occurred: failed calling webhook "roles.example.com": connection refused';

/** The waits between passes that fail, in milliseconds: about ten seconds together. */
const waits = Array.from({ length: 11 }, (_, failure) => 5 * 2 ** failure);

/** A graph whose Role cannot be created while `isDown`. */
async function failing(answer: Error) {
  const store = platformStore();
  store.create(graphOf('life'));
  const create = store.create.bind(store);
  const server = { isDown: true };
  store.create = (object) => {
    if (server.isDown && object['kind'] === 'Role') throw answer;
    return create(object);
  };
  const rig = await ControllerRig.start({ flags, store });
  onTestFinished(() => rig.stop());
  const graph = () => rig.server.store.get(resourceKey('Deployment', 'life'));
  const wait = async (milliseconds: number): Promise<void> => {
    await rig.clock.advance(milliseconds);
    await rig.settle();
  };
  return { rig, server, graph, wait };
}

// Without a reason are errors that the API server cannot name, such as those of etcd.
test.each(['InternalError', ''])('is told in the status when it lasts, and no longer when it is over: %j', async (reason) => {
  const { rig, server, graph, wait } = await failing(new Refused(500, reason, message));
  for (const milliseconds of waits.slice(0, 8)) await wait(milliseconds);
  expect(valueAt(graph(), 'status')).toBeUndefined();
  for (const milliseconds of waits.slice(8)) await wait(milliseconds);
  expect(graph()).toMatchObject({ status: { state: 'failed' } });
  expect(stringAt(listAt(graph(), 'status', 'conditions')[0], 'message')).toBe(
    `failed to reconcile K8s discovery resources: failed to sync the k8s discovery role: ${message}`,
  );
  const told = rig.server.store.all().filter((event) => stringAt(event, 'reason') === 'CreateRole');
  expect(told.map((event) => [event['type'], event['count']])).toEqual([['Warning', 1]]);
  server.isDown = false;
  await wait(5 * 2 ** 11);
  expect(graph()).toMatchObject({ status: { state: 'pending' } });
});

test.each([404, 500, 502])('is not told where a proxy answers %i for a server that is away', async (status) => {
  const { graph, wait } = await failing(new ProxyPage(status));
  for (const milliseconds of waits) await wait(milliseconds);
  expect(valueAt(graph(), 'status')).toBeUndefined();
});

test('does not last because the graph is looked at often', async () => {
  const { rig, graph, wait } = await failing(new Refused(500, 'InternalError', message));
  for (let edit = 0; edit < 20; edit += 1) {
    rig.server.act((store) =>
      store.patch(resourceKey('Deployment', 'life'), [{ op: 'add', path: '/spec/services/decode/replicas', value: edit }]),
    );
    await wait(100);
  }
  expect(valueAt(graph(), 'status')).toBeUndefined();
  await wait(8000);
  rig.server.act((store) =>
    store.patch(resourceKey('Deployment', 'life'), [{ op: 'add', path: '/spec/services/decode/replicas', value: 1 }]),
  );
  await wait(0);
  expect(graph()).toMatchObject({ status: { state: 'failed' } });
});
