import { beforeAll, expect, test } from 'vitest';
import type { ClusterConfig } from '../../../lib/runtime/api/cluster-config.ts';
import { Transport } from '../../../lib/runtime/api/transport.ts';
import { type IssuedCertificate, issueCertificate } from '../../../lib/runtime/webhook/make-certificate.ts';

let one: IssuedCertificate;
let two: IssuedCertificate;

beforeAll(async () => {
  [one, two] = await Promise.all([issueCertificate(['a'], new Date()), issueCertificate(['a'], new Date())]);
});

function check(more: Partial<ClusterConfig>): Promise<void> {
  const config = { server: 'https://127.0.0.1:1', insecureSkipTlsVerify: false, namespace: 'n', ...more };
  return new Transport(config, { userAgent: 'manager/test' }).check();
}

test('takes certificates that belong together, and runs no plugin to find out', async () => {
  const { certificate, key, authority } = one;
  await check({ ca: { data: authority }, certificate: { data: certificate }, key: { data: key } });
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: '/nowhere/plugin', args: [], env: {} };
  await check({ exec: { ...exec, provideClusterInfo: false } });
});

test.each<[string, () => Partial<ClusterConfig>, RegExp]>([
  ['an authority that is not there', () => ({ ca: { file: '/nowhere/ca' } }), /^\/nowhere\/ca: cannot be read$/],
  ['a token that is not there', () => ({ token: { file: '/nowhere/token' } }), /^\/nowhere\/token: cannot be read$/],
  ['an authority that is none', () => ({ ca: { data: 'BAD' } }), /^the certificates .* cannot be used: /],
  ['a certificate that is none', () => ({ certificate: { data: 'BAD' }, key: { data: 'BAD' } }), /^the certificates .* cannot/],
  ['a certificate without a key', () => ({ certificate: { data: one.certificate } }), /must be given together/],
  [
    'the key of another certificate',
    () => ({ certificate: { data: one.certificate }, key: { data: two.key } }),
    /^the certificates .* cannot be used: .*mismatch/,
  ],
])('refuses %s', async (_, more, message) => {
  await expect(check(more())).rejects.toThrow(message);
});

test.each(['file:///etc/passwd', 'ftp://example.com', 'not a url', ''])('refuses the server %j', (server) => {
  const config = { server, insecureSkipTlsVerify: false, namespace: 'n' };
  expect(() => new Transport(config, { userAgent: 'manager/test' })).toThrow(
    `the server of the cluster must be an http or https URL, got ${JSON.stringify(server)}`,
  );
});

test('does not repeat the password in an address that is none', () => {
  const config = { server: 'https://name:password@[bad', insecureSkipTlsVerify: false, namespace: 'n' };
  expect(() => new Transport(config, { userAgent: 'manager/test' })).toThrow(
    'the server of the cluster must be an http or https URL, got "https://[bad"',
  );
});
