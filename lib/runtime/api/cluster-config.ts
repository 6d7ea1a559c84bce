/** Address of the API server and credentials for it, found as controller-runtime does. */
import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { delimiter, dirname, join, resolve } from 'node:path';
import { ConfigError } from './errors.ts';
import { parseKubeconfig, type KubeconfigFile } from './kubeconfig.ts';
import type { EnvironmentVariables } from './proxy.ts';

/** Inline data, or a file that is read again when it changes. */
export type CredentialSource = { readonly data: string } | { readonly file: string };

/** A program that prints credentials. */
export interface ExecPlugin {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly provideClusterInfo: boolean;
  readonly installHint?: string;
}

/** The user to impersonate. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** One API server and one user of it. */
export interface ClusterConfig {
  /** URL, with a path where the API server is behind one. */
  readonly server: string;
  readonly insecureSkipTlsVerify: boolean;
  /** Name in the server's certificate, where it is not the host's. */
  readonly tlsServerName?: string;
  /** Proxy on the way; it replaces the proxy variables. */
  readonly proxyUrl?: string;
  readonly ca?: CredentialSource;
  readonly certificate?: CredentialSource;
  readonly key?: CredentialSource;
  readonly token?: CredentialSource;
  readonly basic?: { readonly username: string; readonly password: string };
  readonly exec?: ExecPlugin;
  readonly impersonate?: Impersonation;
  /** Namespace of the context, or of our pod. */
  readonly namespace: string;
}

/** Settings that select the cluster. */
interface ClusterConfigOptions {
  /** Value of `--kubeconfig`. */
  readonly kubeconfig?: string;
  /** Context to use; the current one when left out. */
  readonly context?: string;
  readonly env: EnvironmentVariables;
  /**
   * Folder of the pod's service account.
   * @default /var/run/secrets/kubernetes.io/serviceaccount
   */
  readonly serviceAccount?: string;
}

/** Finds the cluster: the flag, `KUBECONFIG`, our own pod's service account, `~/.kube/config`. */
export async function loadClusterConfig(options: ClusterConfigOptions): Promise<ClusterConfig> {
  const { kubeconfig = '', context, env, serviceAccount = '/var/run/secrets/kubernetes.io/serviceaccount' } = options;
  if (kubeconfig !== '') return parseKubeconfig([await readKubeconfig(kubeconfig)], context);
  const variable = env['KUBECONFIG'] ?? '';
  if (variable !== '') {
    const paths = variable.split(delimiter).filter((path) => path !== '');
    const files = (await Promise.all(paths.map(readIfThere))).flatMap((file) => (file === undefined ? [] : [file]));
    if (files.length === 0) throw new ConfigError(`KUBECONFIG names no file that exists: ${variable}`);
    return parseKubeconfig(files, context);
  }
  const host = env['KUBERNETES_SERVICE_HOST'] ?? '';
  const port = env['KUBERNETES_SERVICE_PORT'] ?? '';
  const isPod = host !== '' && port !== '' && context === undefined;
  const home = env['HOME'] ?? '';
  const file = home === '' ? undefined : await readIfThere(join(home, '.kube', 'config'));
  // Without a token the kubeconfig of the home folder is tried; if there is none either, the error names the token.
  if (isPod && (file === undefined || (await hasToken(serviceAccount)))) return inCluster(host, port, serviceAccount);
  if (file !== undefined) return parseKubeconfig([file], context);
  throw new ConfigError(
    'no cluster configuration found; pass --kubeconfig, set KUBECONFIG, or run inside a pod with a service account',
  );
}

async function hasToken(folder: string): Promise<boolean> {
  return readFile(join(folder, 'token')).then(
    () => true,
    () => false,
  );
}

async function inCluster(host: string, port: string, folder: string): Promise<ClusterConfig> {
  const token = join(folder, 'token');
  try {
    await readFile(token);
  } catch (cause) {
    throw new ConfigError(`${token}: cannot be read; does the pod set automountServiceAccountToken: false?`, { cause });
  }
  const namespace = await readFile(join(folder, 'namespace'), 'utf8').catch(() => 'default');
  return {
    server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    insecureSkipTlsVerify: false,
    ca: { file: join(folder, 'ca.crt') },
    token: { file: token },
    namespace: namespace.trim(),
  };
}

async function readKubeconfig(path: string): Promise<KubeconfigFile> {
  const file = await readIfThere(path);
  if (file === undefined) throw new ConfigError(`${path}: no such file`);
  return file;
}

async function readIfThere(path: string): Promise<KubeconfigFile | undefined> {
  try {
    const text = await readFile(path, 'utf8');
    return { path, text, resolve: (relative) => resolve(dirname(path), relative) };
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw new ConfigError(`${path}: cannot be read`, { cause });
  }
}
