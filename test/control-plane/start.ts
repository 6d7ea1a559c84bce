/**
 * A real Kubernetes control plane as plain processes on loopback: etcd, kube-apiserver, kube-controller-manager.
 *
 * The API server is the real one: CRD validation, server-side apply, watch, webhooks, RBAC, audit. There are no kubelets;
 * with `scheduler` and `kwok` nodes and pods are played. It ends with the process that started it, however that ends.
 */
import { generateKeyPairSync } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { findTool, missingTools, ToolMissingError } from '../../tools/find.ts';
import type { ToolName } from '../../tools/versions.ts';
import { Client } from './client.ts';
import { writeClientAuthority } from './client-certificates.ts';
import * as commandLines from './command-lines.ts';
import { filesOf, type Ports } from './command-lines.ts';
import type { ControlPlaneConnection } from './connection.ts';
import { installCrds } from './crds.ts';
import { freePorts } from './free-ports.ts';
import { renderKubeconfig } from './kubeconfig.ts';
import { Processes, rejectWhenAborted } from './processes.ts';
import type { WholeObject } from './rest-paths.ts';
import { newToken, renderAuditPolicy, renderTokenFile, standardUsers, type TestUser } from './users.ts';

/** What to start. */
export interface ControlPlaneOptions {
  /**
   * Run kube-controller-manager.
   * @default true
   */
  readonly controllerManager?: boolean;
  /**
   * Controllers that kube-controller-manager leaves out, for tests that play them.
   * @default - none
   */
  readonly withoutControllers?: readonly string[];
  /**
   * Run kube-scheduler.
   * @default false
   */
  readonly scheduler?: boolean;
  /**
   * Run kwok, which plays the kubelet of every node, see `nodes.ts`.
   * @default false
   */
  readonly kwok?: boolean;
  /**
   * File with stages of kwok: what becomes of pods.
   * @default - kwok's own: every pod runs at once
   */
  readonly kwokStages?: string;
  /**
   * Users besides `standardUsers`, by short name; one of the same name replaces the standard one.
   * @default - none
   */
  readonly users?: Readonly<Record<string, TestUser>>;
  /**
   * Admission plugins besides the default ones.
   * @default - none
   */
  readonly admissionPlugins?: readonly string[];
  /**
   * CRDs that are there before kube-controller-manager starts: its garbage collector learns of later ones half a minute late.
   * @default - none
   */
  readonly crds?: readonly WholeObject[];
}

/** A control plane this process owns. */
export interface ControlPlane {
  /** How to reach it. */
  readonly connection: ControlPlaneConnection;
  /** Aborted, with the reason, when one of its processes dies. */
  readonly failed: AbortSignal;
  /** Kills the API server and starts it again; resolves when it is ready. */
  readonly restartApiServer: () => Promise<void>;
  /** Ends it and removes its folder. */
  readonly stop: () => Promise<void>;
}

const readyWithinMs = 300_000;
const attempts = 3;

/** Programs a control plane needs. */
export function neededTools(options: ControlPlaneOptions = {}): readonly ToolName[] {
  const { controllerManager = true, scheduler = false, kwok = false } = options;
  return [
    'etcd',
    'kube-apiserver',
    ...(controllerManager ? (['kube-controller-manager'] as const) : []),
    ...(scheduler ? (['kube-scheduler'] as const) : []),
    ...(kwok ? (['kwok'] as const) : []),
  ];
}

/** Starts a control plane; resolves when its API server is ready, in a few seconds once the programs are built. */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const programs = await findTools(neededTools(options));
  for (let attempt = 1; ; attempt += 1) {
    const processes = new Processes('dynamo-cdk8s-control-plane-');
    const { folder } = processes;
    try {
      const connection = await startIn(folder, processes, programs, options);
      const restartApiServer = async (): Promise<void> => {
        await processes.restart('kube-apiserver');
        const { server, users: connected } = connection;
        await untilReady(server, filesOf(folder).ca, connected['admin']?.token ?? '', processes.failed);
      };
      return { connection, failed: processes.failed, restartApiServer, stop: () => processes.stop() };
    } catch (error) {
      await processes.stop();
      // A port that was free a moment ago may be taken by now.
      const isPortTaken = error instanceof Error && error.message.includes('address already in use');
      if (!isPortTaken || attempt === attempts) throw error;
    }
  }
}

/** Paths of programs, which are built if needed; throws the names of all that cannot be built. */
export async function findTools(names: readonly ToolName[]): Promise<ReadonlyMap<ToolName, string>> {
  const missing = missingTools(names);
  if (missing.length > 0) throw new ToolMissingError(missing);
  const programs = new Map<ToolName, string>();
  for (const name of names) programs.set(name, await findTool(name));
  return programs;
}

async function startIn(
  folder: string,
  processes: Processes,
  programs: ReadonlyMap<ToolName, string>,
  options: ControlPlaneOptions,
): Promise<ControlPlaneConnection> {
  const users: Readonly<Record<string, TestUser>> = { ...standardUsers, ...options.users };
  // Without kubelets the first would call every node lost.
  const without = [...(programs.has('kwok') ? [] : ['nodelifecycle']), ...(options.withoutControllers ?? [])];
  const files = filesOf(folder);
  const tokens = Object.fromEntries(Object.keys(users).map((name) => [name, newToken()]));
  await writeServerFiles(folder, users, tokens);
  const [etcdClient = 0, etcdPeer = 0, apiServer = 0] = await freePorts(3);
  const ports: Ports = { etcdClient, etcdPeer, apiServer };
  const run = async (name: ToolName, args: readonly string[]): Promise<void> => {
    const command = programs.get(name);
    if (command !== undefined) await processes.start({ name, command, args });
  };

  await run('etcd', commandLines.etcdArguments(folder, ports));
  await run('kube-apiserver', commandLines.apiServerArguments(folder, ports, options.admissionPlugins ?? []));
  const server = `https://127.0.0.1:${apiServer}`;
  const ca = await untilReady(server, files.ca, tokens['admin'] ?? '', processes.failed);

  const kubeconfig = (user: string): string => join(files.kubeconfigs, user);
  for (const user of Object.keys(users)) {
    await writeFile(kubeconfig(user), renderKubeconfig({ server, ca, tokens, currentUser: user }));
  }
  await installCrdsFirst({ server, ca, token: tokens['admin'] ?? '' }, options.crds ?? []);
  const components = kubeconfig('components');
  await run('kube-controller-manager', commandLines.controllerManagerArguments(folder, components, without));
  await run('kube-scheduler', commandLines.schedulerArguments(components));
  await run('kwok', commandLines.kwokArguments(components, options.kwokStages));

  const connection: ControlPlaneConnection = {
    server,
    etcd: `http://127.0.0.1:${etcdClient}`,
    ca,
    folder,
    kubeconfig: kubeconfig('admin'),
    auditLog: files.auditLog,
    users: Object.fromEntries(
      Object.entries(users).map(([name, { username }]) => [
        name,
        { username, token: tokens[name] ?? '', kubeconfig: kubeconfig(name) },
      ]),
    ),
    pids: processes.pids,
  };
  await writeFile(files.connection, JSON.stringify(connection, undefined, 2));
  return connection;
}

async function installCrdsFirst(
  connection: ConstructorParameters<typeof Client>[0],
  crds: readonly WholeObject[],
): Promise<void> {
  const client = new Client(connection);
  try {
    await installCrds(client, crds);
  } finally {
    await client.close();
  }
}

async function writeServerFiles(
  folder: string,
  users: Readonly<Record<string, TestUser>>,
  tokens: Readonly<Record<string, string>>,
): Promise<void> {
  const files = filesOf(folder);
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  await Promise.all([
    mkdir(files.kubeconfigs),
    writeClientAuthority(files),
    writeFile(files.serviceAccountKey, privateKey),
    writeFile(files.serviceAccountPublicKey, publicKey),
    writeFile(files.tokens, renderTokenFile(users, tokens)),
    writeFile(files.auditPolicy, renderAuditPolicy(users)),
    writeFile(files.auditLog, ''),
  ]);
}

// The API server makes its own certificate; until that is there nobody can ask it anything.
async function untilReady(server: string, caFile: string, token: string, failed: AbortSignal): Promise<string> {
  const deadline = AbortSignal.timeout(readyWithinMs);
  const broken = rejectWhenAborted(AbortSignal.any([failed, deadline]));
  for (;;) {
    const ca = await readFile(caFile, 'utf8').catch(() => undefined);
    if (ca !== undefined && (await Promise.race([isReady(server, ca, token), broken]))) return ca;
    await Promise.race([setTimeout(50), broken]);
  }
}

async function isReady(server: string, ca: string, token: string): Promise<boolean> {
  const client = new Client({ server, ca, token });
  try {
    return (await client.request('GET', '/readyz')).status === 200;
  } catch {
    return false;
  } finally {
    await client.close();
  }
}
