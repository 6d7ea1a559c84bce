import { X509Certificate } from 'node:crypto';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { once } from 'node:events';
import { connect } from 'node:tls';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { AdmissionContext } from '../../../lib/admission/index.ts';
import { type Clock, systemClock } from '../../../lib/runtime/clock.ts';
import { createLog, type Log } from '../../../lib/runtime/log.ts';
import { startServerAt } from '../../../lib/runtime/running-server.ts';
import { createMetrics, type Metrics } from '../../../lib/runtime/metrics/registry.ts';
import { type IssuedCertificate, issueCertificate } from '../../../lib/runtime/webhook/make-certificate.ts';
import { webhookKinds } from '../../../lib/admission/webhook-paths.ts';
import { createWebhookServer, type WebhookServer } from '../../../lib/runtime/webhook/server.ts';
import { ManualClock, settle } from '../manual-clock.ts';

const modelPath = '/validate-nvidia-com-v1alpha1-dynamomodel';
let certificate: IssuedCertificate;
beforeAll(async () => {
  certificate = await issueCertificate(['localhost'], new Date());
});

interface Running {
  readonly port: number;
  readonly close: () => Promise<void>;
  readonly webhooks: WebhookServer;
  readonly metrics: Metrics;
  readonly lines: readonly Readonly<Record<string, unknown>>[];
}

async function serve({
  http2 = false,
  context = {},
  clock = systemClock,
}: { http2?: boolean; context?: AdmissionContext; clock?: Clock } = {}): Promise<Running> {
  const metrics = createMetrics({ processMetrics: false });
  const lines: Record<string, unknown>[] = [];
  const log: Log = createLog(
    { development: false, timeEncoding: 'rfc3339' },
    { write: (line) => void lines.push(JSON.parse(line)), date: () => new Date() },
  );
  const webhooks = createWebhookServer({ context: () => context, metrics, log, clock, http2 });
  webhooks.setCertificate(certificate);
  const { port, close } = await startServerAt(webhooks.server, { host: '127.0.0.1', port: 0 }, webhooks.drained);
  onTestFinished(close);
  return { port, close, webhooks, metrics, lines };
}

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
}

async function send(port: number, path: string, body: string | Buffer, options: RequestOptions = {}): Promise<Answer> {
  const request = httpsRequest({
    host: '127.0.0.1',
    port,
    path,
    method: 'POST',
    servername: 'localhost',
    ca: certificate.authority,
    agent: false,
    headers: { 'content-type': 'application/json' },
    ...options,
  });
  // The answer to a body that is too large comes before all of it is sent.
  request.on('error', () => {});
  request.end(body);
  const [response] = await once(request, 'response');
  return { status: response.statusCode, body: await text(response) };
}

function review(name: string, spec: unknown, more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: 'the-uid',
      kind: { group: 'nvidia.com', version: 'v1alpha1', kind: 'DynamoModel' },
      operation: 'CREATE',
      name,
      namespace: 'here',
      userInfo: { username: 'alice' },
      object: { apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoModel', metadata: { name, namespace: 'here' }, spec },
      ...more,
    },
  });
}

const good = { modelName: 'm', baseModelName: 'm' };
const bad = { modelName: 'm', baseModelName: 'm', modelType: 'lora' };

test('serves one path for each kind that has rules', () => {
  expect([...webhookKinds]).toEqual([
    ['/validate-nvidia-com-v1alpha1-dynamocomponentdeployment', 'DynamoComponentDeployment'],
    ['/validate-nvidia-com-v1alpha1-dynamographdeployment', 'DynamoGraphDeployment'],
    ['/validate-nvidia-com-v1alpha1-dynamomodel', 'DynamoModel'],
    ['/validate-nvidia-com-v1alpha1-dynamographdeploymentrequest', 'DynamoGraphDeploymentRequest'],
  ]);
});

test('allows and refuses as the rules say, with HTTP 200 either way', async () => {
  const { port, metrics, lines } = await serve();
  const allowed = await send(port, `${modelPath}?timeout=10s`, review('a', good));
  expect([allowed.status, JSON.parse(allowed.body)]).toMatchObject([
    200,
    { kind: 'AdmissionReview', response: { uid: 'the-uid', allowed: true } },
  ]);
  const refused = await send(port, modelPath, review('b', bad));
  expect([refused.status, JSON.parse(refused.body)]).toMatchObject([
    200,
    { response: { uid: 'the-uid', allowed: false, status: { code: 403 } } },
  ]);
  const page = await metrics.page();
  expect(page).toContain(`controller_runtime_webhook_requests_total{webhook="${modelPath}",code="200"} 2`);
  expect(page).toContain(`controller_runtime_webhook_requests_in_flight{webhook="${modelPath}"} 0`);
  expect(page).toContain(
    'dynamo_operator_webhook_requests_total{resource_type="DynamoModel",operation="CREATE",result="allowed"} 1',
  );
  expect(page).toContain(
    'dynamo_operator_webhook_denials_total{resource_type="DynamoModel",operation="CREATE",reason="validation"} 1',
  );
  expect(page).toContain('dynamo_operator_webhook_duration_seconds_count{resource_type="DynamoModel",operation="CREATE"} 2');
  expect(lines).toMatchObject([
    { logger: 'dynamomodel-validating-webhook', msg: 'validate create', name: 'a', namespace: 'here' },
    { logger: 'dynamomodel-validating-webhook', msg: 'validate create', name: 'b' },
    {
      logger: 'dynamomodel-validating-webhook',
      msg: 'validation failed',
      user: 'alice',
      error: JSON.parse(refused.body).response.status.message,
    },
  ]);
});

test('lets everything in a namespace with an operator of its own pass, and says so', async () => {
  const { port, lines } = await serve({ context: { excludedNamespaces: new Set(['here']) } });
  expect(JSON.parse((await send(port, modelPath, review('b', bad))).body)).toMatchObject({ response: { allowed: true } });
  expect(lines).toContainEqual(
    expect.objectContaining({
      logger: 'webhook-common',
      msg: 'skipping validation - namespace has namespace-restricted operator',
      namespace: 'here',
    }),
  );
});

test('names an object by its metadata where the request leaves the name out, as it may on creation', async () => {
  const { port, lines } = await serve();
  await send(port, modelPath, review('b', bad, { name: undefined }));
  expect(lines).toMatchObject([
    { msg: 'validate create', name: 'b' },
    { msg: 'validation failed', name: 'b' },
  ]);
});

test('refuses bodies by the bytes it receives at one moment, not by all it ever received', async () => {
  const { port } = await serve();
  const body = Buffer.alloc(7 << 20, 32);
  for (let received = 0; received <= 256 << 20; received += body.length)
    expect(await send(port, modelPath, body, { headers: { 'content-type': 'text/plain' } })).toMatchObject({ status: 200 });
});

test.each([
  ['', 'application/json'],
  ['{', 'application/json'],
  ['null', 'application/json'],
  ['{"kind":"Pod"}', 'application/json'],
  [Buffer.from([0xff, 0xfe, 0x00]), 'application/json'],
  [review('a', good), 'text/plain'],
  [review('a', good, { operation: 'DANCE' }), 'application/json; charset=utf-8'],
])('answers a body that is no review, case %#, with code 400 inside', async (body, contentType) => {
  const { port, metrics } = await serve();
  const { status, body: answer } = await send(port, modelPath, body, { headers: { 'content-type': contentType } });
  expect([status, JSON.parse(answer)]).toMatchObject([
    200,
    { kind: 'AdmissionReview', response: { allowed: false, status: { code: 400 } } },
  ]);
  expect(await metrics.page()).toContain('reason="bad_request"');
});

test('uses HTTP errors for method, path and size alone', async () => {
  const { port } = await serve();
  const large = Buffer.alloc((7 << 20) + 1, 32);
  expect(await send(port, '/validate', review('a', good))).toMatchObject({ status: 404 });
  expect(await send(port, modelPath, '', { method: 'GET' })).toMatchObject({ status: 405 });
  expect(await send(port, modelPath, large, { headers: { 'content-length': large.length } })).toMatchObject({ status: 413 });
  expect(await send(port, modelPath, large, { headers: { 'transfer-encoding': 'chunked' } })).toMatchObject({ status: 413 });
  expect(await send(port, modelPath, large.subarray(1))).toMatchObject({ status: 200 });
});

test('cuts off a client that is slow to send its body', async () => {
  const clock = new ManualClock();
  const { port, metrics } = await serve({ clock });
  const request = httpsRequest({
    host: '127.0.0.1',
    port,
    path: modelPath,
    method: 'POST',
    servername: 'localhost',
    ca: certificate.authority,
    agent: false,
    headers: { 'content-length': 100 },
  });
  const failed = once(request, 'error');
  request.write('{');
  for (;;) {
    if ((await metrics.page()).includes(`controller_runtime_webhook_requests_in_flight{webhook="${modelPath}"} 1`)) break;
    await settle();
  }
  await clock.advance(15_000);
  await failed;
  for (;;) {
    if ((await metrics.page()).includes(`controller_runtime_webhook_requests_in_flight{webhook="${modelPath}"} 0`)) break;
    await settle();
  }
});

test('changes its certificate while connections are open', async () => {
  const { port, webhooks } = await serve();
  const before = connect({ port, host: '127.0.0.1', servername: 'localhost', ca: certificate.authority });
  await once(before, 'secureConnect');
  const next = await issueCertificate(['localhost'], new Date());
  webhooks.setCertificate(next);
  const after = connect({ port, host: '127.0.0.1', servername: 'localhost', ca: next.authority });
  await once(after, 'secureConnect');
  expect(after.getPeerCertificate().fingerprint256).not.toBe(before.getPeerCertificate().fingerprint256);
  const body = review('a', good);
  before.write(
    `POST ${modelPath} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  expect(await text(before)).toContain('"allowed":true');
  after.destroy();
});

test('finishes the calls under way when it closes, and takes no more', async () => {
  const { port, close, metrics } = await serve();
  const idle = connect({ port, host: '127.0.0.1', servername: 'localhost', ca: certificate.authority });
  await once(idle, 'secureConnect');
  const body = review('a', good);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const request = httpsRequest({
    host: '127.0.0.1',
    port,
    path: modelPath,
    method: 'POST',
    servername: 'localhost',
    ca: certificate.authority,
    headers,
  });
  request.write(body.slice(0, 10));
  while (!(await metrics.page()).includes(`controller_runtime_webhook_requests_in_flight{webhook="${modelPath}"} 1`))
    await settle();
  const closed = close();
  request.end(body.slice(10));
  const [response] = await once(request, 'response');
  expect([response.statusCode, response.headers.connection, await text(response)]).toEqual([
    200,
    'close',
    expect.stringContaining('"allowed":true'),
  ]);
  await closed;
  await expect(send(port, modelPath, body)).rejects.toThrow();
});

test('tells when its certificate expires', async () => {
  const { metrics } = await serve();
  const seconds = Date.parse(new X509Certificate(certificate.certificate).validTo) / 1000;
  expect(await metrics.page()).toContain(`dynamo_operator_webhook_certificate_expiry_seconds ${seconds}`);
});

describe('protocols', () => {
  const negotiated = async (port: number): Promise<string | false | null> => {
    const socket = connect({
      port,
      host: '127.0.0.1',
      servername: 'localhost',
      ca: certificate.authority,
      ALPNProtocols: ['h2', 'http/1.1'],
    });
    await once(socket, 'secureConnect');
    socket.destroy();
    return socket.alpnProtocol;
  };

  test('offers HTTP/1.1 only, unless told otherwise', async () => {
    expect(await negotiated((await serve()).port)).toBe('http/1.1');
    expect(await negotiated((await serve({ http2: true })).port)).toBe('h2');
  });

  test('answers over HTTP/2 too', async () => {
    const { port } = await serve({ http2: true });
    const session: ClientHttp2Session = connectHttp2(`https://localhost:${port}`, { ca: certificate.authority });
    const stream = session.request({ ':method': 'POST', ':path': modelPath, 'content-type': 'application/json' });
    stream.end(review('a', good));
    expect(await text(stream)).toContain('"allowed":true');
    session.close();
    expect(await send(port, modelPath, review('a', good))).toMatchObject({ status: 200 });
  });
});
