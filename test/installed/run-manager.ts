/**
 * Runs the manager as the kubelet would run the rendered pod: the file of the image, the rendered arguments and variables, the token of the
 * rendered account and the mounted certificate where the pod has them. There is no kube-proxy: the webhooks' Service is forwarded here.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { listAt, objectsAt, stringAt, type JsonObject } from '../../lib/json/index.ts';
import type { Cluster } from '../control-plane/connect.ts';
import { forwardService } from './forward-service.ts';
import { containerEnvironment, home, renderedManager, type Installation } from './install-platform.ts';
import { mountSecret, readSecret } from './secret-files.ts';

/** A manager that runs. */
export interface RunningManager {
  /** Lines of its log. */
  readonly lines: readonly string[];
  /** Ends it as the kubelet does; returns the exit code. */
  readonly stop: () => Promise<number | null>;
}

/** What to change of the rendered pod. */
export interface ManagerChange {
  /** Variables besides. */
  readonly environment?: Readonly<Record<string, string>>;
}

const patienceMs = 3 * 60_000;
const certificates = '/tmp/k8s-webhook-server/serving-certs';
/** Mounts are this process's own: the folder of the account, and the certificate where the pod mounts one. */
const enter = `
mount -t tmpfs tmpfs "$(readlink -f /var/run)"
mkdir -p /var/run/secrets/kubernetes.io/serviceaccount
cp "$0"/account/* /var/run/secrets/kubernetes.io/serviceaccount
[ ! -d "$0/certificate" ] || { mkdir -p ${certificates} && mount --bind "$0/certificate" ${certificates}; }
exec "$@"`;

/** Starts the manager; resolves when it is ready. It ends with the test. */
export async function runManager(installation: Installation, { environment = {} }: ManagerChange = {}): Promise<RunningManager> {
  const { cluster } = installation;
  const { pod, manager } = renderedManager(installation);
  if (!existsSync('build/manager')) throw new Error('build/manager is not there: npm run build makes it');
  const folder = await mkdtemp(join(cluster.connection.folder, 'manager-'));
  // Outside this package, as in the image: a file without extension is CommonJS there.
  const program = join(folder, 'manager');
  await copyFile('build/manager', program);
  await mountAccount(cluster, stringAt(pod, 'serviceAccountName'), folder);
  await mountCertificate(cluster, pod, folder);
  const args = listAt(manager, 'args').map((word) => stringAt(word));
  const { hostname, port } = new URL(cluster.connection.server);
  const env = {
    PATH: process.env['PATH'],
    HOSTNAME: 'controller-manager-0',
    KUBERNETES_SERVICE_HOST: hostname,
    KUBERNETES_SERVICE_PORT: port,
    ...(await containerEnvironment(cluster, manager)),
    ...environment,
  };
  const argv = ['--mount', 'sh', '-e', '-c', enter, folder, process.execPath, program, ...args];
  const child = spawn('unshare', argv, { stdio: ['ignore', 'ignore', 'pipe'], env });
  const lines: string[] = [];
  createInterface(child.stderr).on('line', (line) => lines.push(line));
  const ended = once(child, 'exit');
  let stopForwarding = (): void => {};
  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM');
    await ended;
    stopForwarding();
    return child.exitCode;
  };
  onTestFinished(async () => void (await stop()));
  stopForwarding = await forwardService(cluster, home, webhookService(installation), 9443);
  const deadline = Date.now() + patienceMs;
  while (!(await isReady())) {
    const said = lines.slice(-20).join('\n');
    if (child.exitCode !== null) throw new Error(`the manager ended with ${child.exitCode}:\n${said}`);
    if (Date.now() > deadline) throw new Error(`the manager is not ready after three minutes:\n${said}`);
    await setTimeout(50);
  }
  return { lines, stop };
}

async function isReady(): Promise<boolean> {
  return fetch('http://127.0.0.1:8081/readyz').then(
    ({ status }) => status === 200,
    () => false,
  );
}

async function mountAccount(cluster: Cluster, account: string, folder: string): Promise<void> {
  await mkdir(join(folder, 'account'));
  const { token } = await cluster.serviceAccount(home, account);
  for (const [file, content] of [
    ['token', token],
    ['ca.crt', cluster.connection.ca],
    ['namespace', home],
  ] as const)
    await writeFile(join(folder, 'account', file), content);
}

async function mountCertificate(cluster: Cluster, pod: JsonObject, folder: string): Promise<void> {
  for (const volume of objectsAt(pod, 'volumes').filter(({ name }) => name === 'cert')) {
    await mkdir(join(folder, 'certificate'));
    await mountSecret(await readSecret(cluster, home, stringAt(volume, 'secret', 'secretName')), join(folder, 'certificate'));
  }
}

/** Name of the Service of the webhooks. */
function webhookService({ objects }: Installation): string {
  const names = objects.filter(({ kind }) => kind === 'Service').map((service) => stringAt(service, 'metadata', 'name'));
  const found = names.find((name) => name.endsWith('-webhook-service'));
  if (found === undefined) throw new Error('no Service of webhooks is rendered');
  return found;
}
