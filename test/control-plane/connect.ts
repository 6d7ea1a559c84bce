/** A running control plane as tests use it: clients, kubectl, the audit log. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { findTool } from '../../tools/find.ts';
import { AuditLog } from './audit-log.ts';
import { Client, type KubernetesObject, succeeded } from './client.ts';
import type { ConnectedUser, ControlPlaneConnection } from './connection.ts';
import { renderKubeconfig } from './kubeconfig.ts';
import { lazyCollection } from './processes.ts';

/** How to run kubectl. */
export interface KubectlOptions {
  /**
   * Short name of the user.
   * @default admin
   */
  readonly user?: string;
  /**
   * What kubectl reads on standard input.
   * @default - nothing
   */
  readonly input?: string;
}

/** What a command said. */
export interface CommandResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running control plane, for tests. */
export class Cluster {
  /** How to reach it. */
  readonly connection: ControlPlaneConnection;
  /** Client of the administrator. */
  readonly client: Client;
  /** What users asked of the API server. */
  readonly audit: AuditLog;
  readonly #clients = new Map<string, Client>();

  constructor(connection: ControlPlaneConnection) {
    this.connection = connection;
    this.client = this.as('admin');
    this.audit = new AuditLog(connection.auditLog);
  }

  /** A user known from the start, by short name, see `users.ts`. */
  user(name: string): ConnectedUser {
    const user = this.connection.users[name];
    if (user === undefined) {
      throw new Error(`no user ${name}; there are ${Object.keys(this.connection.users).join(', ')}`);
    }
    return user;
  }

  /** Client of a user; one per user, however often it is asked for. */
  as(user: string | ConnectedUser): Client {
    const { username, token } = typeof user === 'string' ? this.user(user) : user;
    const known = this.#clients.get(username);
    if (known !== undefined) return known;
    const { server, ca } = this.connection;
    const client = new Client({ server, ca, token });
    this.#clients.set(username, client);
    return client;
  }

  /** Creates a service account and a token for it: a user of a test's own, with the rights the test grants. */
  async serviceAccount(namespace: string, name: string): Promise<ConnectedUser> {
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name } };
    succeeded(await this.client.apply(account));
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 24 * 3600 } };
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
    const answer = await this.client.request<KubernetesObject & { readonly status: { readonly token: string } }>('POST', path, {
      body: request,
    });
    const { token } = succeeded(answer).status;
    const { server, ca, folder } = this.connection;
    const kubeconfig = join(await mkdtemp(join(folder, 'service-account-')), 'kubeconfig');
    await writeFile(kubeconfig, renderKubeconfig({ server, ca, tokens: { [name]: token }, currentUser: name }));
    return { username: `system:serviceaccount:${namespace}:${name}`, token, kubeconfig };
  }

  /** Runs kubectl, of the version of the API server. */
  async kubectl(args: readonly string[], { user = 'admin', input = '' }: KubectlOptions = {}): Promise<CommandResult> {
    const child = spawn(await findTool('kubectl'), args, {
      env: {
        PATH: process.env.PATH,
        ...lazyCollection,
        HOME: this.connection.folder,
        KUBECONFIG: this.user(user).kubeconfig,
        KUBECACHEDIR: join(this.connection.folder, 'kubectl-cache'),
      },
    });
    child.stdin.end(input);
    const closed = once(child, 'close');
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [exitCode] = (await closed) as [number | null];
    return { exitCode, stdout, stderr };
  }

  /** Ends all connections of its clients. */
  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
  }
}
