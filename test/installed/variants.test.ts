/** Other ways to install the platform: under each the operator becomes ready, brings up a graph and is refused nothing. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { listAt, objectAt, objectsAt, stringAt, type JsonObject } from '../../lib/json/index.ts';
import { succeeded } from '../control-plane/client.ts';
import type { Cluster } from '../control-plane/connect.ts';
import { addNode } from '../control-plane/nodes.ts';
import { home, installPlatform, type Installation, type InstallOptions } from './install-platform.ts';
import { refusedCalls } from './judge-rights.ts';
import { narrowGraph } from './rights-graphs.ts';
import { runManager } from './run-manager.ts';
import { untilGraphsReady } from './until-ready.ts';

interface Variant {
  readonly what: string;
  readonly options: InstallOptions;
  /** Namespace of the graph. */
  readonly where: string;
  /** What others do before the operator starts. */
  readonly prepare?: (installation: Installation) => Promise<void>;
  /** Whether an invalid graph is stored, since nobody is asked. */
  readonly isOpen?: true;
}

const run = promisify(execFile);
const operator = (values: JsonObject): JsonObject => ({ 'dynamo-operator': values });
const withoutWebhooks = { webhook: { enabled: false } };
const restricted = operator({ namespaceRestriction: { enabled: true } });
const webhookConfiguration = 'ValidatingWebhookConfiguration';

const variants: readonly Variant[] = [
  { what: 'restricted to its namespace', options: { profile: 'secure', values: restricted }, where: home },
  { what: 'restricted to its namespace in parity', options: { profile: 'parity', values: restricted }, where: home },
  {
    what: 'restricted to another namespace',
    options: { profile: 'secure', values: operator({ namespaceRestriction: { enabled: true, targetNamespace: 'team' } }) },
    where: 'team',
    prepare: ({ cluster }) => createSecret(cluster, 'team', 'mpi-run-ssh-secret', { 'private.key': 'a', 'private.key.pub': 'b' }),
  },
  {
    what: 'without webhooks',
    options: { profile: 'secure', values: operator(withoutWebhooks) },
    where: 'models',
    isOpen: true,
  },
  {
    what: 'with the rights of the original',
    options: { profile: 'secure', values: { ...operator(withoutWebhooks), platform: { operator: { kind: 'original' } } } },
    where: 'models',
    isOpen: true,
  },
  {
    what: 'with a certificate of cert-manager',
    options: {
      profile: 'secure',
      values: operator({ webhook: { certManager: { enabled: true } } }),
      groups: ['cert-manager.io'],
    },
    where: 'models',
    prepare: issueCertificate,
  },
  {
    what: 'with an external certificate',
    options: {
      profile: 'secure',
      values: operator({
        webhook: { certificateSecret: { external: true }, caBundle: Buffer.from('none yet').toString('base64') },
      }),
    },
    where: 'models',
    prepare: bringCertificate,
  },
  {
    what: 'under other names',
    options: { profile: 'secure', release: { name: 'mine', namespace: 'elsewhere' } },
    where: 'models',
  },
];

describe.skipIf(process.env['LONG'] === undefined)('installed', () => {
  test.each(variants)('$what it brings up a graph', async ({ options, where, prepare, isOpen = false }) => {
    const installation = await installPlatform(options);
    const { client } = installation.cluster;
    await addNode(client, { name: 'gpu-0' });
    await prepare?.(installation);
    await bringUp(installation, where, isOpen);
  });

  test('beside another release it brings up a graph', async () => {
    const wide = await installPlatform({ profile: 'secure', values: operator(withoutWebhooks) });
    const release = { name: 'team', namespace: 'team' };
    const narrow = await installPlatform({ profile: 'secure', values: restricted, release, beside: wide });
    await addNode(wide.cluster.client, { name: 'gpu-0' });
    // One after the other, since both have the same ports.
    await bringUp(narrow, 'team', false);
    await bringUp(wide, 'models', true);
  });
});

/** Runs the operator until a graph is ready; an invalid graph is stored only if nobody is asked. */
async function bringUp(installation: Installation, where: string, isOpen: boolean): Promise<void> {
  const { client } = installation.cluster;
  succeeded(await client.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: where } }));
  const manager = await runManager(installation);
  succeeded(await client.create({ ...narrowGraph, metadata: { ...narrowGraph.metadata, namespace: where } }));
  expect(await untilGraphsReady(client)).toBeGreaterThan(0);
  const wrong = { ...narrowGraph, metadata: { name: 'wrong', namespace: where }, spec: { services: {} } };
  expect((await client.create(wrong)).status).toBe(isOpen ? 201 : 403);
  expect(await manager.stop()).toBe(0);
  expect(await refusedCalls(installation)).toEqual([]);
}

async function createSecret(
  { client }: Cluster,
  namespace: string,
  name: string,
  stringData: Readonly<Record<string, string>>,
): Promise<void> {
  succeeded(await client.create({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name }, stringData }));
}

/** Acts as cert-manager: the certificate that the rendered Certificate asks for, and its authority where the rendered annotation wants it. */
async function issueCertificate(installation: Installation): Promise<void> {
  const { objects, namespace } = installation;
  const isServing = ({ kind, metadata }: JsonObject): boolean =>
    kind === 'Certificate' && stringAt(metadata, 'name').endsWith('-serving-cert');
  const serving = objects.find(isServing);
  const names = listAt(serving, 'spec', 'dnsNames').map((name) => stringAt(name));
  const wanted = objects
    .filter(({ kind }) => kind === webhookConfiguration)
    .map((configuration) => stringAt(configuration, 'metadata', 'annotations', 'cert-manager.io/inject-ca-from'));
  expect(wanted).toEqual([`${namespace}/${stringAt(serving, 'metadata', 'name')}`]);
  await makeCertificate(installation, names, stringAt(serving, 'spec', 'secretName'));
}

/** Acts as a user who brings a certificate. */
async function bringCertificate(installation: Installation): Promise<void> {
  const names = [`dynamo-platform-dynamo-operator-webhook-service.${home}.svc`];
  await makeCertificate(installation, names, 'webhook-server-cert');
}

/** Stores a certificate that is its own authority, and has the webhooks trust it. */
async function makeCertificate(
  { cluster, objects, namespace }: Installation,
  names: readonly string[],
  secret: string,
): Promise<void> {
  const { folder } = cluster.connection;
  const [key, certificate] = ['made.key', 'made.crt'].map((file) => join(folder, file)) as [string, string];
  const extension = `subjectAltName=${names.map((name) => `DNS:${name}`).join()}`;
  const files = ['-keyout', key, '-out', certificate];
  await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files, '-subj', '/CN=x', '-addext', extension]);
  const pem = await readFile(certificate, 'utf8');
  await createSecret(cluster, namespace, secret, { 'tls.crt': pem, 'tls.key': await readFile(key, 'utf8') });
  const caBundle = Buffer.from(pem).toString('base64');
  for (const { metadata, webhooks: rendered = [] } of objects.filter(({ kind }) => kind === webhookConfiguration)) {
    const webhooks = objectsAt({ rendered }, 'rendered').map((webhook) => ({
      ...webhook,
      clientConfig: { ...objectAt(webhook, 'clientConfig'), caBundle },
    }));
    const name = stringAt(metadata, 'name');
    const configuration = { apiVersion: 'admissionregistration.k8s.io/v1', kind: webhookConfiguration, metadata: { name } };
    succeeded(await cluster.client.merge(configuration, { webhooks }));
  }
}
