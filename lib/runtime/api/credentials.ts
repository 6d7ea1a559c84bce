/** Credentials and trusted authorities for the API server, read again when files change and credentials expire. */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Clock } from '../clock.ts';
import type { ClusterConfig, Impersonation, CredentialSource } from './cluster-config.ts';
import { ConfigError } from './errors.ts';
import { runExecPlugin, type ExecCredential } from './exec-plugin.ts';
import type { EnvironmentVariables } from './proxy.ts';

/** Certificates of a connection; the same object for as long as nothing changed. */
export interface TlsMaterial {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** Headers for requests, and certificates for connections. */
export interface CurrentCredentials {
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly tls: TlsMaterial;
}

/** Milliseconds before files are read again. The kubelet replaces a token long before it expires. */
const rereadMs = 10_000;

/** The credentials of one configuration. */
export class Credentials {
  readonly #config: ClusterConfig;
  readonly #clock: Clock;
  readonly #env: EnvironmentVariables;
  readonly #read = new Map<string, string>();
  #current: CurrentCredentials | undefined;
  #tls: TlsMaterial = {};
  #readAt = 0;
  #refreshing: Promise<CurrentCredentials> | undefined;
  #exec: ExecCredential | undefined;

  constructor(config: ClusterConfig, clock: Clock, env: EnvironmentVariables) {
    this.#config = config;
    this.#clock = clock;
    this.#env = env;
  }

  /**
   * Reads files and certificates once; throws errors that a retry cannot resolve. An exec plugin is not run, since what it needs may not be available
   * yet.
   */
  async check(): Promise<void> {
    const { ca: authority, certificate, key: privateKey, token } = this.#config;
    const [ca, cert, key] = await Promise.all([authority, certificate, privateKey, token].map((source) => this.#textOf(source)));
    if ((cert === undefined) !== (key === undefined))
      throw new ConfigError('a client certificate and its key must be given together in the kubeconfig');
    try {
      if (ca !== undefined) new X509Certificate(ca);
      if (cert !== undefined && key !== undefined) createSecureContext({ cert, key });
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new ConfigError(`the certificates of the cluster configuration cannot be used: ${why}`, { cause });
    }
  }

  /** The current credentials; returned without waiting while nothing must be read. */
  current(): CurrentCredentials | Promise<CurrentCredentials> {
    const isFresh = this.#clock.now() - this.#readAt < rereadMs && !this.#execExpired();
    if (this.#current !== undefined && isFresh) return this.#current;
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** Drops credentials that the API server did not accept; returns whether reading them again could help. */
  reject(used: CurrentCredentials): boolean {
    const { token, ca, certificate, exec } = this.#config;
    const isRenewable = exec !== undefined || [token, ca, certificate].some((source) => source !== undefined && 'file' in source);
    // Another request may have noticed already.
    if (isRenewable && this.#current === used) {
      this.#current = undefined;
      this.#exec = undefined;
    }
    return isRenewable;
  }

  async #refresh(): Promise<CurrentCredentials> {
    const { basic, impersonate, exec } = this.#config;
    const ca = await this.#textOf(this.#config.ca);
    let cert = await this.#textOf(this.#config.certificate);
    let key = await this.#textOf(this.#config.key);
    let token = (await this.#textOf(this.#config.token))?.trim();
    if (exec !== undefined) {
      if (this.#exec === undefined || this.#execExpired()) this.#exec = await runExecPlugin(exec, this.#config, ca, this.#env);
      token = this.#exec.token ?? token;
      cert = this.#exec.certificate ?? cert;
      key = this.#exec.key ?? key;
    }
    const authorization =
      token === undefined
        ? basic && `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}`
        : `Bearer ${token}`;
    const tls: TlsMaterial = {
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
    };
    if (!sameTls(this.#tls, tls)) this.#tls = tls;
    this.#readAt = this.#clock.now();
    this.#current = {
      headers: { ...(authorization === undefined ? {} : { authorization }), ...impersonationHeaders(impersonate) },
      tls: this.#tls,
    };
    return this.#current;
  }

  #execExpired(): boolean {
    const expires = this.#exec?.expires;
    return expires !== undefined && this.#clock.date().getTime() >= expires;
  }

  // A file may be missing for a moment while it is replaced: its last content is used.
  async #textOf(source: CredentialSource | undefined): Promise<string | undefined> {
    if (source === undefined) return undefined;
    if ('data' in source) return source.data;
    try {
      const text = await readFile(source.file, 'utf8');
      this.#read.set(source.file, text);
      return text;
    } catch (cause) {
      const last = this.#read.get(source.file);
      if (last !== undefined) return last;
      throw new ConfigError(`${source.file}: cannot be read`, { cause });
    }
  }
}

function impersonationHeaders(impersonate: Impersonation | undefined): Readonly<Record<string, string | string[]>> {
  if (impersonate === undefined) return {};
  const { user, uid, groups, extra } = impersonate;
  return {
    'impersonate-user': user,
    ...(uid === undefined ? {} : { 'impersonate-uid': uid }),
    ...(groups.length === 0 ? {} : { 'impersonate-group': [...groups] }),
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [`impersonate-extra-${encodeURIComponent(key)}`, [...values]]),
    ),
  };
}

/** Secrets in the headers, which must not be repeated anywhere. */
export function secretsOf({ headers }: CurrentCredentials): readonly string[] {
  const { authorization } = headers;
  return typeof authorization === 'string' ? [authorization.slice(authorization.indexOf(' ') + 1)] : [];
}

function sameTls(a: TlsMaterial, b: TlsMaterial): boolean {
  return a.ca === b.ca && a.cert === b.cert && a.key === b.key;
}
