import { describe, expect, onTestFinished, test } from 'vitest';
import { listAt, objectAt, stringAt, type JsonObject } from '../../../lib/json/index.ts';
import { kinds } from '../../../lib/reconcile/index.ts';
import { ApiClient } from '../../../lib/runtime/api/client.ts';
import { Transport } from '../../../lib/runtime/api/transport.ts';
import { noLog } from '../../../lib/runtime/logger.ts';
import { noMetrics } from '../../../lib/runtime/metric-sink.ts';
import { type CertificatePair, isSignedByOneOf } from '../../../lib/runtime/webhook/certificate.ts';
import { issueCertificate } from '../../../lib/runtime/webhook/make-certificate.ts';
import { SelfManagedCertificate, serviceHostNames } from '../../../lib/runtime/webhook/self-managed-certificate.ts';
import { DrivenClock } from '../driven-clock.ts';
import { MemoryApiServer } from '../memory-api-server.ts';

const day = 24 * 3600 * 1000;
const names = serviceHostNames('operator', 'dynamo');
const secretKey = { ...kinds.secret, namespace: 'dynamo', name: 'certificate' };
const configurationKey = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  namespace: '',
  name: 'webhooks',
};

const encode = (pem: string): string => Buffer.from(pem).toString('base64');
const decode = (data: string): string => Buffer.from(data, 'base64').toString();

/** A replica: its certificate, and what it serves at the moment. */
interface Replica {
  readonly sync: () => Promise<void>;
  readonly serving: () => CertificatePair | undefined;
}

/** A cluster with two webhooks that trust nobody yet. */
async function cluster() {
  const server = await MemoryApiServer.start();
  const { apiVersion, kind, name } = configurationKey;
  server.store.create({ apiVersion, kind, metadata: { name }, webhooks: [{ clientConfig: {} }, { clientConfig: {} }] });
  const transport = new Transport(
    { server: server.url, insecureSkipTlsVerify: false, namespace: 'default' },
    { userAgent: 'manager/test' },
  );
  onTestFinished(async () => {
    await transport.close();
    await server.stop();
  });
  const clock = new DrivenClock();
  const replica = (): Replica => {
    let serving: CertificatePair | undefined;
    const kept = new SelfManagedCertificate({
      client: new ApiClient(transport),
      namespace: 'dynamo',
      secretName: 'certificate',
      configurationName: 'webhooks',
      names,
      onChange: (pair) => (serving = pair),
      clock,
      metrics: noMetrics,
      log: noLog,
    });
    return { sync: () => kept.sync(), serving: () => serving };
  };
  const secret = (): JsonObject => objectAt(server.store.get(secretKey), 'data');
  const bundles = (): readonly string[] =>
    listAt(server.store.get(configurationKey), 'webhooks').map((webhook) =>
      decode(stringAt(webhook, 'clientConfig', 'caBundle')),
    );
  const setBundle = (index: number, pem: string): void => {
    const path = `/webhooks/${index}/clientConfig/caBundle`;
    server.store.patch(configurationKey, [{ op: 'add', path, value: encode(pem) }]);
  };
  return { server, clock, replica, secret, bundles, setBundle };
}

const authoritiesIn = (pem: string): readonly string[] => pem.split(/(?<=-----END CERTIFICATE-----\n)/);

test('makes a certificate, shares it, and makes every webhook trust its authority and nothing else', async () => {
  const { replica, secret, bundles } = await cluster();
  const first = replica();
  await first.sync();
  const authority = decode(stringAt(secret(), 'ca.crt'));
  expect(decode(stringAt(secret(), 'tls.crt'))).toBe(first.serving()?.certificate);
  expect(authoritiesIn(authority)).toHaveLength(1);
  expect(bundles()).toEqual([authority, authority]);
  expect(isSignedByOneOf(first.serving() ?? { certificate: '', key: '' }, authority)).toBe(true);
  const second = replica();
  await second.sync();
  expect(second.serving()).toEqual(first.serving());
});

test('replicas that start together agree on one certificate', async () => {
  const { replica, bundles } = await cluster();
  const replicas = [replica(), replica(), replica()];
  await Promise.all(replicas.map(({ sync }) => sync()));
  expect(new Set(replicas.map(({ serving }) => serving()?.certificate)).size).toBe(1);
  for (const bundle of bundles())
    expect(isSignedByOneOf(replicas[0]?.serving() ?? { certificate: '', key: '' }, bundle)).toBe(true);
});

test('serves and keeps a certificate that somebody else put into the Secret, and makes the webhooks trust it itself without its authority', async () => {
  const { server, clock, replica, secret, bundles } = await cluster();
  const { certificate, key } = await issueCertificate(names, clock.date());
  const data = { 'tls.crt': encode(certificate), 'tls.key': encode(key), other: 'kept' };
  server.store.create({ ...kinds.secret, metadata: { namespace: 'dynamo', name: 'certificate' }, data });
  const one = replica();
  await one.sync();
  expect(one.serving()).toEqual({ certificate, key });
  expect([secret(), bundles()]).toEqual([data, [certificate, certificate]]);
});

describe('when two thirds of its life are over', () => {
  async function due() {
    const parts = await cluster();
    const one = parts.replica();
    await one.sync();
    const old = { certificate: one.serving()?.certificate, bundle: parts.bundles()[0] ?? '' };
    await parts.clock.advance(61 * day);
    await one.sync();
    return { ...parts, one, old };
  }

  test('its successor is trusted for a minute before it is served, and the old authority stays trusted', async () => {
    const { clock, one, old, secret, bundles } = await due();
    const next = decode(stringAt(secret(), 'next.crt'));
    for (const bundle of bundles()) {
      expect(authoritiesIn(bundle)).toHaveLength(2);
      expect(bundle).toContain(old.bundle);
      expect(isSignedByOneOf({ certificate: next, key: '' }, bundle)).toBe(true);
    }
    await clock.advance(59_999);
    await one.sync();
    expect(one.serving()?.certificate).toBe(old.certificate);
    await clock.advance(1);
    await one.sync();
    expect(one.serving()?.certificate).toBe(next);
    expect(Object.keys(secret()).toSorted()).toEqual(['ca.crt', 'tls.crt', 'tls.key']);
    expect(bundles()[1]).toContain(old.bundle);
  });

  test('the minute begins anew when a webhook has lost its trust meanwhile', async () => {
    const { clock, one, old, bundles, setBundle } = await due();
    await clock.advance(30_000);
    setBundle(1, old.bundle);
    await one.sync();
    expect(bundles()[1]).toBe(bundles()[0]);
    await clock.advance(59_999);
    await one.sync();
    expect(one.serving()?.certificate).toBe(old.certificate);
    await clock.advance(1);
    await one.sync();
    expect(one.serving()?.certificate).not.toBe(old.certificate);
  });

  test('the minute begins anew for a replica that starts meanwhile, and another one takes over what the first has taken into use', async () => {
    const { clock, one, old, replica } = await due();
    await clock.advance(59_999);
    const later = replica();
    await later.sync();
    await clock.advance(1);
    await later.sync();
    expect(later.serving()?.certificate).toBe(old.certificate);
    await one.sync();
    await later.sync();
    expect(later.serving()).toEqual(one.serving());
    expect(one.serving()?.certificate).not.toBe(old.certificate);
  });
});
