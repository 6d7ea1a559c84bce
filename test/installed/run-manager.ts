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
import { listAt, objectAt, objectsAt, stringAt, type JsonObject } from '../../lib/json/index.ts';
import { succeeded } from '../control-plane/client.ts';
import { forwardService } from './forward-service.ts';
import { containerEnvironment, renderedManager, type Installation } from './install-platform.ts';
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
/** Mounts are this process's own: the folder of the account, and the certificate where the pod mounts one. */
const enter = `
mount -t tmpfs tmpfs "$(readlink -f /var/run)"
mkdir -p /var/run/secrets/kubernetes.io/serviceaccount
cp "$0"/account/* /var/run/secrets/kubernetes.io/serviceaccount
[ ! -d "$0/certificate" ] || { mkdir -p "$1" && mount --bind "$0/certificate" "$1"; }
shift
exec "$@"`;

/** Starts the manager; resolves when it is ready. It ends with the test. */
export async function runManager(installation: Installation, { environment = {} }: ManagerChange = {}): Promise<RunningManager> {
  const { cluster, namespace } = installation;
  const { pod, manager } = renderedManager(installation);
  const [command, ...more] = listAt(manager, 'command');
  if (command !== '/manager' || more.length > 0) throw new Error('the image has no other program than /manager');
  if (!existsSync('build/manager')) throw new Error('build/manager is not there: npm run build makes it');
  const folder = await mkdtemp(join(cluster.connection.folder, 'manager-'));
  // Outside this package, as in the image: a file without extension is CommonJS there.
  const program = join(folder, 'manager');
  await copyFile('build/manager', program);
  await mountAccount(installation, stringAt(pod, 'serviceAccountName'), folder);
  await mountCertificate(installation, pod, folder);
  const args = listAt(manager, 'args').map((word) => stringAt(word));
  const { hostname, port } = new URL(cluster.connection.server);
  const env = {
    PATH: process.env['PATH'],
    HOSTNAME: 'controller-manager-0',
    KUBERNETES_SERVICE_HOST: hostname,
    KUBERNETES_SERVICE_PORT: port,
    ...(await containerEnvironment(installation, manager)),
    ...environment,
  };
  const mounts = objectsAt(manager, 'volumeMounts').filter(({ name }) => name === 'cert');
  const certificates = stringAt(mounts[0], 'mountPath');
  const argv = ['--mount', 'sh', '-e', '-c', enter, folder, certificates, process.execPath, program, ...args];
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
  const service = webhookService(installation);
  if (service !== undefined)
    stopForwarding = await forwardService(
      cluster,
      namespace,
      stringAt(service, 'metadata', 'name'),
      targetPort(service, manager),
    );
  const deadline = Date.now() + patienceMs;
  while (!(await passes(manager, 'readinessProbe')) || !(await passes(manager, 'livenessProbe'))) {
    const said = lines.slice(-20).join('\n');
    if (child.exitCode !== null) throw new Error(`the manager ended with ${child.exitCode}:\n${said}`);
    if (Date.now() > deadline) throw new Error(`the manager is not ready after three minutes:\n${said}`);
    await setTimeout(50);
  }
  return { lines, stop };
}

/** Whether a probe succeeds, asked as the kubelet asks. */
async function passes(container: JsonObject, probe: string): Promise<boolean> {
  const { path, port } = objectAt(container, probe, 'httpGet');
  return fetch(`http://127.0.0.1:${Number(port)}${stringAt(path)}`).then(
    ({ status }) => status === 200,
    () => false,
  );
}

async function mountAccount({ cluster, namespace }: Installation, account: string, folder: string): Promise<void> {
  await mkdir(join(folder, 'account'));
  const key = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name: account } };
  succeeded(await cluster.client.get(key));
  const { token } = await cluster.serviceAccount(namespace, account);
  for (const [file, content] of [
    ['token', token],
    ['ca.crt', cluster.connection.ca],
    ['namespace', namespace],
  ] as const)
    await writeFile(join(folder, 'account', file), content);
}

async function mountCertificate({ cluster, namespace }: Installation, pod: JsonObject, folder: string): Promise<void> {
  for (const volume of objectsAt(pod, 'volumes').filter(({ name }) => name === 'cert')) {
    await mkdir(join(folder, 'certificate'));
    const secret = stringAt(volume, 'secret', 'secretName');
    await mountSecret(await readSecret(cluster, namespace, secret), join(folder, 'certificate'));
  }
}

/** The Service of the webhooks, if they are on. */
function webhookService({ objects }: Installation): JsonObject | undefined {
  const names = objects
    .filter(({ kind }) => kind === 'ValidatingWebhookConfiguration')
    .flatMap((configuration) => objectsAt(configuration, 'webhooks'))
    .map((webhook) => stringAt(webhook, 'clientConfig', 'service', 'name'));
  if (names.length === 0) return undefined;
  const found = objects.find((object) => object['kind'] === 'Service' && stringAt(object, 'metadata', 'name') === names[0]);
  if (found === undefined) throw new Error(`no Service ${names[0]} of webhooks is rendered`);
  return found;
}

/** The port of a container that the first port of a Service leads to, by number or by name. */
function targetPort(service: JsonObject, container: JsonObject): number {
  const [port] = objectsAt(service, 'spec', 'ports').map((one) => one['targetPort'] ?? one['port']);
  const named = objectsAt(container, 'ports').find(({ name }) => name === port);
  return Number(named?.['containerPort'] ?? port);
}
