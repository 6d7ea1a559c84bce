import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { EventWriter } from '../../lib/runtime/events/recorder.ts';
import type { Controller } from '../../lib/runtime/controller.ts';
import { ApiClient } from '../../lib/runtime/api/client.ts';
import { loadClusterConfig } from '../../lib/runtime/api/cluster-config.ts';
import { Transport } from '../../lib/runtime/api/transport.ts';
import { noLog } from '../../lib/runtime/logger.ts';
import { type KubernetesObject, succeeded } from '../control-plane/client.ts';
import { cluster, describeCluster, newNamespace } from '../control-plane/cluster-test.ts';
import { startOperator } from '../control-plane/operator.ts';
import { ManualClock } from '../runtime/manual-clock.ts';

const trusting = new Agent({ connect: { rejectUnauthorized: false } });

async function read(url: string, token?: string): Promise<{ readonly status: number; readonly body: string }> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const { statusCode, body } = await request(url, { dispatcher: trusting, headers });
  return { status: statusCode, body: await body.text() };
}

const models = { apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoModel' };
const idle: Controller = {
  name: 'DynamoModel',
  watches: () => [models],
  start: async (_, signal) => {
    if (!signal.aborted) await once(signal, 'abort');
  },
};

describeCluster('servers of the operator', () => {
  test('show metrics over TLS to service accounts that may get them, and to nobody else', async () => {
    const namespace = await newNamespace();
    const [reader, other] = [
      await cluster().serviceAccount(namespace, 'reader'),
      await cluster().serviceAccount(namespace, 'other'),
    ];
    const rbac = 'rbac.authorization.k8s.io';
    const metadata = { name: `metrics-reader-${namespace}` };
    succeeded(
      await cluster().client.apply({
        apiVersion: `${rbac}/v1`,
        kind: 'ClusterRole',
        metadata,
        rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }],
      }),
    );
    succeeded(
      await cluster().client.apply({
        apiVersion: `${rbac}/v1`,
        kind: 'ClusterRoleBinding',
        metadata,
        roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: metadata.name },
        subjects: [{ kind: 'ServiceAccount', namespace, name: 'reader' }],
      }),
    );
    const operator = await startOperator({ namespace, args: ['--metrics-secure'] });
    const url = `https://127.0.0.1:${operator.ports.metrics}/metrics`;
    // The first time may come before the API server knows the role; a refusal is remembered for ten seconds.
    let page = await read(url, reader.token);
    while (page.status === 403) {
      await setTimeout(500);
      page = await read(url, reader.token);
    }
    expect(page.status).toBe(200);
    expect(page.body).toContain('# TYPE rest_client_requests_total counter');
    expect(await read(url, other.token)).toEqual({ status: 403, body: `Authorization denied for user ${other.username}\n` });
    expect(await read(url)).toEqual({ status: 401, body: 'Unauthorized\n' });
    expect(await read(url, 'nonsense')).toEqual({ status: 401, body: 'Unauthorized\n' });
    expect((await read(`https://127.0.0.1:${operator.ports.metrics}/other`, reader.token)).status).toBe(404);
    expect(JSON.stringify(operator.lines)).not.toContain(reader.token);
  });

  test('are ready when caches are filled and say what is missing', async () => {
    const namespace = await newNamespace();
    const missing: Controller = {
      ...idle,
      name: 'Missing',
      watches: () => [models, { apiVersion: 'nobody.example.com/v1', kind: 'Nothing' }],
    };
    const waiting = await startOperator({ namespace, controllers: [missing] });
    const url = `http://127.0.0.1:${waiting.ports.probes}`;
    expect(await read(`${url}/healthz`)).toEqual({ status: 200, body: 'ok' });
    const notReady = await read(`${url}/readyz`);
    expect(notReady.status).toBe(500);
    expect(notReady.body).toContain('[-]caches failed: reason withheld');
    expect((await read(`${url}/readyz/caches`)).body).toContain('nobody.example.com/v1/Nothing');

    const ready = await startOperator({ namespace, controllers: [idle] });
    await ready.line(({ msg }) => msg === 'Starting Controller');
    expect(await read(`http://127.0.0.1:${ready.ports.probes}/readyz?verbose`)).toEqual({
      status: 200,
      body: '[+]caches ok\n[+]readyz ok\nhealthz check passed\n',
    });
    const { body } = await read(`http://127.0.0.1:${ready.ports.metrics}/metrics`);
    for (const series of [
      'controller_runtime_reconcile_total{controller="DynamoModel",result="requeue"} 0',
      'dynamo_operator_watch_up{watch="nvidia.com/v1alpha1/DynamoModel"} 1',
      'rest_client_requests_total{code="200"',
    ])
      expect(body).toContain(series);
  });

  test('count resources by kind, namespace and state', async () => {
    const namespace = await newNamespace();
    const spec = { modelName: 'm', baseModelName: 'm' };
    for (const name of ['a', 'b']) succeeded(await cluster().client.create({ ...models, metadata: { namespace, name }, spec }));
    succeeded(
      await cluster().client.update(
        {
          ...succeeded(await cluster().client.get({ ...models, metadata: { namespace, name: 'b' } })),
          status: { readyEndpoints: 0, totalEndpoints: 2 },
        },
        'status',
      ),
    );
    const operator = await startOperator({ namespace, controllers: [idle] });
    await operator.line(({ msg }) => msg === 'Starting Controller');
    const { body } = await read(`http://127.0.0.1:${operator.ports.metrics}/metrics`);
    expect(body).toContain(
      `dynamo_operator_resources_total{resource_type="DynamoModel",namespace="${namespace}",status="not_ready"} 1`,
    );
    expect(body).toContain(
      `dynamo_operator_resources_total{resource_type="DynamoModel",namespace="${namespace}",status="ready"} 1`,
    );
  });

  test('write events once, count repeats, and stop when an object has had enough', async () => {
    const namespace = await newNamespace();
    const config = await loadClusterConfig({ kubeconfig: cluster().connection.kubeconfig, env: {} });
    const transport = new Transport(config, { userAgent: 'test' });
    const clock = new ManualClock();
    const writer = new EventWriter({ client: new ApiClient(transport), clock, log: noLog });
    const subject = succeeded(
      await cluster().client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'x' } }),
    );
    const recorder = writer.recorder('dynamographdeployment');
    const told = { type: 'Normal', reason: 'CreateService', message: 'Created Service a, a-p, a-d' } as const;
    const about = { ...subject, metadata: { ...subject.metadata } };
    recorder.record(about, told);
    recorder.record(about, told);
    recorder.record(about, { type: 'Warning', reason: 'PodStuck', message: 'x'.repeat(5_000) });
    for (let more = 0; more < 30; more += 1) recorder.record(about, { ...told, message: `Created Service ${more}` });
    await writer.flush();
    await transport.close();
    const { items } = succeeded(await cluster().client.list({ apiVersion: 'v1', kind: 'Event', namespace }));
    const find = (message: string): KubernetesObject | undefined => items.find((event) => event['message'] === message);
    expect(find(told.message)).toMatchObject({
      type: 'Normal',
      reason: 'CreateService',
      count: 2,
      source: { component: 'dynamographdeployment' },
      reportingComponent: 'dynamographdeployment',
      involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'x', uid: subject.metadata.uid },
      firstTimestamp: '2026-01-01T00:00:00Z',
    });
    expect(find('x'.repeat(1024))).toMatchObject({ type: 'Warning' });
    // Two of the budget of 25 went into the first event, one of the other budget into the warning.
    expect(items).toHaveLength(1 + 1 + 23);
  });
});
