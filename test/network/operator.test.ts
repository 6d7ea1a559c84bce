/** The operator as a process, with workers over real HTTP: what it does by itself, and what it finds after it was killed. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { crds } from '../../lib/api/index.ts';
import { objectAt, type JsonObject } from '../../lib/json/index.ts';
import { succeeded } from '../control-plane/client.ts';
import { cluster, describeCluster, withNamespace } from '../control-plane/cluster-test.ts';
import { installCrds } from '../control-plane/crds.ts';
import { requiredFlags } from '../control-plane/operator.ts';
import { setEndpoints } from './endpoints.ts';
import { healthy, WorkerRange } from './workers.ts';

const workers = new WorkerRange();
const dynamo = 'nvidia.com/v1alpha1';

/** Starts the operator; it is killed when the test ends. */
function startOperator(): ChildProcess {
  const flags = [
    `--kubeconfig=${cluster().connection.kubeconfig}`,
    '--metrics-bind-address=0',
    '--health-probe-bind-address=0',
    ...requiredFlags,
  ];
  const child = spawn(process.execPath, ['--import', 'tsx', 'lib/cli/bin.ts', 'operator', ...flags], { stdio: 'ignore' });
  onTestFinished(() => kill(child));
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function statusOf(namespace: string): Promise<JsonObject> {
  const { body } = await cluster().client.get({ apiVersion: dynamo, kind: 'DynamoModel', metadata: { namespace, name: 'ad' } });
  return objectAt(body as unknown as JsonObject, 'status');
}

/** Waits for what the operator does by itself. */
async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = AbortSignal.timeout(120_000);
  while (!(await holds())) {
    if (deadline.aborted) throw new Error(`${what} did not happen within two minutes`);
    await setTimeout(50);
  }
}

const isReady = (namespace: string, count: number) => async (): Promise<boolean> =>
  (await statusOf(namespace))['readyEndpoints'] === count;

async function createModel(): Promise<string> {
  const namespace = await withNamespace();
  const spec = { modelName: 'org/ad', baseModelName: 'Qwen/Qwen3-0.6B', modelType: 'lora', source: { uri: 's3://b/ad' } };
  succeeded(
    await cluster().client.create({ apiVersion: dynamo, kind: 'DynamoModel', metadata: { name: 'ad', namespace }, spec }),
  );
  return namespace;
}

describeCluster('the operator and its workers', () => {
  beforeAll(async () => {
    await installCrds(cluster().client, crds());
    await workers.open();
  });
  beforeEach(() => workers.clear());
  afterAll(() => workers.close());

  test('loads when pods appear and unloads when the model goes', async () => {
    const namespace = await createModel();
    startOperator();
    for (const address of ['10.77.5.1', '10.77.5.2', '10.77.5.3']) workers.set(address, healthy());
    await setEndpoints(namespace, ['10.77.5.1', '10.77.5.2']);
    await until('loading', isReady(namespace, 2));
    await setEndpoints(namespace, ['10.77.5.1', '10.77.5.2', '10.77.5.3']);
    await until('loading on the new pod', isReady(namespace, 3));
    const key = { apiVersion: dynamo, kind: 'DynamoModel', metadata: { namespace, name: 'ad' } };
    await cluster().client.delete(key);
    await until('deletion', async () => (await cluster().client.get(key)).status === 404);
    const unloads = workers.calls.filter(({ request }) => request === 'DELETE /v1/loras/org/ad');
    expect(unloads.map(({ to }) => to).toSorted()).toEqual(['10.77.5.1', '10.77.5.2', '10.77.5.3']);
    expect(workers.overlaps).toBe(0);
  });

  test('asks first after it was killed in the middle of a load, and loads nothing twice', async () => {
    const namespace = await createModel();
    const first = startOperator();
    // One worker has loaded and answered, the other has loaded and its answer never comes.
    const silent = healthy();
    workers.set('10.77.6.1', healthy());
    workers.set('10.77.6.2', (call, response, socket) => {
      const isLoad = call.request.startsWith('POST');
      silent(call, isLoad ? ({ end: () => {} } as unknown as typeof response) : response, socket);
    });
    await setEndpoints(namespace, ['10.77.6.1', '10.77.6.2']);
    await until('a load under way', () => workers.calls.filter(({ request }) => request.startsWith('POST')).length === 2);
    await kill(first);
    expect(await statusOf(namespace)).not.toMatchObject({ totalEndpoints: 2 });
    workers.calls.length = 0;
    startOperator();
    await until('the end of the load', isReady(namespace, 2));
    expect(workers.calls.map(({ to, request }) => `${to} ${request}`).toSorted()).toEqual([
      '10.77.6.1 GET /v1/loras',
      '10.77.6.2 GET /v1/loras',
    ]);
    expect(workers.overlaps).toBe(0);
  });
});
