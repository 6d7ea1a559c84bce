/** The single-file operator as its image runs it: no flag or setting changes its ports or the folder of its certificate. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Agent, request } from 'undici';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { issueCertificate } from '../../lib/runtime/webhook/make-certificate.ts';
import { cluster, describeCluster } from '../control-plane/cluster-test.ts';
import { requiredFlags } from '../control-plane/operator.ts';

const certificates = '/tmp/k8s-webhook-server/serving-certs';
/** The mount is the process's own. */
const enter = `mkdir -p ${certificates} && mount --bind "$0" ${certificates} && exec "$@"`;
const review = {
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: { uid: 'u', operation: 'CREATE', namespace: 'n', name: 'm', object: { spec: { modelName: 'm', modelType: 'lora' } } },
};
let folder = '';

/** What was written so far, and the process that wrote it. */
interface Running {
  readonly child: ChildProcess;
  readonly said: () => string;
  readonly line: (message: string) => Promise<void>;
}

function start(): Running {
  const flags = [`--kubeconfig=${cluster().connection.kubeconfig}`, '--enable-webhooks', ...requiredFlags];
  const argv = ['--mount', 'sh', '-e', '-c', enter, join(folder, 'certificates'), join(folder, 'build/manager'), ...flags];
  const child = spawn('unshare', argv, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += String(chunk)));
  onTestFinished(async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
  });
  const line = async (message: string): Promise<void> => {
    const isThere = (): boolean => said.includes(`"msg":"${message}"`);
    const ended = once(child, 'exit');
    while (!isThere()) {
      const now = await Promise.race([once(child.stderr, 'data'), ended.then(() => 'ended')]);
      if (now === 'ended' && !isThere()) throw new Error(`the operator ended with ${child.exitCode}:\n${said}`);
    }
  };
  return { child, said: () => said, line };
}

async function newCertificate(): Promise<string> {
  const { certificate, key, authority } = await issueCertificate(['localhost'], new Date());
  await writeFile(join(folder, 'certificates/tls.crt'), certificate);
  await writeFile(join(folder, 'certificates/tls.key'), key);
  return authority;
}

async function callWebhook(ca: string): Promise<unknown> {
  const dispatcher = new Agent({ connect: { ca } });
  const answer = await request('https://localhost:9443/validate-nvidia-com-v1alpha1-dynamomodel', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(review),
    dispatcher,
  });
  const body: unknown = await answer.body.json();
  await dispatcher.close();
  return body;
}

describeCluster('the ports and folders of the original', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dynamo-cdk8s-default-place-'));
    await mkdir(join(folder, 'certificates'));
    await promisify(execFile)(process.execPath, ['scripts/build.mjs', '--manager-only', '--outdir', join(folder, 'build')]);
    return () => rm(folder, { recursive: true });
  });

  test('are where metrics, probes and webhooks are served, with the certificate of the moment', async () => {
    const first = await newCertificate();
    const { child, line } = start();
    await line('Secret informer cache synced and ready');
    const page = await (await request('http://127.0.0.1:8080/metrics')).body.text();
    expect(page).toContain('controller_runtime_webhook_requests_in_flight');
    expect(await (await request('http://127.0.0.1:8081/readyz')).body.text()).toBe('ok');
    expect(await callWebhook(first)).toMatchObject({ response: { uid: 'u', allowed: false } });

    const second = await newCertificate();
    const isServed = (): Promise<boolean> =>
      callWebhook(second).then(
        () => true,
        () => false,
      );
    while (!(await isServed())) await setTimeout(50);
    await expect(callWebhook(first)).rejects.toThrow();

    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('end a second process with 1 that finds a port taken', async () => {
    await newCertificate();
    const first = start();
    await first.line('starting manager');
    const second = start();
    expect(await once(second.child, 'exit')).toEqual([1, null]);
    expect(second.said()).toContain('EADDRINUSE');
    expect(second.said()).toContain('"msg":"problem running manager"');
  });
});
