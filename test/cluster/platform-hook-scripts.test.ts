import type { KubernetesObject } from '../../lib/api/index.ts';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { atPath, templateString } from '../../lib/platform/go-values.ts';
import { listAt } from '../../lib/json/index.ts';
import { caInjectScript, certificateScript, keySecretScript } from '../../lib/platform/operator/hook-scripts.ts';
import { renderPlatform } from '../../lib/platform/platform.ts';
import { findTool } from '../../tools/find.ts';
import { cluster, describeCluster, newNamespace } from '../control-plane/cluster-test.ts';
import { succeeded } from '../control-plane/client.ts';

const run = promisify(execFile);
const openssl = spawnSync('openssl', ['version']).status === 0;

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'hook-scripts-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Runs a script as the Jobs do, against the control plane of this run. */
async function bash(script: string, env: Readonly<Record<string, string>>): Promise<string> {
  const { connection } = cluster();
  const path = `${dirname(await findTool('kubectl'))}${delimiter}${process.env['PATH'] ?? ''}`;
  const { stdout } = await run('bash', ['-e', '-c', script], {
    env: { ...env, PATH: path, HOME: connection.folder, KUBECONFIG: connection.kubeconfig },
  });
  return stdout;
}

async function secret(namespace: string, name: string): Promise<KubernetesObject> {
  return succeeded(
    await cluster().client.get<KubernetesObject>({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace } }),
  );
}

describeCluster('the scripts of the original hooks, rewritten', () => {
  test.skipIf(!openssl)(
    'make a certificate that fits its CA and its Service, keep it while it is good, and inject the CA',
    async () => {
      const namespace = await newNamespace();
      const work = folder();
      const env = { OPENSSL_CONF: join(work, 'openssl.cnf'), TMPDIR: work };
      const input = { secret: 'webhook-server-cert', namespace, service: 'hook', domain: 'cluster.local', days: '365' };

      await bash(certificateScript(input), env);
      const made = await secret(namespace, input.secret);
      for (const key of ['tls.crt', 'tls.key', 'ca.crt'])
        writeFileSync(join(work, key), Buffer.from(templateString(atPath(made, 'data', key)), 'base64'));
      const ask = async (...argv: readonly string[]): Promise<string> => (await run('openssl', argv, { cwd: work })).stdout;
      expect(
        await ask('verify', '-CAfile', 'ca.crt', '-purpose', 'sslserver', '-verify_hostname', `hook.${namespace}.svc`, 'tls.crt'),
      ).toContain('OK');
      const shown = await ask('x509', '-in', 'tls.crt', '-noout', '-text');
      expect(shown).toContain(
        `DNS:hook, DNS:hook.${namespace}, DNS:hook.${namespace}.svc, DNS:hook.${namespace}.svc.cluster.local`,
      );
      expect(shown).toContain('Public-Key: (4096 bit)');

      expect(await bash(certificateScript(input), env)).toContain('nothing to do');
      expect((await secret(namespace, input.secret)).metadata['resourceVersion']).toBe(made.metadata['resourceVersion']);

      const values = { 'dynamo-operator': { namespaceRestriction: { enabled: true } } };
      const { objects } = renderPlatform(values, { profile: 'parity', release: namespace, namespace });
      const configuration = objects.find((o) => o.kind === 'ValidatingWebhookConfiguration');
      if (configuration === undefined) throw new Error('no webhook configuration was rendered');
      succeeded(await cluster().client.create(configuration));
      onTestFinished(async () => void (await cluster().client.delete(configuration)));
      await bash(caInjectScript({ ...input, configuration: configuration.metadata.name }), env);
      const injected = succeeded(await cluster().client.get<KubernetesObject>(configuration));
      expect(listAt(injected['webhooks']).map((w) => atPath(w, 'clientConfig.caBundle'))).toEqual(
        Array.from({ length: 4 }, () => atPath(made, 'data', 'ca.crt')),
      );
    },
  );

  test('store a key pair once', async () => {
    const namespace = await newNamespace();
    const work = folder();
    writeFileSync(join(work, 'private.key'), 'one');
    writeFileSync(join(work, 'private.key.pub'), 'two');
    const env = { SECRET_NAME: 'mpi', NAMESPACE: namespace };
    const script = keySecretScript.replaceAll('/shared', work);
    await bash(script, env);
    expect(atPath(await secret(namespace, 'mpi'), 'data')).toEqual({ 'private.key': 'b25l', 'private.key.pub': 'dHdv' });
    expect(await bash(script, env)).toContain('nothing to do');
  });
});
