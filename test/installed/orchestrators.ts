/**
 * The real Grove operator and the real controller of LeaderWorkerSets, each as its own account, with its webhooks behind its Service.
 *
 * They run beside our manager, which has the ports of its manifest; theirs are moved by their configuration. Each test file has namespaces of
 * its own for network and mounts. Grove has one more for mounts, since it reads its namespace where our manager has that of its own account.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { findTool } from '../../tools/find.ts';
import { findGrove, groveCrds } from '../../tools/grove.ts';
import { tools } from '../../tools/versions.ts';
import type { Cluster } from '../control-plane/connect.ts';
import { installCrds, untilApiGroups } from '../control-plane/crds.ts';
import { standInCrds } from '../control-plane/stand-in-crds.ts';
import { forwardService } from './forward-service.ts';
import { mountSecret, readSecret } from './secret-files.ts';

const run = promisify(execFile);
const webhookPort = 10_443;

/** Starts Grove as its folder in the corpus describes it; its objects name its webhooks by URL, here they are behind its Service. */
export async function startGrove(cluster: Cluster, folder: string): Promise<void> {
  const program = await findGrove(folder);
  const namespace = 'grove-system';
  await apply(cluster, [], JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }));
  for (const file of await readdir(groveCrds)) await apply(cluster, [], await readFile(join(groveCrds, file), 'utf8'));
  const service = { metadata: { name: 'grove-operator', namespace }, spec: { ports: [{ port: 443 }] } };
  await apply(cluster, [], JSON.stringify({ apiVersion: 'v1', kind: 'Service', ...service }));
  const objects = await readFile(join(folder, 'objects.yaml'), 'utf8');
  const byService = objects.replaceAll(/url: https:\/\/grove-operator\.grove-system\.svc:9443(\S+)/g, (_, path: string) =>
    ['service:', '  name: grove-operator', `  namespace: ${namespace}`, `  path: ${path}`].join('\n      '),
  );
  await apply(cluster, ['-n', namespace], byService);
  await letNameOwners(cluster, namespace);
  await forwardService(cluster, namespace, 'grove-operator', webhookPort);
  const work = await mkdtemp(join(cluster.connection.folder, 'grove-'));
  const certificates = join(work, 'certificates');
  await mkdir(certificates);
  const config = (await readFile(join(folder, 'config.yaml'), 'utf8')).replace(
    'port: 9443',
    `port: ${webhookPort}\n    serverCertDir: ${certificates}`,
  );
  await writeFile(join(work, 'config.yaml'), config);
  const { kubeconfig } = await cluster.serviceAccount(namespace, 'grove-operator');
  const enter =
    'mount -t tmpfs tmpfs "$(readlink -f /var/run)"; d=/var/run/secrets/kubernetes.io/serviceaccount; mkdir -p $d; printf %s "$0" > $d/namespace; exec "$@"';
  const start = (): Program =>
    startProgram(
      'grove-operator',
      ['unshare', '--mount', 'sh', '-e', '-c', enter, namespace, program, `--config=${work}/config.yaml`],
      {
        KUBECONFIG: kubeconfig,
        GROVE_OPERATOR_SERVICE_ACCOUNT_NAME: 'grove-operator',
        GROVE_INIT_CONTAINER_IMAGE: 'grove-initc',
      },
    );
  // A first start makes the certificate and ends, since it is not mounted yet.
  const first = start();
  await mountWhenMade(cluster, namespace, 'grove-webhook-server-cert', certificates);
  await first.stop();
  await untilServing(start());
}

/** The control plane guards owner references as OpenShift does, and Grove's own chart lacks the right for that; the profile secure has it. */
async function letNameOwners(cluster: Cluster, namespace: string): Promise<void> {
  const apiGroup = 'rbac.authorization.k8s.io';
  const metadata = { name: 'grove-names-owners' };
  const resources = ['podcliquesets', 'podcliques', 'podcliquescalinggroups'].map((kind) => `${kind}/finalizers`);
  const rules = [{ apiGroups: ['grove.io'], resources, verbs: ['update'] }];
  const roleRef = { apiGroup, kind: 'ClusterRole', name: metadata.name };
  const subjects = [{ kind: 'ServiceAccount', name: 'grove-operator', namespace }];
  const items = [
    { apiVersion: `${apiGroup}/v1`, kind: 'ClusterRole', metadata, rules },
    { apiVersion: `${apiGroup}/v1`, kind: 'ClusterRoleBinding', metadata, roleRef, subjects },
  ];
  await apply(cluster, [], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
}

/** Installs LeaderWorkerSets from the manifests of its module, and Volcano's API, without which the operator makes none. */
export async function startLeaderWorkerSets(cluster: Cluster): Promise<void> {
  const namespace = 'lws-system';
  const program = await findTool('lws');
  const { stdout } = await run('go', ['mod', 'download', '-json', `sigs.k8s.io/lws@${tools.lws.version}`], { cwd: 'tools/lws' });
  const { Dir: module } = JSON.parse(stdout) as { readonly Dir: string };
  const { stdout: manifests } = await run(await findTool('kustomize'), ['build', join(module, 'config/default')], {
    maxBuffer: 64 * 1024 * 1024,
  });
  await apply(cluster, [], manifests);
  await installCrds(cluster.client, standInCrds(['scheduling.volcano.sh']));
  await startScheduler(cluster, 'volcano');
  await untilApiGroups(cluster.client, (groups) => groups.includes('leaderworkerset.x-k8s.io'));
  await forwardService(cluster, namespace, 'lws-webhook-service', webhookPort);
  const work = await mkdtemp(join(cluster.connection.folder, 'lws-'));
  const certDir = join(work, 'certificates');
  await mkdir(certDir);
  const config = {
    apiVersion: 'config.lws.x-k8s.io/v1alpha1',
    kind: 'Configuration',
    leaderElection: { leaderElect: false },
    webhook: { port: webhookPort, certDir },
    health: { healthProbeBindAddress: ':9444' },
    metrics: { bindAddress: ':9445' },
    internalCertManagement: {
      enable: true,
      webhookServiceName: 'lws-webhook-service',
      webhookSecretName: 'lws-webhook-server-cert',
    },
  };
  await writeFile(join(work, 'config.json'), JSON.stringify(config));
  const { kubeconfig } = await cluster.serviceAccount(namespace, 'lws-controller-manager');
  const controller = startProgram('lws', [program, `--config=${work}/config.json`, `--kubeconfig=${kubeconfig}`]);
  await mountWhenMade(cluster, namespace, 'lws-webhook-server-cert', certDir);
  await untilServing(controller);
}

/**
 * Plays the scheduler of another project, which is published as an image only: that of Kubernetes binds the pods that ask for it, without waiting
 * for their gang.
 */
export async function startScheduler(cluster: Cluster, schedulerName: string): Promise<void> {
  const config = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    clientConnection: { kubeconfig: cluster.user('admin').kubeconfig, qps: 500, burst: 1000 },
    leaderElection: { leaderElect: false },
    profiles: [{ schedulerName }],
  };
  const file = join(cluster.connection.folder, `${schedulerName}-scheduler.json`);
  await writeFile(file, JSON.stringify(config));
  const flags = [`--config=${file}`, '--secure-port=0', '--authentication-skip-lookup'];
  startProgram(schedulerName, [await findTool('kube-scheduler'), ...flags]);
}

async function apply(cluster: Cluster, args: readonly string[], input: string): Promise<void> {
  const { exitCode, stderr } = await cluster.kubectl(['apply', '--server-side', ...args, '-f', '-'], { input });
  if (exitCode !== 0) throw new Error(`kubectl apply: ${stderr}`);
}

interface Program {
  readonly name: string;
  readonly lines: readonly string[];
  readonly hasEnded: () => boolean;
  readonly stop: () => Promise<void>;
}

function startProgram(
  name: string,
  [command = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Program {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env['PATH'], ...env } });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', (line) => lines.push(line));
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(stop);
  return { name, lines, hasEnded: () => child.exitCode !== null || child.signalCode !== null, stop };
}

/** Mounts a Secret into a folder as the kubelet would, once somebody has filled it. */
async function mountWhenMade(cluster: Cluster, namespace: string, name: string, folder: string): Promise<void> {
  for (;;) {
    const content = await readSecret(cluster, namespace, name);
    if ((content.get('tls.crt')?.length ?? 0) > 0) return mountSecret(content, folder);
    await setTimeout(100);
  }
}

/** Waits until webhooks answer. */
async function untilServing({ name, lines, hasEnded }: Program): Promise<void> {
  for (;;) {
    if (hasEnded()) throw new Error(`${name} ended:\n${lines.slice(-20).join('\n')}`);
    const socket = connect(webhookPort, '127.0.0.1');
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.on('connect', () => resolve(true));
      socket.on('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await setTimeout(100);
  }
}
