/** The operator as a process, with workers over real HTTP: its normal work, and its recovery after it was killed. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { objectAt, type JsonObject } from '../../lib/json/index.ts';
import { bundleProgram } from '../bundle-program.ts';
import { succeeded } from '../control-plane/client.ts';
import { cluster, describeCluster, withNamespace } from '../control-plane/cluster-test.ts';
import { requiredFlags } from '../control-plane/operator.ts';
import { setEndpoints } from './endpoints.ts';
import { healthy, WorkerRange } from './workers.ts';

const workers = new WorkerRange();
const dynamo = 'nvidia.com/v1alpha1';

/** What the operators of a test said. */
const said: string[] = [];

/** Starts the operator; it is killed when the test ends. */
async function startOperator(): Promise<ChildProcess> {
  const flags = [
    `--kubeconfig=${cluster().connection.kubeconfig}`,
    '--metrics-bind-address=0',
    '--health-probe-bind-address=0',
    ...requiredFlags,
  ];
  const child = spawn(process.execPath, [await bundleProgram('lib/cli/bin.ts'), 'operator', ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => said.push(String(data)));
  onTestFinished(() => kill(child));
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function statusOf(namespace: string, name = 'ad'): Promise<JsonObject> {
  const { body } = await cluster().client.get({ apiVersion: dynamo, kind: 'DynamoModel', metadata: { namespace, name } });
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

const isReady =
  (namespace: string, count: number, name = 'ad') =>
  async (): Promise<boolean> =>
    (await statusOf(namespace, name))['readyEndpoints'] === count;

async function createModel(uri = 's3://b/ad'): Promise<string> {
  const namespace = await withNamespace();
  await addModel(namespace, 'ad', uri);
  return namespace;
}

async function addModel(namespace: string, name: string, uri: string): Promise<void> {
  const spec = { modelName: 'org/ad', baseModelName: 'Qwen/Qwen3-0.6B', modelType: 'lora', source: { uri } };
  succeeded(await cluster().client.create({ apiVersion: dynamo, kind: 'DynamoModel', metadata: { name, namespace }, spec }));
}

/** Deletes a model and waits until it is gone. */
async function deleteModel(namespace: string, name: string): Promise<void> {
  const key = { apiVersion: dynamo, kind: 'DynamoModel', metadata: { namespace, name } };
  succeeded(await cluster().client.delete(key));
  await until('deletion', async () => (await cluster().client.get(key)).status === 404);
}

describeCluster('the operator and its workers', () => {
  beforeAll(async () => {
    await workers.open();
  });
  beforeEach(() => {
    workers.clear();
    said.length = 0;
  });
  afterAll(() => workers.close());

  test('loads when pods appear and unloads when the model goes', async () => {
    const namespace = await createModel();
    await startOperator();
    for (const address of ['10.77.5.1', '10.77.5.2', '10.77.5.3']) workers.set(address, healthy());
    await setEndpoints(namespace, ['10.77.5.1', '10.77.5.2']);
    await until('loading', isReady(namespace, 2));
    await setEndpoints(namespace, ['10.77.5.1', '10.77.5.2', '10.77.5.3']);
    await until('loading on the new pod', isReady(namespace, 3));
    await deleteModel(namespace, 'ad');
    const unloads = workers.calls.filter(({ request }) => request === 'DELETE /v1/loras/org/ad');
    expect(unloads.map(({ to }) => to).toSorted()).toEqual(['10.77.5.1', '10.77.5.2', '10.77.5.3']);
    expect(workers.overlaps).toBe(0);
  });

  test('asks first after it was killed in the middle of a load, and loads nothing twice', async () => {
    const namespace = await createModel();
    const first = await startOperator();
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
    await startOperator();
    await until('the end of the load', isReady(namespace, 2));
    expect(workers.calls.map(({ to, request }) => `${to} ${request}`).toSorted()).toEqual([
      '10.77.6.1 GET /v1/loras',
      '10.77.6.2 GET /v1/loras',
    ]);
    expect(workers.overlaps).toBe(0);
  });

  test('keeps an adapter on the workers while another model has it, and has that one load its own where sources differ', async () => {
    const namespace = await createModel();
    await addModel(namespace, 'twin', 's3://b/ad');
    await addModel(namespace, 'stranger', 's3://b/else');
    await startOperator();
    workers.set('10.77.9.1', healthy());
    await setEndpoints(namespace, ['10.77.9.1']);
    for (const name of ['ad', 'twin', 'stranger']) await until(`loading ${name}`, isReady(namespace, 1, name));
    workers.calls.length = 0;
    await deleteModel(namespace, 'ad');
    const changes = (): readonly string[] =>
      workers.calls.filter(({ request }) => !request.startsWith('GET')).map(({ request, body }) => `${request} ${body}`);
    expect(changes()).toEqual([]);
    await deleteModel(namespace, 'twin');
    await until('a load from the other source', () => changes().length === 2);
    expect(changes()).toEqual([
      'DELETE /v1/loras/org/ad ',
      'POST /v1/loras {"lora_name":"org/ad","source":{"uri":"s3://b/else"}}',
    ]);
    await deleteModel(namespace, 'stranger');
    expect(changes().at(-1)).toBe('DELETE /v1/loras/org/ad ');
    expect(workers.overlaps).toBe(0);
  });

  test('never tells a password or a signature, in log, events or status', async () => {
    const namespace = await createModel('s3://me:hunter2@bucket/ad?X-Amz-Signature=hunter2');
    await startOperator();
    workers.set('10.77.9.2', ({ body }, response) => void response.writeHead(500).end(`cannot fetch ${body}`));
    await setEndpoints(namespace, ['10.77.9.2']);
    await until('a word about the failure', () => said.join('').includes('load LoRA failed with status 500: cannot fetch'));
    await until('a status', async () => (await statusOf(namespace))['totalEndpoints'] === 1);
    const told = async (): Promise<string> =>
      JSON.stringify((await cluster().client.list({ apiVersion: 'v1', kind: 'Event', namespace })).body.items);
    await until('events', async () => (await told()).includes('PartialEndpointFailure'));
    for (const text of [said.join(''), await told(), JSON.stringify(await statusOf(namespace))])
      expect(text).not.toContain('hunter2');
  });
});
