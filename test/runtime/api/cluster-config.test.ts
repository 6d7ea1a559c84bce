import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadClusterConfig } from '../../../lib/runtime/api/cluster-config.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dynamo-cdk8s-config-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function kubeconfig(name: string, server: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(
    path,
    JSON.stringify({
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster: { server, 'certificate-authority': 'ca.crt' } }],
      users: [{ name: 'u', user: {} }],
    }),
  );
  return path;
}

async function serviceAccount(): Promise<string> {
  const path = join(folder, 'serviceaccount');
  await mkdir(path);
  await writeFile(join(path, 'token'), 'token');
  await writeFile(join(path, 'namespace'), 'team\n');
  return path;
}

describe('the cluster is found', () => {
  test('by the flag, before KUBECONFIG, before the pod, before the home folder', async () => {
    const flag = await kubeconfig('flag', 'https://flag');
    const variable = await kubeconfig('variable', 'https://variable');
    await mkdir(join(folder, '.kube'));
    await kubeconfig('.kube/config', 'https://home');
    const pod = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };
    const env = { ...pod, KUBECONFIG: `${join(folder, 'absent')}:${variable}`, HOME: folder };
    const options = { env, serviceAccount: await serviceAccount() };
    const server = async (more: Partial<Parameters<typeof loadClusterConfig>[0]>): Promise<string> =>
      (await loadClusterConfig({ ...options, ...more })).server;
    expect(await server({ kubeconfig: flag })).toBe('https://flag');
    expect(await server({})).toBe('https://variable');
    expect(await server({ env: { ...pod, HOME: folder } })).toBe('https://10.0.0.1:443');
    expect(await server({ env: { HOME: folder } })).toBe('https://home');
    expect(await server({ env: { ...pod, HOME: folder }, serviceAccount: join(folder, 'absent') })).toBe('https://home');
  });

  test('in a pod, with files that are read again', async () => {
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' };
    const path = await serviceAccount();
    expect(await loadClusterConfig({ env, serviceAccount: path })).toEqual({
      server: 'https://[fd00::1]:6443',
      insecureSkipTlsVerify: false,
      ca: { file: join(path, 'ca.crt') },
      token: { file: join(path, 'token') },
      namespace: 'team',
    });
  });

  test('with paths relative to the kubeconfig', async () => {
    const path = await kubeconfig('config', 'https://here');
    expect((await loadClusterConfig({ kubeconfig: path, env: {} })).ca).toEqual({ file: join(folder, 'ca.crt') });
  });
});

describe('fails with what to do', () => {
  test.each([
    ['when there is nothing', {}, /^no cluster configuration found; pass --kubeconfig, set KUBECONFIG, or run inside a pod/],
    ['when KUBECONFIG names no file', { KUBECONFIG: '/absent/a:/absent/b' }, /^KUBECONFIG names no file that exists: \/absent/],
    [
      'when a pod has no token',
      { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' },
      /token: cannot be read; does the pod set automountServiceAccountToken: false\?$/,
    ],
  ])('%s', async (_, env, message) => {
    await expect(loadClusterConfig({ env, serviceAccount: join(folder, 'absent') })).rejects.toThrow(message);
  });

  test('when the file of the flag is not there', async () => {
    await expect(loadClusterConfig({ kubeconfig: '/absent/config', env: {} })).rejects.toThrow('/absent/config: no such file');
  });
});
