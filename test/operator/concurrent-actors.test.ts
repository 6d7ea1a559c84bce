/** Others who change a graph at the same time as its operator: an autoscaler, a user, somebody with kubectl, the deletion of the namespace. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isEqual, objectAt, objectsAt, stringAt, type JsonObject } from '../../lib/json/index.ts';
import { label } from '../../lib/render/index.ts';
import { controllers } from '../../lib/runtime/controllers/index.ts';
import { describeCall } from '../control-plane/audit-log.ts';
import { succeeded, type Client } from '../control-plane/client.ts';
import { startOperator, type LogLine, type RunningOperator } from '../control-plane/operator.ts';
import { watchesOf, type FaultProxy } from '../runtime/fault-proxy.ts';
import { DisturbedCluster } from './disturbed-cluster.ts';
import { isChange, makeNamespace } from './fault-rig.ts';
import { childrenIn, graphIn, leftIn, steps, take, timesTold, until, type Child } from './graph-life.ts';
import { canRunOperator, operatorFlags, writesUntilQuiet } from './operator-cluster.ts';
import {
  createWhole,
  gatewayFlag,
  isCreatedSilently,
  playLeaderWorkerSets,
  shared,
  wholeEdits,
  wholeGroups,
  wholeKinds,
} from './whole-graph.ts';

const isLong = process.env['LONG'] !== undefined;

const args = [...operatorFlags, gatewayFlag];

/** After how many of the operator's changes somebody takes away what it works on. */
const moments = isLong ? [1, 2, 4, 6, 8, 10, 13, 16, 20] : [6];

describe.skipIf(!canRunOperator())('an operator among others', () => {
  let disturbed: DisturbedCluster;
  const playing = new AbortController();
  let played: Promise<void>;
  beforeAll(async () => {
    disturbed = await DisturbedCluster.open({ groups: wholeGroups });
    played = playLeaderWorkerSets(disturbed.cluster.client, playing.signal);
  });
  afterAll(async () => {
    playing.abort();
    await played;
    await disturbed?.close();
  });

  /** Starts an operator and does something once it has made so many changes. */
  async function operatorWith(
    afterChanges = 0,
    act: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<Pick<RunningOperator, 'lines'> & { readonly proxy: FaultProxy }> {
    const { proxy, kubeconfig } = await disturbed.newWay();
    let changes = 0;
    proxy.onAnswer((request) => {
      if (isChange(request)) changes += 1;
      if (isChange(request) && changes === afterChanges) void act();
    });
    const { line, lines } = await startOperator({ args, namespace: 'dynamo-system', kubeconfig, controllers });
    await line(({ msg }) => msg === 'Starting Controller');
    return { proxy, lines };
  }
  const [create] = steps;
  const isGone = (namespace: string) => async (): Promise<boolean> =>
    Object.keys(await leftIn(disturbed.cluster.client, namespace)).every((name) => !/\/g(-|$)/.test(name));

  /** A graph with every kind of child, its operator, and how often that has told of what it did to an object: by events, or else in its log. */
  async function wholeIn(name: string) {
    const { client } = disturbed.cluster;
    const namespace = await makeNamespace(disturbed.cluster, name);
    const { lines } = await operatorWith();
    await take(createWhole, client, namespace);
    const logged = (words: readonly string[], { kind, metadata }: Omit<Child, 'uid'>): number => {
      const isIt = ({ msg, namespace: where, resourceName }: LogLine): boolean =>
        words.some((word) => msg === `${kind} ${word}.`) && where === namespace && resourceName === metadata.name;
      return lines.filter(isIt).length;
    };
    const createdTimes = async (object: Omit<Child, 'uid'>): Promise<number> => {
      const [told = 0] = await timesTold(client, 'Create', [object]);
      return isCreatedSilently(object) ? logged(['created', 'copied'], object) - told : told;
    };
    const updatedTimes = async (object: Omit<Child, 'uid'>, isSilent: boolean): Promise<number> => {
      const [told = 0] = await timesTold(client, 'Update', [object]);
      return isSilent ? logged(['updated'], object) - told : told;
    };
    const childrenNow = () => childrenIn(client, namespace, wholeKinds);
    const leftNow = () => leftIn(client, namespace, [...wholeKinds, ['v1', 'Secret']]);
    return { client, namespace, createdTimes, updatedTimes, childrenNow, leftNow };
  }

  test('repairs children of every kind that somebody deletes, and says so', async () => {
    const { client, namespace, createdTimes, childrenNow, leftNow } = await wholeIn('deleted-children');
    const children = await childrenNow();
    expect([...new Set(children.map(({ kind }) => kind))]).toEqual(wholeKinds.map(([, kind]) => kind));
    const all = [...children, ...shared(namespace)];
    const areTold = (times: (count: number) => boolean) => async (): Promise<boolean> =>
      (await Promise.all(all.map(createdTimes))).every(times);
    await until(
      areTold((times) => times === 1),
      'all is told',
    );
    const whole = await leftNow();
    // The children of a component may be gone with it by then.
    for (const { apiVersion, kind, metadata } of all)
      expect([200, 202, 404]).toContain((await client.delete({ apiVersion, kind, metadata })).status);
    await until(async () => {
      const uids = new Set(children.map(({ uid }) => uid));
      const now = await childrenNow();
      return now.length === children.length && now.every(({ uid }) => !uids.has(uid));
    }, 'all are back');
    await until(async () => isEqual(await leftNow(), whole), 'all is as it was').catch(async () =>
      expect(await leftNow()).toEqual(whole),
    );
    await until(
      areTold((times) => times > 1),
      'it is told',
    );
  });

  test('repairs one child after the other that somebody deletes, and says so', async () => {
    const { client, namespace, createdTimes, childrenNow } = await wholeIn('deleted-child');
    const children = await childrenNow();
    const isFirst = ({ kind }: Child, index: number): boolean => children.findIndex((one) => one.kind === kind) === index;
    const chosen = isLong ? children : children.filter(isFirst);
    // What belongs to a component goes with it, so the components come last.
    for (const { apiVersion, kind, metadata } of [...shared(namespace), ...chosen.toReversed()]) {
      const key = { apiVersion, kind, metadata };
      const before = await createdTimes(key);
      const { uid } = objectAt(succeeded<JsonObject>(await client.get<JsonObject>(key)), 'metadata');
      succeeded(await client.delete(key));
      await until(async () => {
        const { status, body } = await client.get<JsonObject>(key);
        return status === 200 && objectAt(body, 'metadata')['uid'] !== uid;
      }, `the ${kind} is back`);
      await until(async () => (await createdTimes(key)) > before, `it is told of the ${kind}`);
    }
  });

  test('repairs a child of every kind that somebody edits, and says so', async () => {
    const { client, namespace, updatedTimes } = await wholeIn('edited-children');
    const kinds = wholeKinds.map(([, kind]) => kind).filter((kind) => kind !== 'PersistentVolumeClaim');
    expect(new Set(wholeEdits.map(({ kind }) => kind))).toEqual(new Set([...kinds, 'Secret']));
    for (const { apiVersion, kind, name, patch, isSilent = false } of wholeEdits) {
      const key = { apiVersion, kind, metadata: { namespace, name } };
      const content = async (): Promise<JsonObject> => {
        const { metadata, status: _, ...rest } = succeeded<JsonObject>(await client.get<JsonObject>(key));
        return { ...rest, labels: objectAt(metadata, 'labels') };
      };
      const before = await content();
      const times = await updatedTimes(key, isSilent);
      succeeded(await client.merge(key, patch));
      await until(async () => isEqual(await content(), before), `the ${kind} is as it was`).catch(async () =>
        expect(await content()).toEqual(before),
      );
      await until(async () => (await updatedTimes(key, isSilent)) > times, `it is told of the ${kind}`);
    }
  });

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
    const { proxy } = await operatorWith();
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
    const { proxy } = await operatorWith();
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
    await disturbed.expectNothingToDo(args);
  });
});
