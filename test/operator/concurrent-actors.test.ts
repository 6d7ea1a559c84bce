/** Others who change a graph at the same time as its operator: an autoscaler, a user, somebody with kubectl, the deletion of the namespace. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isEqual, objectAt, objectsAt, stringAt, type JsonObject } from '../../lib/json/index.ts';
import { label } from '../../lib/render/index.ts';
import { controllers } from '../../lib/runtime/controllers/index.ts';
import { describeCall } from '../control-plane/audit-log.ts';
import { succeeded, type Client } from '../control-plane/client.ts';
import { startOperator } from '../control-plane/operator.ts';
import { watchesOf, type FaultProxy } from '../runtime/fault-proxy.ts';
import { DisturbedCluster } from './disturbed-cluster.ts';
import { isChange, makeNamespace } from './fault-rig.ts';
import { childrenIn, graphIn, leftIn, steps, take, timesTold, until } from './graph-life.ts';
import { canRunOperator, operatorFlags, writesUntilQuiet } from './operator-cluster.ts';

const isLong = process.env['LONG'] !== undefined;

/** Kinds of the children of a graph. */
const childKinds = [
  'DynamoComponentDeployment',
  'DynamoGraphDeploymentScalingAdapter',
  'Deployment',
  'Service',
  'ServiceAccount',
  'Role',
  'RoleBinding',
];

/** What somebody does to a child of each kind. */
const edits = [
  { apiVersion: 'apps/v1', kind: 'Deployment', name: 'g-frontend', patch: { spec: { replicas: 5 } } },
  { apiVersion: 'v1', kind: 'Service', name: 'g-frontend', patch: { spec: { selector: { somebody: 'else' } } } },
  {
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoComponentDeployment',
    name: 'g-frontend',
    patch: { spec: { envs: [{ name: 'A', value: 'b' }] } },
  },
  { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', name: 'g-k8s-service-discovery-role', patch: { rules: [] } },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    name: 'g-k8s-service-discovery-binding',
    patch: { subjects: [] },
  },
] as const;

/** After how many of the operator's changes somebody takes away what it works on. */
const moments = isLong ? [1, 2, 4, 6, 8, 10, 13, 16, 20] : [6];

describe.skipIf(!canRunOperator())('an operator among others', () => {
  let disturbed: DisturbedCluster;
  beforeAll(async () => {
    disturbed = await DisturbedCluster.open();
  });
  afterAll(() => disturbed?.close());

  /** Starts an operator and does something once it has made so many changes. */
  async function operatorWith(afterChanges = 0, act: () => Promise<unknown> = () => Promise.resolve()): Promise<FaultProxy> {
    const { proxy, kubeconfig } = await disturbed.newWay();
    let changes = 0;
    proxy.onAnswer((request) => {
      if (isChange(request)) changes += 1;
      if (isChange(request) && changes === afterChanges) void act();
    });
    const operator = await startOperator({ args: operatorFlags, namespace: 'dynamo-system', kubeconfig, controllers });
    await operator.line(({ msg }) => msg === 'Starting Controller');
    return proxy;
  }
  const [create] = steps;
  const isGone = (namespace: string) => async (): Promise<boolean> =>
    Object.keys(await leftIn(disturbed.cluster.client, namespace)).every((name) => !/\/g(-|$)/.test(name));

  test('repairs children that somebody deletes, and says so', async () => {
    const { client } = disturbed.cluster;
    const namespace = await makeNamespace(disturbed.cluster, 'deleted-children');
    await operatorWith();
    if (create !== undefined) await take(create, client, namespace);
    const children = await childrenIn(client, namespace);
    expect([...new Set(children.map(({ kind }) => kind))]).toEqual(childKinds);
    await until(async () => (await timesTold(client, 'Create', children)).every((times) => times === 1), 'all is told');
    const whole = await leftIn(client, namespace);
    // The children of a component may be gone with it by then.
    for (const { uid: _uid, ...key } of children) expect([200, 202, 404]).toContain((await client.delete(key)).status);
    await until(async () => {
      const uids = new Set(children.map(({ uid }) => uid));
      const now = await childrenIn(client, namespace);
      return now.length === children.length && now.every(({ uid }) => !uids.has(uid));
    }, 'all are back');
    await until(async () => isEqual(await leftIn(client, namespace), whole), 'all is as it was').catch(async () =>
      expect(await leftIn(client, namespace)).toEqual(whole),
    );
    await until(async () => (await timesTold(client, 'Create', children)).every((times) => times > 1), 'it is told');
  });

  test('repairs one child after the other that somebody deletes', async () => {
    const { client } = disturbed.cluster;
    const namespace = await makeNamespace(disturbed.cluster, 'deleted-child');
    await operatorWith();
    if (create !== undefined) await take(create, client, namespace);
    // What belongs to a component goes with it, so the components come last.
    for (const kind of childKinds.toReversed()) {
      const child = (await childrenIn(client, namespace)).find((one) => one.kind === kind);
      const isBack = async (): Promise<boolean> =>
        (await childrenIn(client, namespace)).some(
          ({ kind: same, metadata, uid }) => same === kind && metadata.name === child?.metadata.name && uid !== child.uid,
        );
      if (child !== undefined) succeeded(await client.delete(child));
      await until(isBack, `the ${kind} is back`);
    }
  });

  test.each(isLong ? edits : edits.slice(0, 2))(
    'repairs a $kind that somebody edits, and says so',
    async ({ apiVersion, kind, name, patch }) => {
      const { client } = disturbed.cluster;
      const namespace = await makeNamespace(disturbed.cluster, `edited-${kind.toLowerCase()}`);
      await operatorWith();
      if (create !== undefined) await take(create, client, namespace);
      const key = { apiVersion, kind, metadata: { namespace, name } };
      const content = async (): Promise<JsonObject> => {
        const { metadata: _metadata, status: _status, ...rest } = succeeded<JsonObject>(await client.get<JsonObject>(key));
        return rest;
      };
      const before = await content();
      succeeded(await client.merge(key, patch));
      await until(async () => isEqual(await content(), before), `the ${kind} is as it was`).catch(async () =>
        expect(await content()).toEqual(before),
      );
      await until(async () => (await timesTold(client, 'Update', [key]))[0] === 1, 'it is told');
    },
  );

  const deploymentIn = async (client: Client, namespace: string, name: string): Promise<JsonObject> =>
    succeeded(await client.get<JsonObject>({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { namespace, name } }));
  /** Which Deployments an operator watches, by their selectors. */
  const watchedBy = (proxy: FaultProxy): readonly (string | null)[] =>
    ['', '!']
      .map((sign) => `${sign}${label.graph}`)
      .filter((term) => {
        const isIt = ({ query }: { readonly query: URLSearchParams }): boolean => query.get('labelSelector') === term;
        return proxy.open((request) => watchesOf('deployments')(request) && isIt(request)) > 0;
      });

  test('gives a Deployment the label of its graph back that somebody takes away, and touches nothing else', async () => {
    const { client, audit } = disturbed.cluster;
    const namespace = await makeNamespace(disturbed.cluster, 'unlabelled');
    const proxy = await operatorWith();
    if (create !== undefined) await take(create, client, namespace);
    const key = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { namespace, name: 'g-decode' } };
    const unlabel = { metadata: { labels: { [label.graph]: null } } };
    const left = await leftIn(client, namespace);
    const { uid } = objectAt(await deploymentIn(client, namespace, 'g-decode'), 'metadata');
    await writesUntilQuiet(disturbed.cluster, await audit.now(), 1000);
    for (const times of [1, 2]) {
      const since = await audit.now();
      succeeded(await client.merge(key, unlabel));
      await until(async () => (await timesTold(client, 'Update', [key]))[0] === times, 'it is told');
      const writes = (await writesUntilQuiet(disturbed.cluster, since, 1000)).map(describeCall);
      expect(writes.filter((write) => !write.includes(' events '))).toEqual([
        `create apps/deployments ${namespace}/g-decode -> 409`,
        `patch apps/deployments ${namespace}/g-decode -> 200`,
      ]);
      expect(await leftIn(client, namespace)).toEqual(left);
      expect(objectAt(await deploymentIn(client, namespace, 'g-decode'), 'metadata')['uid']).toBe(uid);
    }
    expect(watchedBy(proxy)).toEqual([label.graph]);
    expect(proxy.requests.filter(watchesOf('deployments')).map(({ query }) => query.get('labelSelector'))).toEqual([label.graph]);
  });

  test('gives a Deployment the label back that somebody took away while no operator ran', async () => {
    const { client, audit } = disturbed.cluster;
    const namespace = 'unlabelled';
    const key = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { namespace, name: 'g-decode' } };
    const left = await leftIn(client, namespace);
    succeeded(await client.merge(key, { metadata: { labels: { [label.graph]: null } } }));
    const since = await audit.now();
    await operatorWith();
    await until(async () => (await timesTold(client, 'Update', [key]))[0] === 3, 'it is told');
    const writes = (await writesUntilQuiet(disturbed.cluster, since, 1000)).map(describeCall);
    expect(writes.filter((write) => write.includes(`${namespace}/`) && !write.includes(' events '))).toEqual([
      `create apps/deployments ${namespace}/g-decode -> 409`,
      `patch apps/deployments ${namespace}/g-decode -> 200`,
    ]);
    expect(await leftIn(client, namespace)).toEqual(left);
  });

  test('makes and repairs the Deployment of a component without a graph, and watches such Deployments only meanwhile', async () => {
    const { client } = disturbed.cluster;
    const namespace = await makeNamespace(disturbed.cluster, 'component-alone');
    const proxy = await operatorWith();
    const key = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { namespace, name: 'solo' } };
    // Without one, the account of a graph of no name is taken, which the API server refuses.
    const extraPodSpec = { serviceAccountName: 'default', mainContainer: { image: 'i', command: ['run'] } };
    const component = {
      apiVersion: 'nvidia.com/v1alpha1',
      kind: 'DynamoComponentDeployment',
      metadata: { namespace, name: 'solo' },
      spec: { serviceName: 'solo', dynamoNamespace: 'd', componentType: 'worker', replicas: 1, extraPodSpec },
    };
    const isReady = async (): Promise<boolean> => {
      const found = succeeded<JsonObject>(await client.get<JsonObject>(component));
      return objectsAt(found, 'status', 'conditions').some(({ type, status }) => type === 'Available' && status === 'True');
    };
    expect(watchedBy(proxy)).toEqual([label.graph]);
    succeeded(await client.create(component));
    await until(isReady, 'the component is ready');
    expect(watchedBy(proxy)).toEqual([label.graph, `!${label.graph}`]);
    const { spec } = await deploymentIn(client, namespace, 'solo');
    succeeded(await client.merge(key, { spec: { replicas: 5 } }));
    await until(async () => isEqual((await deploymentIn(client, namespace, 'solo'))['spec'], spec), 'it is as it was');
    await until(async () => (await timesTold(client, 'Update', [key]))[0] === 1, 'it is told');
    succeeded(await client.delete(key));
    await until(async () => (await timesTold(client, 'Create', [key]))[0] === 2, 'it is made again');
    await until(isReady, 'the component is ready again');
    succeeded(await client.delete(component));
    await until(async () => (await client.get(component)).status === 404, 'the component is gone');
    await until(async () => isEqual(watchedBy(proxy), [label.graph]), 'nobody watches such Deployments');
  });

  const replicasIn = async (client: Client, namespace: string): Promise<unknown> =>
    objectAt(await deploymentIn(client, namespace, 'g-decode'), 'spec')['replicas'];

  /** A user who edits one service of the graph and, without meaning to, sends old replicas of the one that is scaled. */
  async function edit(client: Client, namespace: string, round: number): Promise<void> {
    const envs = [{ name: 'ROUND', value: String(round) }];
    const services = { Frontend: { envs }, decode: { replicas: 1 } };
    succeeded(await client.merge(graphIn(namespace), { spec: { services } }));
  }

  /** Waits until a graph and its Deployments say what the autoscaler and the user asked for last. */
  async function expectBoth(client: Client, namespace: string, replicas: number, round: number): Promise<void> {
    await until(async () => (await replicasIn(client, namespace)) === replicas, 'the autoscaler has its way');
    await until(async () => {
      const [container] = objectsAt(
        await deploymentIn(client, namespace, 'g-frontend'),
        'spec',
        'template',
        'spec',
        'containers',
      );
      return objectsAt(container, 'env').some(
        (variable) => stringAt(variable, 'name') === 'ROUND' && stringAt(variable, 'value') === String(round),
      );
    }, 'the user has their way');
    await until(async () => {
      const graph = succeeded<JsonObject>(await client.get<JsonObject>(graphIn(namespace)));
      return objectAt(graph, 'spec', 'services', 'decode')['replicas'] === replicas;
    }, 'the graph says what the autoscaler asked for');
  }

  test('keeps what an autoscaler and a user ask for at the same time', async () => {
    const { client } = disturbed.cluster;
    const namespace = await makeNamespace(disturbed.cluster, 'scaled');
    await operatorWith();
    if (create !== undefined) await take(create, client, namespace);
    const rounds = 10;
    const scale = `/apis/nvidia.com/v1alpha1/namespaces/${namespace}/dynamographdeploymentscalingadapters/g-decode/scale`;
    const autoscaler = async (): Promise<void> => {
      for (let replicas = 2; replicas <= rounds; replicas += 1) {
        const body = { spec: { replicas } };
        succeeded(await client.request('PATCH', scale, { body, contentType: 'application/merge-patch+json' }));
      }
    };
    const user = async (): Promise<void> => {
      for (let round = 1; round <= rounds; round += 1) await edit(client, namespace, round);
    };
    await Promise.all([autoscaler(), user()]);
    await expectBoth(client, namespace, rounds, rounds);
  });

  test.skipIf(!isLong)('keeps what a HorizontalPodAutoscaler asks for while a user edits the graph', async () => {
    const { client, audit } = disturbed.cluster;
    const namespace = await makeNamespace(disturbed.cluster, 'autoscaled');
    await operatorWith();
    if (create !== undefined) await take(create, client, namespace);
    const since = await audit.now();
    // Nobody measures here: the autoscaler only keeps the adapter between its two limits.
    const metrics = [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }];
    const scaleTargetRef = { apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoGraphDeploymentScalingAdapter', name: 'g-decode' };
    const autoscaler = (minReplicas: number, maxReplicas: number) => ({
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { namespace, name: 'decode' },
      spec: { scaleTargetRef, minReplicas, maxReplicas, metrics },
    });
    let round = 0;
    for (const [least, most, wanted] of [
      [3, 10, 3],
      [5, 10, 5],
      [1, 2, 2],
    ] as const) {
      succeeded(await client.apply(autoscaler(least, most)));
      await until(async () => {
        round += 1;
        await edit(client, namespace, round);
        return (await replicasIn(client, namespace)) === wanted;
      }, `the autoscaler asks for ${wanted}`);
      await expectBoth(client, namespace, wanted, round);
    }
    const { username } = disturbed.cluster.user('operator');
    // Its own notes on the adapter the operator may write, but never replicas.
    const fought = (await audit.writes({ username, since, namespace })).filter(
      ({ objectRef, requestObject }) =>
        objectRef?.resource === 'dynamographdeploymentscalingadapters' &&
        objectRef.subresource !== 'status' &&
        JSON.stringify(requestObject).includes('/spec'),
    );
    expect(fought.map(describeCall)).toEqual([]);
  });

  test.each(moments)('lets a graph go that is deleted while its children are being made, after %i changes', async (changes) => {
    const { client } = disturbed.cluster;
    const namespace = await makeNamespace(disturbed.cluster, `deleted-${changes}`);
    const since = await disturbed.cluster.audit.now();
    await operatorWith(changes, () => client.delete(graphIn(namespace)));
    succeeded(await client.create(graphIn(namespace)));
    await until(async () => (await client.get(graphIn(namespace))).status === 404, 'the graph is gone');
    await until(isGone(namespace), 'its children are gone');
    await writesUntilQuiet(disturbed.cluster, since, 1000);
    expect(await isGone(namespace)()).toBe(true);
  });

  test.each(moments)('lets a namespace go that is deleted while a graph is made in it, after %i changes', async (changes) => {
    const { cluster } = disturbed;
    const { client } = cluster;
    const name = await makeNamespace(cluster, `ended-${changes}`);
    const key = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await operatorWith(changes, () => client.delete(key));
    succeeded(await client.create(graphIn(name)));
    await until(async () => (await client.get(key)).status === 404, 'the namespace is gone');
    const since = await cluster.audit.now();
    expect((await writesUntilQuiet(cluster, since, 2000)).map(describeCall)).toEqual([]);
  });

  test('leaves nothing for a successor to do', async () => {
    await disturbed.expectNothingToDo();
  });
});
