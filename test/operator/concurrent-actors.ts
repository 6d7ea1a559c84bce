/** Others who work on a graph at the same time as its operator: an autoscaler, a user, somebody with kubectl, the end of a namespace. */
import { expect, onTestFinished, test } from 'vitest';
import { objectAt, objectsAt, stringAt, type JsonObject } from '../../lib/json/index.ts';
import { controllers } from '../../lib/runtime/controllers/index.ts';
import { describeCall } from '../control-plane/audit-log.ts';
import { succeeded } from '../control-plane/client.ts';
import { startOperator } from '../control-plane/operator.ts';
import { isChange, makeNamespace, openWay } from './fault-rig.ts';
import { graphIn, leftIn, steps, take, toldIn, until } from './graph-life.ts';
import { operatorFlags, writesUntilQuiet, type OwnedCluster } from './operator-cluster.ts';

/** Tests of a cluster that is there when they run. */
export function testActors(owned: () => OwnedCluster): void {
  /** Starts an operator and does something once it has made so many changes. */
  async function operatorWith(afterChanges = 0, act: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
    const { cluster } = owned();
    const { proxy, kubeconfig, close } = await openWay({ connection: cluster.connection, user: (name) => cluster.user(name) });
    onTestFinished(close);
    let changes = 0;
    proxy.onAnswer((request) => {
      if (isChange(request)) changes += 1;
      if (isChange(request) && changes === afterChanges) void act();
    });
    const operator = await startOperator({ args: operatorFlags, namespace: 'dynamo-system', kubeconfig, controllers });
    await operator.line(({ msg }) => msg === 'Starting Controller');
  }
  const [create] = steps;
  const isGone = (namespace: string) => async (): Promise<boolean> =>
    Object.keys(await leftIn(owned().cluster.client, namespace)).every((name) => !/\/g(-|$)/.test(name));

  test('repairs children that somebody edits or deletes, and says so', async () => {
    const { client } = owned().cluster;
    const namespace = await makeNamespace(owned().cluster, 'repaired');
    await operatorWith();
    if (create !== undefined) await take(create, client, namespace);
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { namespace, name: 'g-frontend' } };
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { namespace, name: 'g-frontend' } };
    const uid = (await client.get(service)).body.metadata.uid;
    succeeded(await client.merge(deployment, { spec: { replicas: 5 } }));
    succeeded(await client.delete(service));
    await until(async () => objectAt((await client.get<JsonObject>(deployment)).body, 'spec')['replicas'] === 1, 'replicas');
    await until(async () => {
      const { status, body } = await client.get(service);
      return status === 200 && body.metadata.uid !== uid;
    }, 'the Service is back');
    // Events are written in the background: those of the creation may come as late as this.
    const told = async (what: string): Promise<number> =>
      (await toldIn(client, namespace)).filter((event) => event.endsWith(`g-frontend: ${what} g-frontend`)).length;
    await until(async () => (await told('CreateService')) > 1 && (await told('UpdateDeployment')) > 0, 'it is told');
    expect([await told('CreateService'), await told('UpdateDeployment')]).toEqual([2, 1]);
  });

  test('keeps what an autoscaler and a user ask for at the same time', async () => {
    const { client } = owned().cluster;
    const namespace = await makeNamespace(owned().cluster, 'scaled');
    await operatorWith();
    if (create !== undefined) await take(create, client, namespace);
    const rounds = 10;
    const scale = `/apis/nvidia.com/v1alpha1/namespaces/${namespace}/dynamographdeploymentscalingadapters/g-decode/scale`;
    const autoscaler = async (): Promise<void> => {
      for (let replicas = 2; replicas < rounds; replicas += 1) {
        const body = { spec: { replicas } };
        succeeded(await client.request('PATCH', scale, { body, contentType: 'application/merge-patch+json' }));
      }
    };
    const user = async (): Promise<void> => {
      for (let round = 1; round < rounds; round += 1) {
        const envs = [{ name: 'ROUND', value: String(round) }];
        succeeded(await client.merge(graphIn(namespace), { spec: { services: { Frontend: { envs } } } }));
      }
    };
    await Promise.all([autoscaler(), user()]);
    const deployment = async (name: string): Promise<JsonObject> =>
      succeeded(await client.get<JsonObject>({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { namespace, name } }));
    await until(
      async () => objectAt(await deployment('g-decode'), 'spec')['replicas'] === rounds - 1,
      'the autoscaler has its way',
    );
    await until(async () => {
      const [container] = objectsAt(await deployment('g-frontend'), 'spec', 'template', 'spec', 'containers');
      return objectsAt(container, 'env').some(
        (variable) => stringAt(variable, 'name') === 'ROUND' && stringAt(variable, 'value') === String(rounds - 1),
      );
    }, 'the user has their way');
    const graph = succeeded<JsonObject>(await client.get<JsonObject>(graphIn(namespace)));
    expect(objectAt(graph, 'spec', 'services', 'decode')['replicas']).toBe(rounds - 1);
  });

  test('lets a graph go that is deleted while its children are being made', async () => {
    const { client } = owned().cluster;
    const namespace = await makeNamespace(owned().cluster, 'deleted');
    const since = await owned().cluster.audit.now();
    await operatorWith(6, () => client.delete(graphIn(namespace)));
    succeeded(await client.create(graphIn(namespace)));
    await until(async () => (await client.get(graphIn(namespace))).status === 404, 'the graph is gone');
    await until(isGone(namespace), 'its children are gone');
    await writesUntilQuiet(owned().cluster, since, 1000);
    expect(await isGone(namespace)()).toBe(true);
  });

  test('lets a namespace go that is deleted while a graph is made in it', async () => {
    const { cluster } = owned();
    const { client } = cluster;
    const name = await makeNamespace(cluster, 'ended');
    const key = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await operatorWith(6, () => client.delete(key));
    succeeded(await client.create(graphIn(name)));
    await until(async () => (await client.get(key)).status === 404, 'the namespace is gone');
    const since = await cluster.audit.now();
    expect((await writesUntilQuiet(cluster, since, 2000)).map(describeCall)).toEqual([]);
  });
}
