import { expect, test } from 'vitest';
import type { ClusterConfig, ExecPlugin } from '../../../lib/runtime/api/cluster-config.ts';
import { runExecPlugin } from '../../../lib/runtime/api/exec-plugin.ts';

const apiVersion = 'client.authentication.k8s.io/v1';
const config: ClusterConfig = { server: 'https://api.example.com', insecureSkipTlsVerify: false, namespace: 'default' };

/** A plugin that runs a script in JavaScript. */
function plugin(script: string, fields: Partial<ExecPlugin> = {}): ExecPlugin {
  return { apiVersion, command: process.execPath, args: ['-e', script], env: {}, provideClusterInfo: false, ...fields };
}

/** A plugin that prints a credential with this status, an expression. */
function printing(status: string, fields?: Partial<ExecPlugin>): ExecPlugin {
  return plugin(
    `console.log(JSON.stringify({ apiVersion: '${apiVersion}', kind: 'ExecCredential', status: ${status} }))`,
    fields,
  );
}

test('takes token, certificate and time of expiry', async () => {
  const status = "{ token: 't', clientCertificateData: 'c', clientKeyData: 'k', expirationTimestamp: '2026-01-01T00:00:00Z' }";
  expect(await runExecPlugin(printing(status), config, undefined, {})).toEqual({
    token: 't',
    certificate: 'c',
    key: 'k',
    expires: Date.parse('2026-01-01T00:00:00Z'),
  });
});

test('runs in the given environment, in which the variables of the kubeconfig come first', async () => {
  const names = printing('{ token: [process.env.INHERITED, process.env.BOTH, process.env.OWN].join() }', {
    env: { BOTH: 'of the plugin', OWN: 'own' },
  });
  const env = { INHERITED: 'inherited', BOTH: 'inherited too' };
  expect(await runExecPlugin(names, config, undefined, env)).toEqual({ token: 'inherited,of the plugin,own' });
});

test.each([
  [false, { interactive: false }],
  [
    true,
    {
      interactive: false,
      cluster: {
        server: 'https://api.example.com',
        'tls-server-name': 'kubernetes',
        'certificate-authority-data': Buffer.from('authority').toString('base64'),
        'proxy-url': 'http://proxy:3128',
      },
    },
  ],
])('tells the plugin about the cluster if it asks for that: %s', async (provideClusterInfo, spec) => {
  const info = printing('{ token: process.env.KUBERNETES_EXEC_INFO }', { provideClusterInfo });
  const cluster = { ...config, tlsServerName: 'kubernetes', proxyUrl: 'http://proxy:3128' };
  const { token = '' } = await runExecPlugin(info, cluster, 'authority', {});
  expect(JSON.parse(token)).toEqual({ apiVersion, kind: 'ExecCredential', spec });
});

test.each([
  ['printed no JSON object on standard output', plugin("console.log('a secret')")],
  ['printed no JSON object on standard output', plugin('console.log(\'["a secret"]\')')],
  [`must print an ExecCredential of ${apiVersion}`, plugin('console.log(\'{"kind":"Secret"}\')')],
  [
    'must print an ExecCredential of client.authentication.k8s.io/v1beta1',
    printing("{ token: 'a secret' }", { apiVersion: 'client.authentication.k8s.io/v1beta1' }),
  ],
  ['clientCertificateData and clientKeyData must be given together', printing("{ token: 't', clientKeyData: 'a secret' }")],
  ['gave neither token nor certificate', printing("{ token: '' }")],
  ['ended with exit code 3', plugin("console.log('a secret'); process.exit(3)")],
])('fails if the plugin %s, without repeating what it printed', async (problem, failing) => {
  const error: unknown = await runExecPlugin(failing, config, undefined, {}).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ message: `exec plugin ${process.execPath}: ${problem}` });
});

test.each([
  [undefined, 'exec plugin /nowhere/plugin: is not installed'],
  ['install it from example.com', 'exec plugin /nowhere/plugin: is not installed; install it from example.com'],
])('fails if the plugin is not installed, with the hint %j of the kubeconfig', async (installHint, message) => {
  const missing = plugin('', { command: '/nowhere/plugin', ...(installHint === undefined ? {} : { installHint }) });
  await expect(runExecPlugin(missing, config, undefined, {})).rejects.toMatchObject({ message });
});
