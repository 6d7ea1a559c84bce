/** Kubeconfig files to one cluster's configuration, by the rules of kubectl. Pure: the contents of files come in. */
import { findString, isObject, listAt, type JsonObject } from '../../json/index.ts';
import { readManifests } from '../../manifest/index.ts';
import type { ClusterConfig, ExecPlugin, Impersonation, CredentialSource } from './cluster-config.ts';
import { ConfigError } from './errors.ts';

/** Path and content of a kubeconfig file. */
export interface KubeconfigFile {
  readonly path: string;
  readonly text: string;
  /** Makes a path absolute that is relative to the file. */
  readonly resolve: (path: string) => string;
}

interface Entry {
  readonly file: KubeconfigFile;
  readonly value: JsonObject;
}

/** The configuration of a context, by default the current one. If several files define the same entry, the first file takes precedence. */
export function parseKubeconfig(files: readonly KubeconfigFile[], context?: string): ClusterConfig {
  const documents = files.flatMap((file) => readDocument(file));
  const name = context ?? documents.map(({ value }) => string(value, 'current-context')).find((found) => found !== undefined);
  if (name === undefined) throw new ConfigError(`${listPaths(files)}: no current-context; run "kubectl config use-context NAME"`);
  const chosen = named(documents, 'contexts', 'context', name, files).value;
  const clusterName = string(chosen, 'cluster') ?? '';
  const userName = string(chosen, 'user');
  const cluster = named(documents, 'clusters', 'cluster', clusterName, files);
  const user = userName === undefined ? undefined : named(documents, 'users', 'user', userName, files);
  return {
    ...clusterFields(cluster, clusterName),
    ...(user === undefined ? {} : userFields(user, userName ?? '')),
    namespace: string(chosen, 'namespace') ?? 'default',
  };
}

function clusterFields({ file, value }: Entry, name: string): Omit<ClusterConfig, 'namespace'> {
  const server = string(value, 'server');
  if (server === undefined) throw new ConfigError(`${file.path}: clusters[${name}].cluster.server: is required`);
  const ca = source(file, value, 'certificate-authority', base64);
  const insecureSkipTlsVerify = value['insecure-skip-tls-verify'] === true;
  if (insecureSkipTlsVerify && ca !== undefined) {
    throw new ConfigError(
      `${file.path}: clusters[${name}].cluster: insecure-skip-tls-verify cannot go with a certificate-authority; remove one`,
    );
  }
  const tlsServerName = string(value, 'tls-server-name');
  const proxyUrl = string(value, 'proxy-url');
  return {
    server,
    insecureSkipTlsVerify,
    ...(ca === undefined ? {} : { ca }),
    ...(tlsServerName === undefined ? {} : { tlsServerName }),
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
  };
}

function userFields({ file, value }: Entry, name: string): Partial<ClusterConfig> {
  if (isObject(value['auth-provider'])) {
    throw new ConfigError(`${file.path}: users[${name}].user.auth-provider: is no longer supported; use an exec plugin`);
  }
  const certificate = source(file, value, 'client-certificate', base64);
  const key = source(file, value, 'client-key', base64);
  const tokenFile = string(value, 'tokenFile');
  const token = string(value, 'token');
  const username = string(value, 'username');
  const { exec } = value;
  const impersonate = impersonation(value);
  return {
    ...(certificate === undefined ? {} : { certificate }),
    ...(key === undefined ? {} : { key }),
    ...(tokenFile === undefined ? {} : { token: { file: file.resolve(tokenFile) } }),
    ...(tokenFile === undefined && token !== undefined ? { token: { data: token } } : {}),
    ...(username === undefined ? {} : { basic: { username, password: string(value, 'password') ?? '' } }),
    ...(isObject(exec) ? { exec: execPlugin(file, exec, name) } : {}),
    ...(impersonate === undefined ? {} : { impersonate }),
  };
}

function execPlugin(file: KubeconfigFile, exec: JsonObject, name: string): ExecPlugin {
  const at = `${file.path}: users[${name}].user.exec`;
  const command = string(exec, 'command');
  if (command === undefined) throw new ConfigError(`${at}.command: is required`);
  const apiVersion = string(exec, 'apiVersion') ?? '';
  if (!['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'].includes(apiVersion)) {
    throw new ConfigError(
      `${at}.apiVersion: must be client.authentication.k8s.io/v1 or v1beta1, got ${JSON.stringify(apiVersion)}; update the plugin`,
    );
  }
  if (string(exec, 'interactiveMode') === 'Always') {
    throw new ConfigError(`${at}.interactiveMode: Always needs a terminal, which an operator has not; use Never or IfAvailable`);
  }
  const hint = string(exec, 'installHint');
  return {
    apiVersion,
    // As in a shell, a bare word is looked for in PATH.
    command: command.includes('/') ? file.resolve(command) : command,
    args: listAt(exec, 'args').filter((arg) => typeof arg === 'string'),
    env: Object.fromEntries(
      listAt(exec, 'env').flatMap((entry) =>
        isObject(entry) ? [[string(entry, 'name') ?? '', string(entry, 'value') ?? '']] : [],
      ),
    ),
    provideClusterInfo: exec['provideClusterInfo'] === true,
    ...(hint === undefined ? {} : { installHint: hint }),
  };
}

function impersonation(user: JsonObject): Impersonation | undefined {
  const name = string(user, 'as');
  if (name === undefined) return undefined;
  const uid = string(user, 'as-uid');
  const extra = isObject(user['as-user-extra']) ? user['as-user-extra'] : {};
  return {
    user: name,
    ...(uid === undefined ? {} : { uid }),
    groups: listAt(user, 'as-groups').filter((group) => typeof group === 'string'),
    extra: Object.fromEntries(Object.keys(extra).map((key) => [key, listAt(extra, key).map(String)])),
  };
}

function source(
  file: KubeconfigFile,
  value: JsonObject,
  key: string,
  decode: (text: string) => string,
): CredentialSource | undefined {
  const data = string(value, `${key}-data`);
  if (data !== undefined) return { data: decode(data) };
  const path = string(value, key);
  return path === undefined ? undefined : { file: file.resolve(path) };
}

function named(
  documents: readonly Entry[],
  section: string,
  member: string,
  name: string,
  files: readonly KubeconfigFile[],
): Entry {
  for (const { file, value } of documents) {
    for (const entry of listAt(value, section)) {
      if (!isObject(entry) || entry['name'] !== name) continue;
      const found = entry[member];
      return { file, value: isObject(found) ? found : {} };
    }
  }
  throw new ConfigError(`${listPaths(files)}: ${member} ${JSON.stringify(name)} does not exist in ${section}`);
}

function readDocument(file: KubeconfigFile): readonly Entry[] {
  const { documents, issues } = readManifests(file.text, file.path);
  const broken = issues.find(({ severity }) => severity === 'error');
  // The message of the reader may quote the line, and the line may hold a token.
  if (broken !== undefined)
    throw new ConfigError(`${file.path}:${broken.line}:${broken.column}: not a readable kubeconfig (${broken.code})`);
  return documents.flatMap(({ value }) => (isObject(value) ? [{ file, value }] : []));
}

/** An empty string counts as missing. */
function string(value: JsonObject, key: string): string | undefined {
  return findString(value, key) || undefined;
}

function base64(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8');
}

function listPaths(files: readonly KubeconfigFile[]): string {
  return files.map(({ path }) => path).join(', ');
}
