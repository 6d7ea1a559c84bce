/** Credentials from a program of the user's, by the protocol of `client.authentication.k8s.io`. */
import { execFile } from 'node:child_process';
import { findString, isObject, stringAt, type JsonObject } from '../../json/index.ts';
import type { ClusterConfig, ExecPlugin } from './cluster-config.ts';
import { ConfigError } from './errors.ts';
import type { EnvironmentVariables } from './proxy.ts';

/** Credentials that a plugin printed. */
export interface ExecCredential {
  readonly token?: string;
  readonly certificate?: string;
  readonly key?: string;
  /** Milliseconds since the epoch. */
  readonly expires?: number;
}

const timeoutMs = 60_000;

/** Runs the plugin of a configuration. Its standard error goes to ours, as with kubectl. */
export async function runExecPlugin(
  plugin: ExecPlugin,
  config: ClusterConfig,
  ca: string | undefined,
  env: EnvironmentVariables,
): Promise<ExecCredential> {
  const info = {
    apiVersion: plugin.apiVersion,
    kind: 'ExecCredential',
    spec: { interactive: false, ...clusterInfo(plugin, config, ca) },
  };
  const stdout = await run(plugin, { ...env, ...plugin.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) });
  return parseExecCredential(stdout, plugin);
}

/** Reads what a plugin printed; no message repeats any of it. */
function parseExecCredential(stdout: string, { apiVersion, command }: ExecPlugin): ExecCredential {
  const answer = parseObject(stdout);
  if (answer === undefined) throw new ConfigError(`exec plugin ${command}: printed no JSON object on standard output`);
  if (answer['kind'] !== 'ExecCredential' || answer['apiVersion'] !== apiVersion) {
    throw new ConfigError(`exec plugin ${command}: must print an ExecCredential of ${apiVersion}`);
  }
  const status = isObject(answer['status']) ? answer['status'] : {};
  const token = findString(status, 'token') || undefined;
  const certificate = findString(status, 'clientCertificateData') || undefined;
  const key = findString(status, 'clientKeyData') || undefined;
  if ((certificate === undefined) !== (key === undefined)) {
    throw new ConfigError(`exec plugin ${command}: clientCertificateData and clientKeyData must be given together`);
  }
  if (token === undefined && certificate === undefined)
    throw new ConfigError(`exec plugin ${command}: gave neither token nor certificate`);
  const expires = Date.parse(stringAt(status, 'expirationTimestamp'));
  return {
    ...(token === undefined ? {} : { token }),
    ...(certificate === undefined || key === undefined ? {} : { certificate, key }),
    ...(Number.isNaN(expires) ? {} : { expires }),
  };
}

function clusterInfo(plugin: ExecPlugin, config: ClusterConfig, ca: string | undefined): JsonObject {
  if (!plugin.provideClusterInfo) return {};
  return {
    cluster: {
      server: config.server,
      ...(config.tlsServerName === undefined ? {} : { 'tls-server-name': config.tlsServerName }),
      ...(config.insecureSkipTlsVerify ? { 'insecure-skip-tls-verify': true } : {}),
      ...(ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
      ...(config.proxyUrl === undefined ? {} : { 'proxy-url': config.proxyUrl }),
    },
  };
}

function run({ command, args, installHint }: ExecPlugin, env: EnvironmentVariables): Promise<string> {
  return new Promise((done, fail) => {
    const child = execFile(
      command,
      args,
      { env, timeout: timeoutMs, maxBuffer: 1 << 20, killSignal: 'SIGKILL' },
      (error, stdout) => {
        if (error === null) done(stdout);
        else fail(new ConfigError(`exec plugin ${command}: ${explain(error, installHint)}`));
      },
    );
    child.stdin?.end();
    child.stderr?.pipe(process.stderr, { end: false });
  });
}

// The message of execFile repeats the arguments and the plugin's output, which may hold secrets.
function explain(error: Error & { readonly code?: unknown; readonly killed?: boolean }, hint: string | undefined): string {
  if (error.code === 'ENOENT') return `is not installed${hint === undefined ? '' : `; ${hint}`}`;
  if (error.killed === true) return `did not end within ${timeoutMs / 1000} s`;
  return typeof error.code === 'number' ? `ended with exit code ${error.code}` : `failed (${String(error.code)})`;
}

function parseObject(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
