/** The operator in a cluster with nodes: it does nothing twice, and it reports pods that are stuck. */
import { execFile } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { objectAt, stringAt, type JsonObject } from '../../lib/json/index.ts';
import { controllers } from '../../lib/runtime/controllers/index.ts';
import { bundleProgram } from '../bundle-program.ts';
import { describeCall } from '../control-plane/audit-log.ts';
import { succeeded } from '../control-plane/client.ts';
import type { Cluster } from '../control-plane/connect.ts';
import { startOperator } from '../control-plane/operator.ts';
import { canRunOperator, operatorFlags, startOperatorCluster, writesUntilQuiet } from './operator-cluster.ts';

const dynamo = 'nvidia.com/v1alpha1';
const namespace = 'demo';
const isLong = process.env['LONG'] !== undefined;
const graphs = isLong ? 200 : 10;

const worker = (image: string, role = 'decode') => ({
  componentType: 'worker',
  subComponentType: role,
  replicas: 1,
  resources: { limits: { gpu: '1' } },
  extraPodSpec: { mainContainer: { image, command: ['python3', '-m', 'dynamo.vllm'], args: ['--model', 'Qwen/Qwen3-0.6B'] } },
});
const frontend = (image: string) => ({ componentType: 'frontend', replicas: 1, extraPodSpec: { mainContainer: { image } } });
const graph = (name: string, services: object) => ({
  apiVersion: dynamo,
  kind: 'DynamoGraphDeployment',
  metadata: { name, namespace },
  spec: { services },
});

async function startInNamespace(
  nodes: number,
): Promise<{ readonly cluster: Cluster; readonly start: () => ReturnType<typeof startOperator> }> {
  // Istio is there, though the operator has no gateway: it must not look for what it does not watch.
  const cluster = await startOperatorCluster({ nodes, groups: ['networking.istio.io'] });
  succeeded(await cluster.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }));
  const { kubeconfig } = cluster.user('operator');
  const start = (): ReturnType<typeof startOperator> =>
    startOperator({ args: operatorFlags, namespace: 'dynamo-system', kubeconfig, controllers });
  return { cluster, start };
}

async function until<T>(read: () => Promise<T>, isRight: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (isRight(value)) return value;
    await setTimeout(100);
  }
}

describe.skipIf(!canRunOperator({ nodes: 1 }))('an operator', () => {
  test(`writes nothing when it starts over ${graphs} graphs that are as they should be`, async () => {
    const { cluster, start } = await startInNamespace(0);
    const before = await cluster.audit.now();
    const first = await start();
    const services = { Frontend: frontend('nvcr.io/x/vllm-runtime:0.9.0'), decode: worker('nvcr.io/x/vllm-runtime:0.9.0') };
    for (let index = 0; index < graphs; index += 1) succeeded(await cluster.client.create(graph(`g${index}`, services)));
    const made = await writesUntilQuiet(cluster, before);
    const created = made.filter(({ verb, objectRef }) => verb === 'create' && objectRef?.resource === 'deployments');
    expect(created).toHaveLength(2 * graphs);
    // One create per child: none was tried twice, and none refused.
    expect(made.filter(({ responseStatus }) => (responseStatus?.code ?? 0) >= 400).map(describeCall)).toEqual([]);
    expect(await first.stop()).toBe(0);

    const since = await cluster.audit.now();
    await start();
    expect((await writesUntilQuiet(cluster, since, isLong ? 8000 : 3000)).map(describeCall)).toEqual([]);
  });

  test('brings a graph up, repairs what is taken from it, tells a stuck pod, and shows all of it in status', async () => {
    const { cluster, start } = await startInNamespace(2);
    const { client } = cluster;
    await start();
    const image = 'nvcr.io/x/vllm-runtime:0.9.0';
    const key = graph('qwen', { Frontend: frontend(image), decode: worker(image) });
    const secret = { '.dockerconfigjson': Buffer.from('{"auths":{"nvcr.io":{"auth":"c2VjcmV0"}}}').toString('base64') };
    const type = 'kubernetes.io/dockerconfigjson';
    succeeded(
      await client.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'pull', namespace }, type, data: secret }),
    );
    succeeded(await client.create(key));
    const state = async (): Promise<string> =>
      stringAt(succeeded<JsonObject>(await client.get<JsonObject>(key)), 'status', 'state');
    await until(state, (found) => found === 'successful');

    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'qwen-decode', namespace } };
    const live = succeeded<JsonObject>(await client.get<JsonObject>(deployment));
    expect(objectAt(live, 'spec', 'template', 'spec')['imagePullSecrets']).toEqual([{ name: 'pull' }]);

    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'qwen-frontend', namespace } };
    const uidOf = async (): Promise<string | undefined> => (await client.get(service)).body.metadata?.uid;
    const uid = await uidOf();
    succeeded(await client.delete(service));
    await until(uidOf, (found) => found !== undefined && found !== uid);

    // More GPUs than any node has: the pod stays pending, and says why.
    succeeded(await client.merge(key, { spec: { services: { decode: { resources: { limits: { gpu: '64' } } } } } }));
    const events = async (): Promise<readonly JsonObject[]> =>
      (await client.list({ apiVersion: 'v1', kind: 'Event', namespace })).body.items as unknown as readonly JsonObject[];
    const stuck = (found: readonly JsonObject[]): readonly JsonObject[] => found.filter(({ reason }) => reason === 'PodStuck');
    const [told] = stuck(await until(events, (found) => stuck(found).length > 0));
    expect(stringAt(told, 'involvedObject', 'kind')).toBe('DynamoComponentDeployment');
    expect(stringAt(told, 'message')).toMatch(/^Pod qwen-decode-\S+: Unschedulable: 0\/2 nodes are available/);

    const shown = await status(cluster, ['qwen', '-n', namespace]);
    expect(shown.code).toBe(1);
    expect(shown.stdout).toMatch(/^DynamoGraphDeployment\/qwen in demo {2}pending/);
    expect(shown.stdout).toContain('Unschedulable: 0/2 nodes are available');
    succeeded(await client.merge(key, { spec: { services: { decode: { resources: { limits: { gpu: '1' } } } } } }));
    await until(state, (found) => found === 'successful');
    const ready = await status(cluster, ['qwen', '-n', namespace, '-o', 'json']);
    expect(ready.code).toBe(0);
    expect(JSON.parse(ready.stdout)).toMatchObject({ apiVersion: 'dynamo-cdk8s/v1', items: [{ name: 'qwen', isReady: true }] });
    expect(await status(cluster, ['absent', '-n', namespace])).toMatchObject({
      code: 1,
      stderr: 'error: no DynamoGraphDeployment absent in namespace demo; name another with -n\n',
    });
    const wide = await cluster.kubectl(['get', 'dgd', 'qwen', '-n', namespace, '-o', 'wide']);
    expect(wide.stdout).toContain('All resources are ready');
  });
});

interface Shown {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function status({ connection }: Cluster, args: readonly string[]): Promise<Shown> {
  const argv = [await bundleProgram('lib/cli/bin.ts'), 'status', '--kubeconfig', connection.kubeconfig, ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, argv, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}
