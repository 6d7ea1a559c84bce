/** Models on a real API server with workers over real HTTP; run by test/cluster/network.test.ts where pods can have addresses, one file after the other: they share a port. */
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { objectAt, type JsonObject } from '../../lib/json/index.ts';
import { HttpEffects } from '../../lib/runtime/effects/http-effects.ts';
import { succeeded } from '../control-plane/client.ts';
import { cluster, describeCluster, withNamespace } from '../control-plane/cluster-test.ts';
import { Passes } from '../cluster/passes.ts';
import { setEndpoints } from './endpoints.ts';
import { healthy, WorkerRange } from './workers.ts';

const workers = new WorkerRange();
const isLong = process.env['LONG'] !== undefined;
const dynamo = 'nvidia.com/v1alpha1';

interface Fixture {
  readonly namespace: string;
  readonly key: { readonly apiVersion: string; readonly kind: 'DynamoModel'; readonly namespace: string; readonly name: string };
}

async function lora(spec: JsonObject = {}): Promise<Fixture> {
  const namespace = await withNamespace();
  const object = {
    apiVersion: dynamo,
    kind: 'DynamoModel',
    metadata: { name: 'ad', namespace },
    spec: { modelName: 'org/ad', baseModelName: 'Qwen/Qwen3-0.6B', modelType: 'lora', source: { uri: 's3://b/ad' }, ...spec },
  };
  succeeded(await cluster().client.create(object));
  return { namespace, key: { apiVersion: dynamo, kind: 'DynamoModel', namespace, name: 'ad' } };
}

async function passes(signal?: AbortSignal, effects?: HttpEffects): Promise<Passes> {
  const made = await Passes.start(cluster().connection.kubeconfig, undefined, signal, effects);
  onTestFinished(() => made.close());
  return made;
}

async function statusOf({ key }: Fixture): Promise<JsonObject> {
  const { body } = await cluster().client.get({ ...key, metadata: { namespace: key.namespace, name: key.name } });
  return objectAt(body as unknown as JsonObject, 'status');
}

async function remove({ key }: Fixture): Promise<void> {
  await cluster().client.delete({
    apiVersion: key.apiVersion,
    kind: key.kind,
    metadata: { namespace: key.namespace, name: key.name },
  });
}

const called = (): readonly string[] => workers.calls.map(({ to, request }) => `${to} ${request}`).toSorted();

describeCluster('models', () => {
  beforeAll(async () => {
    await workers.open();
  });
  beforeEach(() => workers.clear());
  afterAll(() => workers.close());

  test('loads on pods that appear, asks the known ones, unloads when the model is deleted', async () => {
    const fixture = await lora();
    const operator = await passes();
    expect(await operator.settle(fixture.key)).toMatchObject({ writes: ['patch DynamoModel ad', 'status DynamoModel ad'] });
    for (const address of ['10.77.7.1', '10.77.7.2']) workers.set(address, healthy());
    await setEndpoints(fixture.namespace, ['10.77.7.1', '10.77.7.2']);
    expect(await operator.pass(fixture.key)).toMatchObject({ lookAgainSeconds: 600 });
    expect(called()).toEqual(['10.77.7.1 POST /v1/loras', '10.77.7.2 POST /v1/loras']);
    expect(workers.calls[0]?.body).toBe('{"lora_name":"org/ad","source":{"uri":"s3://b/ad"}}');
    expect(await statusOf(fixture)).toMatchObject({ readyEndpoints: 2, totalEndpoints: 2 });

    workers.calls.length = 0;
    workers.set('10.77.7.2', healthy());
    expect(await operator.settle(fixture.key)).toMatchObject({ writes: [], events: [] });
    expect(called()).toEqual(['10.77.7.1 GET /v1/loras', '10.77.7.2 GET /v1/loras', '10.77.7.2 POST /v1/loras']);

    workers.calls.length = 0;
    await remove(fixture);
    expect(await operator.settle(fixture.key)).toMatchObject({
      events: ['Normal LoRAUnloaded: Unloaded LoRA from 2 endpoint(s)'],
    });
    expect(called()).toEqual(['10.77.7.1 DELETE /v1/loras/org/ad', '10.77.7.2 DELETE /v1/loras/org/ad']);
    expect((await cluster().client.get({ ...fixture.key, metadata: { namespace: fixture.namespace, name: 'ad' } })).status).toBe(
      404,
    );
  });

  test('tells workers that are slow, half open, refusing, breaking off, lying or without end from those that load', async () => {
    const fixture = await lora();
    const operator = await passes(undefined, new HttpEffects(isLong ? {} : { waveSeconds: 5 }));
    const behaviours = {
      '10.77.1.1': healthy(),
      '10.77.1.2': () => {},
      '10.77.1.3': (_call: unknown, response: { writeHead(status: number, headers: object): void; flushHeaders(): void }) => {
        response.writeHead(200, { 'content-length': '100' });
        response.flushHeaders();
      },
      '10.77.1.4': (_call: unknown, _response: unknown, socket: { end(text: string): void }) => socket.end('no HTTP\r\n\r\n'),
      '10.77.1.5': (_call: unknown, response: { end(text: string): void }) => response.end('{"status":"error","message":"no"}'),
      '10.77.1.6': (_call: unknown, response: NodeJS.WritableStream & { readonly destroyed: boolean }) => {
        const push = (): void => {
          while (!response.destroyed && response.write('x'.repeat(1 << 16)));
        };
        response.on('drain', push);
        push();
      },
      '10.77.1.7': (_call: unknown, response: { writeHead(status: number, headers: object): { end(): void } }) =>
        response.writeHead(307, { location: 'http://10.77.1.1:9090/v1/loras' }).end(),
    };
    for (const [address, behaviour] of Object.entries(behaviours)) workers.set(address, behaviour as never);
    await setEndpoints(fixture.namespace, [...Object.keys(behaviours), '10.77.1.8']);
    expect(await operator.pass(fixture.key)).toMatchObject({ lookAgainSeconds: 0 });
    expect(await operator.pass(fixture.key)).toMatchObject({ lookAgainSeconds: 30 });
    const status = await statusOf(fixture);
    expect(status).toMatchObject({ readyEndpoints: 1, totalEndpoints: 8 });
    expect(status['endpoints']).toMatchObject([
      { address: 'http://10.77.1.1:9090', ready: true },
      ...Array.from({ length: 7 }, () => ({ ready: false })),
    ]);
    expect(workers.calls.filter(({ to }) => to === '10.77.1.1')).toHaveLength(
      workers.calls.filter(({ to }) => to === '10.77.1.2').length,
    );

    await remove(fixture);
    const released = await operator.settle(fixture.key);
    expect(released.events).toEqual([expect.stringMatching(/^Warning LoRAUnloadFailed: .*7 task\(s\) failed$/)]);
  });

  test('has a worker that fails now and then load at a later try', async () => {
    const fixture = await lora();
    const operator = await passes();
    const steady = healthy();
    let tries = 0;
    workers.set('10.77.8.1', healthy());
    workers.set('10.77.8.2', (call, response, socket) => {
      if (call.request.startsWith('POST') && ++tries < 3) response.writeHead(503).end('not yet');
      else steady(call, response, socket);
    });
    await setEndpoints(fixture.namespace, ['10.77.8.1', '10.77.8.2']);
    const events: string[] = [];
    for (const seconds of [0, 30, 30, 600])
      expect(await operator.pass(fixture.key, [], events)).toMatchObject({ lookAgainSeconds: seconds });
    expect(tries).toBe(3);
    expect(events).toEqual([
      'Warning PartialEndpointFailure: Some endpoints failed to load LoRA: 1 task(s) failed',
      'Warning NotReady: Only 1 of 2 endpoints ready for base model Qwen/Qwen3-0.6B',
      'Normal EndpointsReady: All 2 endpoints ready for base model Qwen/Qwen3-0.6B',
    ]);
    expect(await statusOf(fixture)).toMatchObject({ readyEndpoints: 2, totalEndpoints: 2 });
  });

  test('tells that it cannot find out endpoints, and lets a model go all the same', async () => {
    const fixture = await lora();
    const { namespace, key } = fixture;
    const account = await cluster().serviceAccount(namespace, 'blind');
    const group = 'rbac.authorization.k8s.io';
    const rules = [{ apiGroups: ['nvidia.com'], resources: ['dynamomodels', 'dynamomodels/status'], verbs: ['*'] }];
    const metadata = { name: 'blind', namespace };
    succeeded(await cluster().client.create({ apiVersion: `${group}/v1`, kind: 'Role', metadata, rules }));
    const roleRef = { apiGroup: group, kind: 'Role', name: 'blind' };
    const subjects = [{ kind: 'ServiceAccount', name: 'blind', namespace }];
    succeeded(await cluster().client.create({ apiVersion: `${group}/v1`, kind: 'RoleBinding', metadata, roleRef, subjects }));
    await (await passes()).settle(key);
    const blind = await Passes.start(account.kubeconfig);
    onTestFinished(() => blind.close());
    const forbidden = /endpointslices.* is forbidden/;
    expect(await blind.settle(key)).toMatchObject({
      writes: [],
      events: [expect.stringMatching(/^Warning EndpointDiscoveryFailed: .*endpointslices.* is forbidden/)],
      errors: [expect.stringMatching(forbidden)],
    });
    await remove(fixture);
    expect(await blind.settle(key)).toMatchObject({
      events: [
        expect.stringMatching(/^Warning EndpointDiscoveryFailed: .*endpointslices.* is forbidden/),
        expect.stringMatching(/^Warning CleanupFailed: .*endpointslices.* is forbidden/),
      ],
      errors: [],
    });
    expect((await cluster().client.get({ ...key, metadata: { namespace, name: 'ad' } })).status).toBe(404);
  });

  test('loads on 500 pods with ten connections at once', async () => {
    const fixture = await lora();
    const operator = await passes();
    const addresses = Array.from({ length: 500 }, (_, index) => `10.77.${10 + Math.floor(index / 250)}.${1 + (index % 250)}`);
    for (const address of addresses) workers.set(address, healthy());
    await setEndpoints(fixture.namespace, addresses);
    expect(await operator.pass(fixture.key)).toMatchObject({ lookAgainSeconds: 0 });
    expect(await operator.pass(fixture.key)).toMatchObject({ lookAgainSeconds: 600 });
    expect(await statusOf(fixture)).toMatchObject({ readyEndpoints: 500, totalEndpoints: 500 });
    expect(workers.calls).toHaveLength(500);
    expect(workers.mostConnections).toBeLessThanOrEqual(10);
    expect(workers.overlaps).toBe(0);
  });

  test('takes up pods that come and forgets pods that go while it loads', async () => {
    const fixture = await lora();
    const operator = await passes();
    workers.set('10.77.2.2', healthy());
    workers.set('10.77.2.3', healthy());
    workers.set('10.77.2.1', (_call, response) => {
      void setEndpoints(fixture.namespace, ['10.77.2.2', '10.77.2.3']).then(() => response.end('{}'));
    });
    await setEndpoints(fixture.namespace, ['10.77.2.1', '10.77.2.2']);
    await operator.pass(fixture.key);
    await operator.pass(fixture.key);
    expect(await statusOf(fixture)).toMatchObject({ totalEndpoints: 2 });
    await operator.settle(fixture.key);
    expect(await statusOf(fixture)).toMatchObject({
      readyEndpoints: 2,
      totalEndpoints: 2,
      endpoints: [{ address: 'http://10.77.2.2:9090' }, { address: 'http://10.77.2.3:9090' }],
    });
  });

  test('asks first after it was killed in the middle of a load, and loads nothing twice', async () => {
    const fixture = await lora();
    const stop = new AbortController();
    const killed = await passes(stop.signal);
    const addresses = ['10.77.3.1', '10.77.3.2'];
    await setEndpoints(fixture.namespace, addresses);
    await killed.pass(fixture.key);
    // The worker goes on loading although its caller is gone.
    for (const address of addresses) {
      const worker = healthy();
      workers.set(address, (call, response, socket) => {
        worker(call, address === '10.77.3.1' ? response : ({ end: () => {} } as never), socket);
        if (address === '10.77.3.2' && call.request.startsWith('POST')) stop.abort(new Error('killed'));
        if (address === '10.77.3.2' && call.request.startsWith('GET')) worker(call, response, socket);
      });
    }
    await expect(killed.pass(fixture.key)).rejects.toThrow('killed');
    expect(await statusOf(fixture)).not.toHaveProperty('readyEndpoints');
    workers.calls.length = 0;
    const restarted = await passes();
    await restarted.settle(fixture.key, true);
    expect(called().filter((call) => call.includes('POST'))).toEqual([]);
    expect(await statusOf(fixture)).toMatchObject({ readyEndpoints: 2, totalEndpoints: 2 });
    expect(workers.overlaps).toBe(0);
  });

  test('unloads the old source before it loads the new one', async () => {
    const fixture = await lora();
    const operator = await passes();
    workers.set('10.77.4.1', healthy());
    await setEndpoints(fixture.namespace, ['10.77.4.1']);
    await operator.settle(fixture.key);
    workers.calls.length = 0;
    const path = `/apis/${dynamo}/namespaces/${fixture.namespace}/dynamomodels/ad`;
    const body = { spec: { source: { uri: 'hf://org/model@v2' } } };
    succeeded(await cluster().client.request('PATCH', path, { body, contentType: 'application/merge-patch+json' }));
    await operator.pass(fixture.key);
    expect(workers.calls.map(({ request, body: sent }) => `${request} ${sent}`)).toEqual([
      'DELETE /v1/loras/org/ad ',
      'POST /v1/loras {"lora_name":"org/ad","source":{"uri":"hf://org/model@v2"}}',
    ]);
    expect(await statusOf(fixture)).toMatchObject({ conditions: [{ observedGeneration: 2 }, {}, {}], readyEndpoints: 1 });
  });
});
