import { describe, expect, test } from 'vitest';
import { parseKubeconfig, type KubeconfigFile } from '../../../lib/runtime/api/kubeconfig.ts';

const file = (text: string, path = '/home/me/.kube/config'): KubeconfigFile => ({
  path,
  text,
  resolve: (relative) => (relative.startsWith('/') ? relative : `/home/me/.kube/${relative}`),
});

const clusters = `
clusters:
- name: one
  cluster:
    server: https://one:6443
    certificate-authority: pki/ca.crt
    tls-server-name: kubernetes
    proxy-url: socks5://proxy:1080
- name: two
  cluster: { server: https://two/k8s/clusters/c-1, insecure-skip-tls-verify: true }
`;

test('reads a context: cluster, user and namespace, paths relative to the file', () => {
  const text = `
apiVersion: v1
kind: Config
current-context: here
contexts: [{ name: here, context: { cluster: one, user: me, namespace: team } }]
users: [{ name: me, user: { client-certificate-data: ${Buffer.from('CERT').toString('base64')}, client-key: /abs/me.key } }]
${clusters}`;
  expect(parseKubeconfig([file(text)])).toEqual({
    server: 'https://one:6443',
    insecureSkipTlsVerify: false,
    ca: { file: '/home/me/.kube/pki/ca.crt' },
    tlsServerName: 'kubernetes',
    proxyUrl: 'socks5://proxy:1080',
    certificate: { data: 'CERT' },
    key: { file: '/abs/me.key' },
    namespace: 'team',
  });
});

test('takes the first file that names something', () => {
  const first = file(`
current-context: b
users: [{ name: me, user: { token: first } }]
`);
  const second = file(`
current-context: a
contexts: [{ name: a, context: { cluster: one, user: me } }, { name: b, context: { cluster: two, user: me } }]
users: [{ name: me, user: { token: second } }]
${clusters}`);
  expect(parseKubeconfig([first, second])).toEqual({
    server: 'https://two/k8s/clusters/c-1',
    insecureSkipTlsVerify: true,
    token: { data: 'first' },
    namespace: 'default',
  });
  expect(parseKubeconfig([first, second], 'a').server).toBe('https://one:6443');
});

test('prefers a token file, which is read again, to a token', () => {
  const text = `
current-context: a
contexts: [{ name: a, context: { cluster: one, user: me } }]
users: [{ name: me, user: { token: old, tokenFile: token } }]
${clusters}`;
  expect(parseKubeconfig([file(text)]).token).toEqual({ file: '/home/me/.kube/token' });
});

test('reads exec plugins and impersonation', () => {
  const text = `
current-context: a
contexts: [{ name: a, context: { cluster: one, user: me } }]
users:
- name: me
  user:
    as: jane
    as-uid: u1
    as-groups: [dev, ops]
    as-user-extra: { reason: [ticket] }
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: ./bin/login
      args: [--cluster, one]
      env: [{ name: REGION, value: eu }]
      interactiveMode: IfAvailable
      provideClusterInfo: true
      installHint: see the manual
${clusters}`;
  const { exec, impersonate } = parseKubeconfig([file(text)]);
  expect(exec).toEqual({
    apiVersion: 'client.authentication.k8s.io/v1',
    command: '/home/me/.kube/./bin/login',
    args: ['--cluster', 'one'],
    env: { REGION: 'eu' },
    provideClusterInfo: true,
    installHint: 'see the manual',
  });
  expect(impersonate).toEqual({ user: 'jane', uid: 'u1', groups: ['dev', 'ops'], extra: { reason: ['ticket'] } });
});

describe('rejects', () => {
  const withUser = (user: string): string => `
current-context: a
contexts: [{ name: a, context: { cluster: one, user: me } }]
users: [{ name: me, user: ${user} }]
${clusters}`;
  test.each([
    ['no current context', clusters, '/home/me/.kube/config: no current-context; run "kubectl config use-context NAME"'],
    ['a context that is not there', 'current-context: x', '/home/me/.kube/config: context "x" does not exist in contexts'],
    [
      'a cluster that is not there',
      'current-context: a\ncontexts: [{ name: a, context: { cluster: x } }]',
      '/home/me/.kube/config: cluster "x" does not exist in clusters',
    ],
    [
      'an old plugin protocol',
      withUser('{ exec: { command: x, apiVersion: client.authentication.k8s.io/v1alpha1 } }'),
      '/home/me/.kube/config: users[me].user.exec.apiVersion: must be client.authentication.k8s.io/v1 or v1beta1, got "client.authentication.k8s.io/v1alpha1"; update the plugin',
    ],
    [
      'a plugin that needs a terminal',
      withUser('{ exec: { command: x, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Always } }'),
      '/home/me/.kube/config: users[me].user.exec.interactiveMode: Always needs a terminal, which an operator has not; use Never or IfAvailable',
    ],
    [
      'auth providers',
      withUser('{ auth-provider: { name: gcp } }'),
      '/home/me/.kube/config: users[me].user.auth-provider: is no longer supported; use an exec plugin',
    ],
  ])('%s', (_, text, message) => {
    expect(() => parseKubeconfig([file(text)])).toThrow(message);
  });

  test('broken YAML without repeating its text, which may hold a token', () => {
    expect(() => parseKubeconfig([file('users:\n- token: "s3cret\n  x: [')])).toThrow(
      /^\/home\/me\/\.kube\/config:\d+:\d+: not a readable kubeconfig \(syntax\)$/,
    );
  });

  test('a certificate authority that is not to be checked', () => {
    const text = `
current-context: a
contexts: [{ name: a, context: { cluster: one } }]
clusters: [{ name: one, cluster: { server: https://one, insecure-skip-tls-verify: true, certificate-authority: ca.crt } }]`;
    expect(() => parseKubeconfig([file(text)])).toThrow(
      'insecure-skip-tls-verify cannot go with a certificate-authority; remove one',
    );
  });
});
