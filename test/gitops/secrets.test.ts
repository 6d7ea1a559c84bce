import type { KubernetesObject } from '../../lib/api/index.ts';
import { expect, test } from 'vitest';
import { describeSecret, findSecrets } from '../../lib/gitops/secrets.ts';
import { checkRepositoryUrl, hasCredentials, hideCredentials } from '../../lib/gitops/repository-url.ts';

const object = (kind: string, body: object, labels: Readonly<Record<string, string>> = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'x', namespace: 'ns', labels },
  ...body,
});
const lines = (o: KubernetesObject): readonly string[] => findSecrets(o).map(describeSecret);
const env = (name: string, value: string): KubernetesObject =>
  object('Pod', { spec: { containers: [{ name: 'c', env: [{ name, value }] }] } });

test('a Secret with content is found, one without is not', () => {
  expect(lines(object('Secret', { data: { a: 'eA==' } }))).toEqual([
    'Secret ns/x: a Secret with data must not be committed to Git; use an ExternalSecret or a SealedSecret and reference the Secret it creates, or pass --allow-secrets to write it anyway',
  ]);
  expect(lines(object('Secret', { stringData: { a: 'x' } }))).toHaveLength(1);
  expect(lines(object('Secret', { data: { a: '' }, stringData: {} }))).toEqual([]);
  expect(lines({ ...object('Secret', { data: { a: 'eA==' } }), apiVersion: 'bitnami.com/v1alpha1' })).toEqual([]);
});

test("a Secret of the platform's own parts is found when it holds a secret", () => {
  const ours = (body: object) => object('Secret', body, { 'helm.sh/chart': 'nats-1' });
  const encoded = (text: string): string => Buffer.from(text).toString('base64');
  expect(lines(ours({ data: { INTERNAL_IMAGES_DEBUGGER: encoded('python:3.12-slim') } }))).toEqual([]);
  expect(lines(ours({ data: { 'etcd-root-password': encoded('hunter2') } }))).toHaveLength(1);
  expect(lines(ours({ data: { 'jwt.pem': encoded('-----BEGIN RSA PRIVATE KEY-----\nx') } }))).toHaveLength(1);
  expect(lines(ours({ stringData: { 'default.creds': 'x-y-z' } }))).toHaveLength(1);
  expect(lines(ours({ type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': encoded('{}') } }))).toHaveLength(1);
});

test.each([
  'HF_TOKEN',
  'hf-token',
  'NGC_API_KEY',
  'APIKEY',
  'AWS_SECRET_ACCESS_KEY',
  'PASSWORD',
  'db.passwd',
  'CLIENT_SECRET',
  'TLS_PRIVATE_KEY',
  'GOOGLE_CREDENTIALS',
  'NATS_CREDS',
])('a variable called %s holds a secret', (name) => {
  expect(lines(env(name, 'abcdefg'))).toEqual([
    expect.stringContaining(`Pod ns/x spec.containers[0].env[0].value: variable ${name} contains what looks like a secret`),
  ]);
});

test.each([
  'MAX_TOKENS',
  'TOKENIZER',
  'TOKEN_LIMIT',
  'SECRET_NAME',
  'ETCD_INITIAL_CLUSTER_TOKEN',
  'ETCD_AUTH_TOKEN',
  'KEY',
  'HOME',
])('a variable called %s does not', (name) => {
  expect(lines(env(name, 'abcdefg'))).toEqual([]);
});

test.each(['', 'true', '4096', '$(OTHER)', '${OTHER}', '$OTHER', '/run/secrets/x', '<fill in>', '{{ .Values.x }}', 'none'])(
  'a token that is %j is none',
  (value) => {
    expect(lines(env('HF_TOKEN', value))).toEqual([]);
  },
);

test.each([
  'hf_abcdefghijklmnopqrstuvwx',
  'nvapi-abcdefghijklmnopqrstuvwx',
  'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
  'github_pat_abcdefghijklmnopqrstuvwxyz0123456789',
  'sk-abcdefghijklmnopqrstuvwx',
  'AKIAABCDEFGHIJKLMNOP',
  '-----BEGIN OPENSSH PRIVATE KEY-----',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.x',
  'run --key hf_abcdefghijklmnopqrstuvwx now',
])('a token of a known form is found under any name: %s', (value) => {
  expect(lines(env('X', value))).toEqual([expect.stringContaining('contains a token or private key')]);
  expect(lines(env('X', value)).join('')).not.toContain(value);
});

test.each(['hf_short', 'sk-short', 'AKIA', '-----BEGIN CERTIFICATE-----', 'x'])('%s is no token', (value) => {
  expect(lines(env('X', value))).toEqual([]);
});

test('secrets are found in flags, in keys and in lines of ConfigMaps', () => {
  const args = (...list: readonly string[]) => object('Pod', { spec: { containers: [{ args: list }] } });
  expect(lines(args('--api-key=abc', '--port=80'))).toEqual([
    expect.stringContaining('spec.containers[0].args[0]: variable api-key'),
  ]);
  expect(lines(args('--api-key=$(KEY)', '--max-token=12'))).toEqual([]);
  expect(lines(object('ConfigMap', { data: { password: 'hunter2' } }))).toEqual([
    expect.stringContaining('data.password: key password'),
  ]);
  const file = (text: string) => lines(object('ConfigMap', { data: { 'app.conf': text } }));
  expect(file('a = 1\n  "password": "hunter2",\n')).toEqual([expect.stringContaining('key password')]);
  expect(file('api_key=hunter2')).toHaveLength(1);
  expect(file('password: /run/x\ntoken: ${TOKEN}\n# token\n: x\n')).toEqual([]);
  expect(lines(object('Pod', { data: { other: { password: 'x' } } }))).toEqual([]);
});

test.each<[readonly string[], string]>([
  [['--port', '80', '--api-key', 'hunter2'], 'args: flag --api-key is set to'],
  [['--hf-token', 'hunter2'], 'args: flag --hf-token is set to'],
  [['export HF_TOKEN=hunter2; python3 -m dynamo.vllm'], 'args[0]: variable HF_TOKEN is set to'],
  [['exec python3 -m x --password "hunter2"'], 'args[0]: flag --password is set to'],
])('a secret among the words of a command line is found: %j', (args, message) => {
  const found = lines(object('Pod', { spec: { containers: [{ args }] } }));
  expect(found).toEqual([expect.stringContaining(message)]);
  expect(found.join('')).not.toContain('hunter2');
});

test.each<readonly string[]>([
  ['--api-key', '$(KEY)', '--max-token', 'many', '--eos-token', '</s>', '--pad-token', '[PAD]', '--tokenizer', 'qwen'],
  ['export HF_TOKEN="$(cat /run/token)"; export HF_TOKEN=${OTHER}; HF_TOKEN=/run/token x --password "$PASSWORD"'],
  ['--api-key', '--port', '80'],
  ['--password'],
])('no secret among the words %s', (...args) => {
  expect(lines(object('Pod', { spec: { containers: [{ args }] } }))).toEqual([]);
});

test.each([
  ['nats://user:pw@host:4222', true],
  ['nats://token@host:4222', true],
  ['https://token@host/x', true],
  ['--a=https://u:p@host', true],
  ['postgres://u:p@host,postgres://v:q@host', true],
  ['ssh://git@host/x', false],
  ['postgres://user@host', false],
  ['nats://host:4222', false],
  ['https://host/path@x', false],
  ['https://$(USER):$(PASSWORD)@host', false],
  ['nats://@host', false],
  ['user:pw@host', false],
  // The user information ends at the last @ of the host.
  ['ssh://git@corp:hunter2@host/x', true],
  ['https://$USER@corp:hunter2@host/x', true],
  ['https://$USER:$PASSWORD@host/x', false],
])('credentials in %s: %s', (text, found) => {
  expect(hasCredentials(text)).toBe(found);
});

test('credentials are never shown', () => {
  expect(hideCredentials('a https://u:p@h/x nats://t@h')).toBe('a https://***@h/x nats://***@h');
  expect(hideCredentials('https://u:p@ss@h/x@y')).toBe('https://***@h/x@y');
});

test('many addresses take time that grows with their number', () => {
  const text = 'a'.repeat(200_000) + '://'.repeat(20_000) + ' '.repeat(200_000);
  expect(hasCredentials(text)).toBe(false);
});

test.each([
  ['flux', 'https://host/x', true],
  ['flux', 'http://host/x', true],
  ['flux', 'ssh://git@host/x', true],
  ['flux', 'git@host:x', false],
  ['flux', 'https://host', false],
  ['flux', 'oci://host/x', false],
  ['argocd', 'git@host:x', true],
  ['argocd', 'git://host/x', true],
  ['argocd', 'host/x', false],
  ['argocd', '', false],
  ['argocd', 'ssh://git@corp:hunter2@host/x', false],
  ['flux', 'ssh://git@corp:hunter2@host/x', false],
  ['plain', 'anything', true],
])('layout %s with the repository %s: %s', (layout, url, taken) => {
  expect(checkRepositoryUrl(layout, url) === undefined).toBe(taken);
});

test('a secret in the binary data of a ConfigMap is found, other bytes are not', () => {
  const binary = (key: string, bytes: string | Buffer): KubernetesObject =>
    object('ConfigMap', { binaryData: { [key]: Buffer.from(bytes).toString('base64') } });
  expect(lines(binary('key.pem', '-----BEGIN RSA PRIVATE KEY-----\nx'))).toEqual([
    expect.stringContaining('ConfigMap ns/x binaryData.key.pem: contains a token or private key'),
  ]);
  expect(lines(binary('api_key', 'hunter2'))).toEqual([expect.stringContaining('binaryData.api_key: key api_key contains')]);
  expect(lines(binary('app.yaml', 'db:\n  password: hunter2\n'))).toHaveLength(1);
  expect(lines(binary('model.bin', Buffer.from([0, 255, 1, 254])))).toEqual([]);
});
