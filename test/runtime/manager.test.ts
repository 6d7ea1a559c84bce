/** How the process of the operator starts and stops, in front of an API server in this process and on a clock that the test moves. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { stringAt } from '../../lib/json/index.ts';
import type { Controller } from '../../lib/runtime/controller.ts';
import { controllers } from '../../lib/runtime/controllers/index.ts';
import { runOperator } from '../../lib/runtime/run-operator.ts';
import { issueCertificate } from '../../lib/runtime/webhook/make-certificate.ts';
import { freePorts } from '../control-plane/free-ports.ts';
import { type OperatorSetting, requiredFlags, type RunningOperator, startOperator } from '../control-plane/operator.ts';
import { graphOf, platformStore } from '../reconcile/cluster.ts';
import { DrivenClock } from './driven-clock.ts';
import { MemoryApiServer, type SeenRequest } from './memory-api-server.ts';

const namespace = 'dynamo-system';
const leaseKey = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', namespace, name: 'id' };
const electing = ['--leader-elect', '--leader-election-id=id'];

async function serverOf(setting: Parameters<typeof MemoryApiServer.start>[0] = {}): Promise<MemoryApiServer> {
  const server = await MemoryApiServer.start({ store: platformStore(), ...setting });
  onTestFinished(() => server.stop());
  return server;
}

async function operatorOf(server: MemoryApiServer, setting: Partial<OperatorSetting> = {}): Promise<RunningOperator> {
  return startOperator({ namespace, kubeconfig: await server.kubeconfig(), ...setting });
}

const isRelease = ({ method, path }: SeenRequest): boolean => method === 'PUT' && path.endsWith('/leases/id');
const writes = ({ requests }: MemoryApiServer): readonly string[] =>
  requests
    .filter(({ method, path }) => method !== 'GET' && !path.includes('/events'))
    .map(({ method, path }) => `${method} ${path.split('/').slice(-2).join('/')}`);

/** Asks again, turn by turn, until an answer is there. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setImmediate();
}

/** A promise that a test resolves. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name } });
/** Writes two ConfigMaps, one after the other, and takes note of what came of each. */
const writer = (outcomes: string[]): Controller => ({
  name: 'Writer',
  start: async ({ client }, signal) => {
    for (const name of ['first', 'second']) {
      const outcome = client.create(configMap(name), signal).then(
        () => 'done',
        (error: unknown) => String(error),
      );
      outcomes.push(`${name}: ${await outcome}`);
    }
  },
});

test('lets a write that was sent end, begins no other, and gives the Lease up after it', async () => {
  const server = await serverOf();
  const { opened, open } = gate();
  server.intercept = ({ method, path }) => (method === 'POST' && path.endsWith('/configmaps') ? opened : undefined);
  const outcomes: string[] = [];
  const operator = await operatorOf(server, { args: electing, controllers: [writer(outcomes)] });
  await server.until(({ method, path }) => method === 'POST' && path.endsWith('/configmaps'));
  const ended = operator.stop();
  expect((await request(`http://127.0.0.1:${operator.ports.probes}/readyz/readyz`)).statusCode).toBe(500);
  expect(stringAt(server.store.get(leaseKey), 'spec', 'holderIdentity')).not.toBe('');
  open();
  expect(await ended).toBe(0);
  expect(outcomes).toEqual(['first: done', 'second: Error: the test ends']);
  expect(writes(server)).toEqual([`POST ${namespace}/leases`, `POST ${namespace}/configmaps`, 'PUT leases/id']);
  expect(server.store.get({ ...configMap('first'), namespace, name: 'first' })).toMatchObject({ metadata: { name: 'first' } });
  expect(server.store.get(leaseKey)).toMatchObject({ spec: { holderIdentity: '' } });
});

/** Works on when it is told to stop, until the test lets it end. */
async function stubborn(): Promise<{ readonly controller: Controller; readonly end: () => void }> {
  const { opened, open } = gate();
  return { controller: { name: 'Stubborn', start: () => opened }, end: open };
}

/** Moves the clock by two seconds and waits for the leader's renewal, which is due then. */
async function renewals(server: MemoryApiServer, clock: DrivenClock, count: number): Promise<void> {
  for (let renewal = 0; renewal < count; renewal += 1) {
    const before = server.requests.filter(isRelease).length;
    await clock.advance(2_000);
    await until(() => server.requests.filter(isRelease).length > before);
    await clock.until(() => clock.dueIn(2_000));
  }
}

test('ends with 1 when a controller does not end within 25 s, renewing the Lease meanwhile and leaving it to expire', async () => {
  const server = await serverOf();
  const clock = new DrivenClock();
  const { controller } = await stubborn();
  const operator = await operatorOf(server, { args: electing, controllers: [controller], place: { clock } });
  await operator.line(({ msg }) => msg === 'Starting Controller');
  await clock.until(() => clock.dueIn(2_000));
  let isOver = false;
  const ended = operator.stop().finally(() => (isOver = true));
  await renewals(server, clock, 12);
  expect(isOver).toBe(false);
  await clock.advance(1_000);
  expect(await ended).toBe(1);
  expect(operator.lines.at(-1)).toMatchObject({
    logger: 'setup',
    msg: 'problem running manager',
    error: 'failed waiting for all controllers to end within 25 s',
  });
  expect(stringAt(server.store.get(leaseKey), 'spec', 'holderIdentity')).not.toBe('');
  expect(writes(server).filter((write) => write !== 'PUT leases/id')).toEqual([`POST ${namespace}/leases`]);
});

test('ends with 1 before the pod is killed when all of the stop takes too long', async () => {
  const server = await serverOf();
  const clock = new DrivenClock();
  const { controller, end } = await stubborn();
  const operator = await operatorOf(server, { args: electing, controllers: [controller], place: { clock } });
  await operator.line(({ msg }) => msg === 'Starting Controller');
  await clock.until(() => clock.dueIn(2_000));
  const ended = operator.stop();
  await renewals(server, clock, 12);
  const before = server.requests.filter(isRelease).length;
  server.intercept = (seen) => (isRelease(seen) ? new Promise<void>(() => {}) : undefined);
  end();
  await until(() => server.requests.filter(isRelease).length > before);
  await clock.advance(5_000);
  expect(await ended).toBe(1);
  expect(operator.lines).toContainEqual(
    expect.objectContaining({ msg: 'problem running manager', error: 'failed to stop within 29 s' }),
  );
});

test('answers probes before it has reached the API server', async () => {
  const server = await serverOf();
  const { opened, open } = gate();
  server.intercept = () => opened;
  const [port = 0] = await freePorts(1);
  const starting = operatorOf(server, { args: [`--health-probe-bind-address=127.0.0.1:${port}`] });
  await server.until(({ path }) => path === '/readyz');
  const probe = async (path: string): Promise<readonly [number, string]> => {
    const { statusCode, body } = await request(`http://127.0.0.1:${port}${path}`);
    return [statusCode, await body.text()];
  };
  expect(await probe('/healthz')).toEqual([200, 'ok']);
  expect(await probe('/readyz/caches')).toEqual([
    500,
    'internal server error: the API server has not said yet which APIs it serves\n',
  ]);
  open();
  await (await starting).line(({ msg }) => msg === 'Secret informer cache synced and ready');
  expect(await probe('/readyz')).toEqual([200, 'ok']);
});

test('ends with 0 when it is told to stop before it leads, and leaves the Lease of the leader alone', async () => {
  const server = await serverOf();
  const { apiVersion, kind, name } = leaseKey;
  const spec = { holderIdentity: 'another', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.000000Z' };
  const lease = server.store.create({ apiVersion, kind, metadata: { namespace, name }, spec });
  const clock = new DrivenClock();
  const operator = await operatorOf(server, { args: electing, controllers: [writer([])], place: { clock } });
  await server.until(({ path }) => path.endsWith('/leases/id'));
  const { body } = await request(`http://127.0.0.1:${operator.ports.metrics}/metrics`);
  expect(await body.text()).toContain('leader_election_master_status{name="id"} 0');
  expect(await operator.stop()).toBe(0);
  expect([server.store.get(leaseKey), writes(server)]).toEqual([lease, []]);
});

test.each(['before it has begun', 'before it has reached the API server'])(
  'ends with 0 when it is told to stop %s',
  async (when) => {
    const server = await serverOf();
    server.intercept = () => new Promise<void>(() => {});
    const stop = new AbortController();
    if (when === 'before it has begun') stop.abort(new Error('told to stop'));
    const args = [`--kubeconfig=${await server.kubeconfig()}`, '--metrics-bind-address=0', '--health-probe-bind-address=0'];
    const lines: string[] = [];
    const ended = runOperator({
      args: [...args, ...requiredFlags],
      environment: {},
      version: 'test',
      controllers,
      out: () => {},
      err: (line) => lines.push(line),
      signal: stop.signal,
    });
    if (!stop.signal.aborted) await server.until(({ path }) => path === '/readyz');
    stop.abort(new Error('told to stop'));
    expect(await ended).toBe(0);
    expect(lines.filter((line) => line.includes('"error"'))).toEqual([]);
  },
);

test.each([
  [
    'no cluster is found, although the election has no name',
    ['--kubeconfig=/nowhere'],
    /"msg":"problem running manager".*no such file/,
  ],
  ['the election has no name', ['--leader-election-id='], /"msg":"unable to start manager","error":"LeaderElectionID must be/],
  [
    'the election has no namespace outside a pod',
    ['--leader-election-id=id'],
    /"msg":"unable to start manager","error":"unable to find leader election namespace: not running in-cluster/,
  ],
])('ends with 1 in the order of the original where %s', async (_, args, said) => {
  const server = await serverOf();
  const lines: string[] = [];
  const code = await runOperator({
    args: [
      `--kubeconfig=${await server.kubeconfig()}`,
      '--health-probe-bind-address=0',
      '--leader-elect',
      ...requiredFlags,
      ...args,
    ],
    environment: {},
    version: 'test',
    controllers,
    out: () => {},
    err: (line) => lines.push(line),
    signal: new AbortController().signal,
    place: { serviceAccount: '/nowhere' },
  });
  expect([code, lines.at(-1)]).toEqual([1, expect.stringMatching(said)]);
});

test('goes on where its log cannot be written', async () => {
  const server = await serverOf();
  const stop = new AbortController();
  const ended = runOperator({
    args: [
      `--kubeconfig=${await server.kubeconfig()}`,
      '--metrics-bind-address=0',
      '--health-probe-bind-address=0',
      ...requiredFlags,
    ],
    environment: {},
    version: 'test',
    controllers,
    out: () => {},
    err: () => {
      throw new Error('no space left on device');
    },
    signal: stop.signal,
  });
  await server.until(({ path }) => path.endsWith('/dynamomodels'));
  stop.abort(new Error('told to stop'));
  expect(await ended).toBe(0);
});

const started = [
  'Discovery backend configured',
  'No restricted namespace configured, launching in cluster-wide mode',
  'Flag has no effect',
  'API group is available',
  'API group not available',
  'API group not available',
  'API group not available',
  'Detected orchestrators availability',
  'Webhooks are disabled - validation happens in the controllers',
  'starting manager',
  'Secret informer cache synced and ready',
];

test('tells the log what tools look for, in the order of the original', async () => {
  const server = await serverOf({ groups: ['grove.io'] });
  const args = ['--virtual-service-supports-https'];
  const operator = await operatorOf(server, { controllers, args });
  const names = [
    'DynamoComponentDeployment',
    'DynamoGraphDeployment',
    'DynamoGraphDeploymentScalingAdapter',
    'DynamoGraphDeploymentRequest',
    'DynamoModel',
  ];
  for (const name of names) await operator.line(({ msg, controller }) => msg === 'Starting workers' && controller === name);
  expect(await operator.stop()).toBe(0);
  expect(operator.lines.flatMap(({ msg, controller }) => (msg === 'Starting Controller' ? [controller] : []))).toEqual(names);
  expect(operator.lines.filter(({ logger }) => logger === 'setup').map(({ msg }) => msg)).toEqual(started);
  expect(operator.lines.find(({ msg }) => msg === 'Discovery backend configured')).toMatchObject({ backend: 'kubernetes' });
  expect(operator.lines.find(({ msg }) => msg === 'Flag has no effect')).toMatchObject({
    flag: 'virtual-service-supports-https',
  });
  expect(operator.lines.find(({ msg }) => msg === 'API group is available')).toMatchObject({ group: 'grove.io' });
  expect(operator.lines.find(({ msg }) => msg === 'Detected orchestrators availability')).toMatchObject({
    grove: true,
    lws: false,
    volcano: false,
    'kai-scheduler': false,
  });
  for (const controller of names)
    expect(operator.lines.filter((line) => line['controller'] === controller)).toMatchObject([
      { msg: 'Starting EventSource', source: `kind source: *v1alpha1.${controller}`, controllerGroup: 'nvidia.com' },
      { msg: 'Starting Controller', controllerKind: controller },
      { msg: 'Starting workers', 'worker count': expect.any(Number) },
      { msg: 'Shutdown signal received, waiting for all workers to finish' },
      { msg: 'All workers finished' },
    ]);
});

test('asks for and writes nothing outside its namespace when it is restricted to one', async () => {
  const store = platformStore();
  store.create(graphOf('g', {}, { namespace: 'team' }));
  store.create(graphOf('g', {}, { namespace: 'other' }));
  const server = await serverOf({ store });
  const args = ['--restrictedNamespace=team', '--operator-version=v1.0.0', '--mpi-run-ssh-secret-namespace=team'];
  const operator = await operatorOf(server, { controllers, args });
  await server.until(({ method, path }) => method === 'POST' && path.endsWith('/team/services'));
  const metrics = await (await request(`http://127.0.0.1:${operator.ports.metrics}/metrics`)).body.text();
  expect(metrics.match(/^dynamo_operator_resources_total.*"DynamoGraphDeployment".*$/gm)).toEqual([
    'dynamo_operator_resources_total{resource_type="DynamoGraphDeployment",namespace="team",status="unknown"} 1',
  ]);
  expect(operator.lines).toContainEqual(
    expect.objectContaining({ msg: 'Restricted namespace configured, launching in restricted mode', namespace: 'team' }),
  );
  expect(await operator.stop()).toBe(0);
  const outside = server.requests.filter(({ path }) => !path.includes('/namespaces/team/'));
  expect([...new Set(outside.map(({ path }) => path))].sort()).toEqual(['/apis', '/readyz']);
});

test('finds the cluster of its pod over TLS, elects in its namespace, and reads its token again', async () => {
  const { certificate: cert, key, authority } = await issueCertificate(['localhost'], new Date());
  const server = await serverOf({ tls: { cert, key } });
  const folder = await mkdtemp(join(tmpdir(), 'dynamo-cdk8s-account-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'ca.crt'), authority);
  await writeFile(join(folder, 'token'), 'one\n');
  await writeFile(join(folder, 'namespace'), namespace);
  const clock = new DrivenClock();
  const environment = { KUBERNETES_SERVICE_HOST: 'localhost', KUBERNETES_SERVICE_PORT: new URL(server.url).port };
  const { controller, end } = await stubborn();
  const operator = await startOperator({
    namespace,
    kubeconfig: '',
    environment,
    args: electing,
    controllers: [controller],
    place: { clock, serviceAccount: folder },
  });
  await operator.line(({ msg }) => msg === 'Starting Controller');
  await clock.until(() => clock.dueIn(2_000));
  expect(new Set(server.requests.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer one']));
  await writeFile(join(folder, 'token'), 'two\n');
  await renewals(server, clock, 6);
  expect(server.requests.findLast(({ path }) => path.includes(`/${namespace}/leases/id`))).toMatchObject({
    authorization: 'Bearer two',
  });
  end();
  expect(await operator.stop()).toBe(0);
});

test('ends with 1 where webhooks are on and the files of their certificate are missing', async () => {
  const server = await serverOf();
  const place = { webhookCertificates: '/nowhere/serving-certs' };
  await expect(operatorOf(server, { args: ['--enable-webhooks'], place })).rejects.toThrow(
    /ended with 1: .*problem running manager.*'\/nowhere\/serving-certs\/tls.(crt|key)'/,
  );
});

test('serves webhooks for three seconds after it was told to stop in a pod, for callers that do not know it yet', async () => {
  const server = await serverOf();
  const { certificate, key } = await issueCertificate(['localhost'], new Date());
  const folder = await mkdtemp(join(tmpdir(), 'dynamo-cdk8s-certificate-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'tls.crt'), certificate);
  await writeFile(join(folder, 'tls.key'), key);
  const clock = new DrivenClock();
  const { controller, end } = await stubborn();
  const operator = await operatorOf(server, {
    args: ['--enable-webhooks'],
    controllers: [controller],
    environment: { KUBERNETES_SERVICE_HOST: 'localhost' },
    place: { clock, webhookCertificates: folder },
  });
  await operator.line(({ msg }) => msg === 'Starting Controller');
  const ended = operator.stop();
  await clock.advance(2_000);
  end();
  await clock.until(() => clock.dueIn(1_000));
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  onTestFinished(() => dispatcher.close());
  const url = `https://localhost:${operator.ports.webhooks}/validate-nvidia-com-v1alpha1-dynamomodel`;
  const { statusCode } = await request(url, { method: 'POST', body: '{}', dispatcher });
  expect(statusCode).toBe(200);
  await clock.advance(1_000);
  expect(await ended).toBe(0);
});
