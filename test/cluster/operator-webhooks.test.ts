import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { connect } from 'node:tls';
import { Pool } from 'undici';
import { expect, test } from 'vitest';
import { certificatesIn } from '../../lib/runtime/webhook/certificate.ts';
import { issueCertificate, type IssuedCertificate } from '../../lib/runtime/webhook/make-certificate.ts';
import { type ApiResponse, type KubernetesObject, succeeded } from '../control-plane/client.ts';
import { cluster, describeCluster, newNamespace } from '../control-plane/cluster-test.ts';
import { freePorts } from '../control-plane/free-ports.ts';
import { type OperatorSetting, type RunningOperator, startOperator } from '../control-plane/operator.ts';
import { caBundles, withWebhooks } from '../control-plane/webhook-configuration.ts';

const isLong = process.env['LONG'] === '1';
const secretName = 'webhook-server-cert';

function model(namespace: string, name: string, spec: Readonly<Record<string, unknown>> = {}): KubernetesObject {
  return {
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoModel',
    metadata: { namespace, name },
    spec: { modelName: 'm', baseModelName: 'm', ...spec },
  };
}

interface Secret extends KubernetesObject {
  readonly data: Readonly<Record<string, string>>;
}

async function storedSecret(namespace: string): Promise<Secret> {
  return succeeded(
    await cluster().client.get<Secret>({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name: secretName } }),
  );
}

function decoded(secret: Secret, field: string): string {
  return Buffer.from(secret.data[field] ?? '', 'base64').toString('utf8');
}

// The name `localhost` in the certificate stands for the Service, which nothing could route to here.
function selfManaged(namespace: string): readonly string[] {
  return [
    '--enable-webhooks',
    '--webhook-certificates=self-managed',
    `--webhook-certificate-secret-name=${secretName}`,
    '--webhook-service-name=localhost',
    `--webhook-configuration-name=${namespace}`,
  ];
}

const quick = { poll: 100, grace: 1_000 };

async function startWithWebhooks(namespace: string, setting: Partial<OperatorSetting> = {}): Promise<RunningOperator> {
  return startOperator({
    namespace,
    args: selfManaged(namespace),
    place: { certificateTiming: quick, ...setting.place },
    ...setting,
  });
}

async function served(port: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}

/** Asks again until an answer is right; the API server learns of configurations and certificates a moment after they are stored. */
async function until<T>(ask: () => Promise<T>, isRight: (answer: T) => boolean, pauseMs = 20): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (isRight(answer)) return answer;
    await setTimeout(pauseMs);
  }
}

const isReached = ({ status, body }: ApiResponse): boolean =>
  !(status === 500 && (body.message ?? '').includes('failed calling webhook'));

describeCluster('webhooks behind a real API server', () => {
  test('judge every kind with a certificate the operator made and injected itself', async () => {
    const namespace = await newNamespace();
    const [port = 0] = await freePorts(1);
    await withWebhooks(namespace, namespace, port);
    const operator = await startWithWebhooks(namespace, { place: { webhookPort: port, certificateTiming: quick } });
    const { client } = cluster();
    const allowed = await until(() => client.create(model(namespace, 'good')), isReached);
    expect(allowed.status).toBe(201);
    const refused = await client.create(model(namespace, 'bad', { modelType: 'lora' }));
    expect([refused.status, refused.body.message]).toEqual([
      403,
      expect.stringContaining('admission webhook "vdynamomodel.kb.io" denied the request: '),
    ]);
    for (const kind of ['DynamoGraphDeployment', 'DynamoComponentDeployment', 'DynamoGraphDeploymentRequest']) {
      const answer = await client.dryRunCreate({
        apiVersion: 'nvidia.com/v1alpha1',
        kind,
        metadata: { namespace, name: 'x' },
        spec: {},
      });
      expect(isReached(answer)).toBe(true);
    }
    expect(certificatesIn((await caBundles(namespace))[0] ?? '')).toHaveLength(1);
    const secret = await storedSecret(namespace);
    expect([secret['type'], Object.keys(secret.data).sort()]).toEqual(['kubernetes.io/tls', ['ca.crt', 'tls.crt', 'tls.key']]);
    expect(JSON.stringify(operator.lines)).not.toContain('PRIVATE KEY');
    expect(await operator.stop()).toBe(0);
  });

  test('answer every call while certificates are rotated again and again', async () => {
    const namespace = await newNamespace();
    const [port = 0] = await freePorts(1);
    await withWebhooks(namespace, namespace, port);
    const certificateTiming = isLong ? { poll: 100, grace: 8_000 } : quick;
    await startWithWebhooks(namespace, { place: { webhookPort: port, certificateTiming } });
    const { client } = cluster();
    await until(() => client.dryRunCreate(model(namespace, 'first')), isReached);

    const perSecond = isLong ? 210 : 50;
    const rotations = new AbortController();
    const failures: unknown[] = [];
    let calls = 0;
    const { server, ca } = cluster().connection;
    const pool = new Pool(server, { connect: { ca }, connections: 32, pipelining: 1 });
    const one = {
      method: 'POST',
      path: `/apis/nvidia.com/v1alpha1/namespaces/${namespace}/dynamomodels?dryRun=All`,
      headers: { authorization: `Bearer ${cluster().user('admin').token}`, 'content-type': 'application/json' },
      body: JSON.stringify(model(namespace, 'one')),
    } as const;
    const call = async (): Promise<void> => {
      calls += 1;
      try {
        const { statusCode, body } = await pool.request(one);
        if (statusCode === 201) await body.dump();
        else failures.push(await body.text());
      } catch (error) {
        failures.push(error);
      }
    };
    const load = async (): Promise<void> => {
      const pending = new Set<Promise<void>>();
      while (!rotations.signal.aborted) {
        // A machine that cannot keep up is asked less often, not ever later.
        for (let due = ((performance.now() - began) / 1000) * perSecond - calls; due >= 1 && pending.size < 64; due -= 1) {
          const running: Promise<void> = call().finally(() => pending.delete(running));
          pending.add(running);
        }
        await setTimeout(5);
      }
      await Promise.all(pending);
    };
    const began = performance.now();
    const loading = load();
    const seen = [await served(port)];
    for (let rotation = 0; rotation < 3; rotation += 1) {
      await client.delete({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name: secretName } });
      seen.push(
        await until(
          () => served(port),
          (fingerprint) => fingerprint !== seen.at(-1),
          250,
        ),
      );
    }
    const before = calls;
    await until(
      async () => calls,
      (now) => now >= before + perSecond,
    );
    rotations.abort();
    await loading;
    await pool.close();
    expect(failures).toEqual([]);
    expect(new Set(seen).size).toBe(4);
    expect(certificatesIn((await caBundles(namespace))[0] ?? '')).toHaveLength(4);
    const rate = Math.round(calls / ((performance.now() - began) / 1000));
    process.stderr.write(`${calls} admission calls, ${rate} a second, during three rotations: none failed\n`);
  });

  test('keep a valid certificate that was there before, and trust it', async () => {
    const namespace = await newNamespace();
    const [port = 0] = await freePorts(1);
    const found = await issueCertificate([`localhost.${namespace}.svc`, 'localhost'], new Date());
    await createSecret(namespace, found, { 'ca.crt': found.authority });
    await withWebhooks(namespace, namespace, port, found.authority);
    const before = await storedSecret(namespace);
    await startWithWebhooks(namespace, { place: { webhookPort: port, certificateTiming: quick } });
    const { client } = cluster();
    expect((await until(() => client.create(model(namespace, 'good')), isReached)).status).toBe(201);
    expect(await storedSecret(namespace)).toEqual(before);
    expect(await caBundles(namespace)).toEqual(Array.from({ length: 4 }, () => found.authority));
    // From here on it is rotated as one of our own, and its authority stays trusted.
    await client.delete({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name: secretName } });
    const own = await until(
      () => client.get<Secret>({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name: secretName } }),
      ({ status, body }) => status === 200 && decoded(body, 'tls.crt') !== found.certificate,
    );
    expect(decoded(own.body, 'ca.crt')).toContain(found.authority);
    expect((await client.create(model(namespace, 'later'))).status).toBe(201);
  });

  test('trust a certificate that was there before by itself where nobody kept its authority', async () => {
    const namespace = await newNamespace();
    const [port = 0] = await freePorts(1);
    const found = await issueCertificate([`localhost.${namespace}.svc`, 'localhost'], new Date());
    await createSecret(namespace, found);
    await withWebhooks(namespace, namespace, port);
    await startWithWebhooks(namespace, { place: { webhookPort: port, certificateTiming: quick } });
    expect((await until(() => cluster().client.create(model(namespace, 'good')), isReached)).status).toBe(201);
    expect(decoded(await storedSecret(namespace), 'tls.crt')).toBe(found.certificate);
  });

  test('replace a certificate that is made out to others or has expired', async () => {
    const namespace = await newNamespace();
    const [port = 0] = await freePorts(1);
    const expired = await issueCertificate(
      [`localhost.${namespace}.svc`, 'localhost'],
      new Date(Date.now() - 100 * 24 * 3600 * 1000),
    );
    await createSecret(namespace, expired, { other: 'kept' });
    await withWebhooks(namespace, namespace, port, expired.authority);
    await startWithWebhooks(namespace, { place: { webhookPort: port, certificateTiming: quick } });
    expect((await until(() => cluster().client.create(model(namespace, 'good')), isReached)).status).toBe(201);
    const secret = await storedSecret(namespace);
    expect(decoded(secret, 'tls.crt')).not.toBe(expired.certificate);
    expect(decoded(secret, 'other')).toBe('kept');
    expect((await caBundles(namespace))[0]).not.toContain(expired.authority);
  });

  test('share one certificate among replicas, also through a rotation', async () => {
    const namespace = await newNamespace();
    const ports = await freePorts(2);
    await withWebhooks(namespace, namespace, ports[0] ?? 0);
    await Promise.all(
      ports.map((webhookPort) => startWithWebhooks(namespace, { place: { webhookPort, certificateTiming: quick } })),
    );
    const all = (): Promise<readonly string[]> => Promise.all(ports.map(served));
    const [first] = await until(all, ([one, other]) => one === other);
    await cluster().client.delete({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name: secretName } });
    const [second] = await until(all, ([one, other]) => one === other && one !== first);
    expect(second).not.toBe(first);
    expect(decoded(await storedSecret(namespace), 'next.crt')).toBe('');
  });

  test('get their authorities back when somebody takes them out of the configuration', async () => {
    const namespace = await newNamespace();
    const [port = 0] = await freePorts(1);
    await withWebhooks(namespace, namespace, port);
    // Only the watch can be that quick: the next look is an hour away.
    const operator = await startWithWebhooks(namespace, {
      place: { webhookPort: port, certificateTiming: { poll: 3_600_000, grace: 1_000 } },
    });
    await until(() => cluster().client.create(model(namespace, 'good')), isReached);
    await operator.line(({ msg }) => msg === 'Injected authorities into the webhook configuration');
    const [bundle = ''] = await caBundles(namespace);
    await cluster().client.request(
      'PATCH',
      `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/${namespace}`,
      {
        body: [{ op: 'remove', path: '/webhooks/0/clientConfig/caBundle' }],
        contentType: 'application/json-patch+json',
      },
    );
    await until(
      () => caBundles(namespace),
      ([first]) => first === bundle,
    );
  });

  test('leave a namespace with an operator of its own alone for as long as it has one', async () => {
    const namespace = await newNamespace();
    const [port = 0] = await freePorts(1);
    await withWebhooks(namespace, namespace, port);
    const operator = await startWithWebhooks(namespace, { place: { webhookPort: port, certificateTiming: quick } });
    const { client } = cluster();
    const bad = (): Promise<ApiResponse> => client.dryRunCreate(model(namespace, 'bad', { modelType: 'lora' }));
    expect((await until(bad, isReached)).status).toBe(403);
    const restricted = await startOperator({ namespace, args: [`--restrictedNamespace=${namespace}`, '--operator-version=v9'] });
    await until(bad, ({ status }) => status === 201);
    expect(await restricted.stop()).toBe(0);
    await until(bad, ({ status }) => status === 403);
    expect(operator.lines.map(({ msg }) => msg)).toEqual(
      expect.arrayContaining([
        'Excluding namespace from cluster-wide operator processing',
        'Resuming namespace processing in cluster-wide operator',
      ]),
    );
  });
});

async function createSecret(
  namespace: string,
  { certificate, key }: IssuedCertificate,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const stringData = { 'tls.crt': certificate, 'tls.key': key, ...more };
  succeeded(
    await cluster().client.create({
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'kubernetes.io/tls',
      metadata: { namespace, name: secretName },
      stringData,
    }),
  );
}
