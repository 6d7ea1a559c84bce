/** Operators under disturbance: in this process behind a proxy that breaks things, or as processes that can be killed. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import type { AuditEvent } from '../control-plane/audit-log.ts';
import { succeeded } from '../control-plane/client.ts';
import type { Cluster } from '../control-plane/connect.ts';
import { renderKubeconfig } from '../control-plane/kubeconfig.ts';
import { FaultProxy, type SeenRequest } from '../runtime/fault-proxy.ts';
import { operatorFlags } from './operator-cluster.ts';

/** Whether a request changes something that is not a Lease. */
export const isWrite = ({ method, path }: SeenRequest): boolean => method !== 'GET' && !path.includes('/leases');
/** Whether a request is a write of an event. */
export const isEvent = (request: SeenRequest): boolean => isWrite(request) && request.path.includes('/events');
/** Whether a request is a write of something other than an event. */
export const isChange = (request: SeenRequest): boolean => isWrite(request) && !isEvent(request);

/** A proxy in front of a cluster, and the kubeconfig of an operator that goes through it. */
export interface Way {
  readonly proxy: FaultProxy;
  readonly kubeconfig: string;
  readonly close: () => Promise<void>;
}

/** Opens a way to a cluster that can be disturbed. */
export async function openWay({ connection, user }: Pick<Cluster, 'connection'> & { user: Cluster['user'] }): Promise<Way> {
  const { server, ca, folder } = connection;
  const proxy = await FaultProxy.start({ server, ca });
  const kubeconfig = join(await mkdtemp(join(folder, 'way-')), 'kubeconfig');
  const tokens = { operator: user('operator').token };
  await writeFile(kubeconfig, renderKubeconfig({ server: proxy.url, ca, tokens, currentUser: 'operator' }));
  return { proxy, kubeconfig, close: () => proxy.stop() };
}

/** Makes a namespace of a name that stands nowhere else. */
export async function makeNamespace({ client }: Cluster, name: string): Promise<string> {
  succeeded(await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
  return name;
}

/** What a process holds after a garbage collection. */
export interface Held {
  readonly heap: number;
  readonly timers: number;
  /** Of abort signals. */
  readonly listeners: number;
  readonly sockets: number;
}

/** An operator that is a process of its own. */
export interface OperatorProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  readonly log: readonly string[];
  /** Resolves when it has logged a message. */
  readonly says: (message: string) => Promise<void>;
  readonly measure: () => Promise<Held>;
}

/** Starts operators from one bundle, which starts in a fraction of the time of its sources. */
export class Launcher {
  readonly #folder: string;
  readonly #bundle: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#bundle = join(folder, 'operator.mjs');
  }

  /** Makes the bundle. */
  static async prepare(): Promise<Launcher> {
    const launcher = new Launcher(await mkdtemp(join(tmpdir(), 'dynamo-cdk8s-launcher-')));
    const require = "import { createRequire as __r } from 'node:module'; const require = __r(import.meta.url);";
    await build({
      entryPoints: [join(import.meta.dirname, 'operator-under-test.ts')],
      outfile: launcher.#bundle,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      banner: { js: require },
      define: { __VERSION__: '"test"' },
      logLevel: 'error',
    });
    return launcher;
  }

  /** Starts an operator. */
  start(kubeconfig: string, flags: readonly string[] = [], env: Readonly<Record<string, string>> = {}): OperatorProcess {
    const args = [
      '--expose-gc',
      this.#bundle,
      `--kubeconfig=${kubeconfig}`,
      '--metrics-bind-address=0',
      '--health-probe-bind-address=0',
      ...operatorFlags,
      ...flags,
    ];
    const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    const log: string[] = [];
    const waiting = new Set<() => void>();
    createInterface(child.stderr).on('line', (line) => {
      log.push(line);
      for (const check of waiting) check();
    });
    const says = (message: string): Promise<void> =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!log.some((line) => line.includes(`"msg":"${message}"`))) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      });
    const measure = async (): Promise<Held> => {
      const answered = once(child.stdout, 'data');
      child.kill('SIGUSR2');
      const [line] = await answered;
      return { ...JSON.parse(String(line)), sockets: socketsOf(child.pid ?? 0) };
    };
    return { child, ended: once(child, 'exit').then(([code]) => code), log, says, measure };
  }

  /** Removes the bundle. */
  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true });
  }
}

function socketsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Accepted creations of one name that came twice without a deletion in between; events have names of their own. */
export function createdTwice(calls: readonly AuditEvent[]): readonly string[] {
  const there = new Set<string>();
  return calls.flatMap(({ verb, objectRef, requestObject, responseStatus }) => {
    const { resource = '', namespace = '', name } = objectRef ?? {};
    const isDone = (responseStatus?.code ?? 500) < 300;
    if (!isDone || resource === 'events' || objectRef?.subresource !== undefined) return [];
    const id = `${resource} ${namespace}/${name ?? nameIn(requestObject)}`;
    if (verb === 'delete') there.delete(id);
    if (verb !== 'create') return [];
    if (there.has(id)) return [id];
    there.add(id);
    return [];
  });
}

function nameIn(object: unknown): string {
  const metadata = typeof object === 'object' && object !== null && 'metadata' in object ? object.metadata : undefined;
  return typeof metadata === 'object' && metadata !== null && 'name' in metadata ? String(metadata.name) : '';
}
