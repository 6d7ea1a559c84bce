/** A cluster that changes under the operator: quotas, finalizers of others, CRDs that get another version, or are removed and installed again. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { crds } from '../../lib/api/crds.ts';
import { listAt, stringAt, type JsonObject } from '../../lib/json/index.ts';
import { controllers } from '../../lib/runtime/controllers/index.ts';
import { describeCall } from '../control-plane/audit-log.ts';
import { succeeded } from '../control-plane/client.ts';
import { installCrds, removeCrds } from '../control-plane/crds.ts';
import { startOperator } from '../control-plane/operator.ts';
import { times } from './disturbances.ts';
import { DisturbedCluster } from './disturbed-cluster.ts';
import { makeNamespace } from './fault-rig.ts';
import { childrenIn, graphIn, leftIn, steps, take, until } from './graph-life.ts';
import { hurriedClock } from './hurried-clock.ts';
import { canRunOperator, operatorFlags, writesUntilQuiet } from './operator-cluster.ts';

const isLong = process.env['LONG'] !== undefined;
const graphs = crds().find(({ spec }) => spec.names.kind === 'DynamoGraphDeployment');

describe.skipIf(!isLong || !canRunOperator())('an operator in a cluster that changes', () => {
  let disturbed: DisturbedCluster;
  beforeAll(async () => {
    disturbed = await DisturbedCluster.open();
  });
  afterAll(() => disturbed?.close());

  /** Starts an operator whose waits are short. */
  async function start(): Promise<void> {
    const { kubeconfig } = disturbed.cluster.user('operator');
    const place = { clock: hurriedClock(times) };
    const operator = await startOperator({ args: operatorFlags, namespace: 'dynamo-system', kubeconfig, controllers, place });
    await operator.line(({ msg }) => msg === 'Starting Controller');
  }

  const create = async (namespace: string): Promise<void> => {
    const [first] = steps;
    if (first !== undefined) await take(first, disturbed.cluster.client, namespace);
  };
  const graphOf = async (namespace: string): Promise<JsonObject> =>
    succeeded<JsonObject>(await disturbed.cluster.client.get<JsonObject>(graphIn(namespace)));
  const finalizersOf = async (namespace: string): Promise<readonly unknown[]> =>
    listAt(await graphOf(namespace), 'metadata', 'finalizers');

  test('says that a quota is used up, and goes on when it is raised', async () => {
    const { client } = disturbed.cluster;
    const namespace = await makeNamespace(disturbed.cluster, 'quota');
    const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { namespace, name: 'few' } };
    succeeded(await client.create({ ...quota, spec: { hard: { 'count/deployments.apps': '1' } } }));
    const range = { apiVersion: 'v1', kind: 'LimitRange', metadata: { namespace, name: 'small' } };
    const limits = [{ type: 'Container', default: { memory: '1Mi' }, max: { memory: '2Mi' } }];
    succeeded(await client.create({ ...range, spec: { limits } }));
    // A quota counts what is there before it forbids anything.
    await until(async () => {
      const { body } = await client.get<JsonObject>(quota);
      return stringAt(body, 'status', 'hard', 'count/deployments.apps') === '1';
    }, 'the quota holds');
    await start();
    succeeded(await client.create(graphIn(namespace)));
    await until(async () => {
      const { items } = succeeded(await client.list<JsonObject>({ apiVersion: 'v1', kind: 'Event', namespace }));
      return items.some((event) => stringAt(event, 'message').includes('exceeded quota: few'));
    }, 'the operator says so');
    succeeded(await client.merge(quota, { spec: { hard: { 'count/deployments.apps': '9' } } }));
    await until(async () => stringAt(await graphOf(namespace), 'status', 'state') === 'successful', 'the graph is ready');
  });

  test('takes its finalizer back, and leaves those of others to them', async () => {
    const { client, audit } = disturbed.cluster;
    const namespace = await makeNamespace(disturbed.cluster, 'finalizers');
    await start();
    await create(namespace);
    const theirs = 'example.com/theirs';
    const own = await finalizersOf(namespace);
    expect(own).toHaveLength(1);
    succeeded(await client.merge(graphIn(namespace), { metadata: { finalizers: [theirs] } }));
    await until(async () => (await finalizersOf(namespace)).length === 2, 'both are there');
    succeeded(await client.delete(graphIn(namespace)));
    await until(async () => (await finalizersOf(namespace)).length === 1, 'the operator has let go');
    const since = await audit.now();
    expect((await writesUntilQuiet(disturbed.cluster, since, 2000)).map(describeCall)).toEqual([]);
    expect(await finalizersOf(namespace)).toEqual([theirs]);
    succeeded(await client.merge(graphIn(namespace), { metadata: { finalizers: null } }));
    await until(async () => (await childrenIn(client, namespace)).length === 0, 'the children are gone');
  });

  test('writes nothing when its CRD gets another version', async () => {
    const { client, audit } = disturbed.cluster;
    const namespace = await makeNamespace(disturbed.cluster, 'version');
    await start();
    await create(namespace);
    await writesUntilQuiet(disturbed.cluster, await audit.now(), 1000);
    if (graphs === undefined) throw new Error('no CRD');
    const [version] = graphs.spec.versions;
    const versions = [version, { ...version, name: 'v1beta1', storage: false }];
    const since = await audit.now();
    succeeded(await client.merge(graphs, { spec: { versions } }));
    await until(async () => (await client.request('GET', '/apis/nvidia.com/v1beta1')).status === 200, 'it is served');
    expect((await writesUntilQuiet(disturbed.cluster, since, 4000)).map(describeCall)).toEqual([]);
    const [, edit] = steps;
    if (edit !== undefined) await take(edit, client, namespace);
    succeeded(await client.merge(graphs, { spec: { versions: [version] } }));
  });

  test('lets all graphs go when their CRD is removed, and makes new ones when it is back', async () => {
    const { client } = disturbed.cluster;
    const namespace = await makeNamespace(disturbed.cluster, 'reinstalled');
    await start();
    await create(namespace);
    const whole = await leftIn(client, namespace);
    if (graphs === undefined) throw new Error('no CRD');
    // The garbage collector leaves the children until it can ask for their owner again.
    await removeCrds(client, [graphs]);
    await installCrds(client, [graphs]);
    await create(namespace);
    await until(async () => JSON.stringify(await leftIn(client, namespace)) === JSON.stringify(whole), 'all is as it was').catch(
      async () => expect(await leftIn(client, namespace)).toEqual(whole),
    );
  });

  test('leaves nothing for a successor to do', async () => {
    await disturbed.expectNothingToDo();
  });
});
