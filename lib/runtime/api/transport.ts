/**
 * HTTP to one API server: one pool of kept-alive HTTP/1.1 connections for calls, a few for urgent ones and one for each watch, credentials that are
 * read again, a time limit on everything, retries where the server asks for them, refusals as typed errors. It knows nothing of kinds.
 */
import { Client, type Dispatcher, Pool } from 'undici';
import type { Json } from '../../json/index.ts';
import { type Clock, sleep, systemClock } from '../clock.ts';
import { type MetricSink, noMetrics } from '../metric-sink.ts';
import type { ClusterConfig } from './cluster-config.ts';
import { createConnector } from './connector.ts';
import { Credentials, type CurrentCredentials, secretsOf, type TlsMaterial } from './credentials.ts';
import { ConfigError, ConnectionError, isUnauthorized } from './errors.ts';
import { type Exchange, type ResponseHead, type RunningExchange, startExchange } from './exchange.ts';
import { type EnvironmentVariables, proxyFromEnvironment } from './proxy.ts';
import { retryDelay } from './retry.ts';
import { errorOfAnswer, warningsOf } from './status.ts';
import { Turns } from './turns.ts';

/** HTTP methods of the Kubernetes API. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A request; the path is below the server's URL. */
export interface ApiRequest {
  readonly method: Method;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Json;
  /** @default application/json */
  readonly contentType?: string;
  /** @default application/json */
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Milliseconds for each try.
   * @default 30000
   */
  readonly timeoutMs?: number;
  /** Called before each attempt is sent; if it throws, nothing is sent and the caller gets that error. */
  readonly beforeSend?: () => void;
  /**
   * Whether to wait and try again where the server asks for that.
   * @default true
   */
  readonly retry?: boolean;
  /**
   * Whether other requests go first while no connection is free.
   * @default false
   */
  readonly yields?: boolean;
  /**
   * Whether it has connections that other requests do not use, and so never waits for them.
   * @default false
   */
  readonly urgent?: boolean;
}

/** A good answer. */
export interface ApiResponse extends ResponseHead {
  /** Parsed JSON; the text where it is none. */
  readonly body: unknown;
}

/** Dependencies and settings of a transport. */
export interface TransportOptions {
  /** @default - the machine's clock */
  readonly clock?: Clock;
  /**
   * Numbers from 0 to 1.
   * @default - Math.random
   */
  readonly random?: () => number;
  /** @default - none */
  readonly metrics?: MetricSink;
  /**
   * Environment variables: the proxy settings, and what exec plugins inherit.
   * @default - empty
   */
  readonly env?: EnvironmentVariables;
  /**
   * Connections for calls.
   * @default 16
   */
  readonly connections?: number;
  /** The API server takes the field manager of writes from its first word. */
  readonly userAgent: string;
  /** Told what the API server warns of. */
  readonly onWarning?: (message: string) => void;
}

const defaultTimeoutMs = 30_000;
const connectTimeoutMs = 10_000;
const defaultConnections = 16;
/** Connections of urgent requests: one for each Lease that a replica may hold. */
const urgentConnections = 2;

/** A connection to one API server. */
export class Transport {
  /** Host and port of the API server. */
  readonly host: string;
  /** The clock of the options, else the machine's clock. */
  readonly clock: Clock;
  /** Random numbers from 0 to 1, to spread requests that would otherwise be sent at the same time. */
  readonly random: () => number;
  readonly #config: ClusterConfig;
  readonly #origin: string;
  readonly #prefix: string;
  readonly #credentials: Credentials;
  readonly #options: TransportOptions;
  readonly #metrics: MetricSink;
  readonly #proxy: string | undefined;
  #pools: { readonly tls: TlsMaterial; readonly usual: Pool; readonly urgent: Pool } | undefined;
  readonly #streams = new Set<Client>();
  readonly #turns: Turns;

  constructor(config: ClusterConfig, options: TransportOptions) {
    const { clock = systemClock, random = Math.random, metrics = noMetrics, env = {} } = options;
    if (!URL.canParse(config.server) || !/^https?:$/.test(new URL(config.server).protocol))
      throw new ConfigError(
        `the server of the cluster must be an http or https URL, got ${JSON.stringify(withoutUser(config.server))}`,
      );
    const url = new URL(config.server);
    this.host = url.host;
    this.clock = clock;
    this.random = random;
    this.#config = config;
    this.#origin = url.origin;
    this.#prefix = url.pathname.replace(/\/$/, '');
    this.#credentials = new Credentials(config, clock, env);
    this.#options = options;
    this.#turns = new Turns(options.connections ?? defaultConnections);
    this.#metrics = metrics;
    this.#proxy = config.proxyUrl ?? proxyFromEnvironment(url, env);
    // A proxy setting that cannot be used is an error now, not at the first request.
    createConnector(this.#connectorOptions({}));
  }

  /** Throws where the configuration's files and certificates cannot be used. */
  async check(): Promise<void> {
    await this.#credentials.check();
  }

  /** Sends a request and returns the good answer; throws `ApiError`, `ConnectionError`, or the reason of the signal. */
  async request(request: ApiRequest, signal?: AbortSignal): Promise<ApiResponse> {
    let renewed = false;
    for (let tries = 1; ; tries += 1) {
      const credentials = await this.#credentials.current();
      try {
        const send = (): Promise<ApiResponse> => this.#try(request, credentials, signal);
        return await (request.urgent === true ? send() : this.#turns.take(request.yields === true, send, signal));
      } catch (error) {
        if (!renewed && isRejection(error) && this.#credentials.reject(credentials)) {
          renewed = true;
          continue;
        }
        const delay = request.retry === false ? undefined : retryDelay(error, request.method, tries, this.random);
        if (delay === undefined) throw error;
        await sleep(this.clock, delay, signal);
      }
    }
  }

  /** Opens a stream on its own connection; resolves when the server has accepted it. It ends by itself, by `abort`, or by the signal. */
  async stream(request: ApiRequest, onChunk: (chunk: Buffer) => void, signal?: AbortSignal): Promise<RunningExchange> {
    const credentials = await this.#credentials.current();
    const client = new Client(this.#origin, { connect: createConnector(this.#connectorOptions(credentials.tls)), pipelining: 1 });
    this.#streams.add(client);
    const refusal: Buffer[] = [];
    let refused: ResponseHead | undefined;
    return new Promise((resolve, reject) => {
      const running = startExchange(client, this.#exchange(request, credentials, signal), this.clock, {
        onHead: (head) => {
          this.#count(request, String(head.status));
          if (head.status >= 300) {
            refused = head;
            return 'limit';
          }
          resolve({ ended, abort: running.abort });
          return 'no limit';
        },
        onChunk: (chunk) => {
          if (refused === undefined) onChunk(chunk);
          else refusal.push(chunk);
        },
      });
      const settle = async (): Promise<void> => {
        try {
          await running.ended;
          if (refused !== undefined)
            throw errorOfAnswer(
              refused.status,
              refused.headers,
              parseBody(refused, refusal),
              labelOf(request),
              secretsOf(credentials),
            );
        } catch (error) {
          if (isRejection(error)) this.#credentials.reject(credentials);
          throw error;
        } finally {
          this.#streams.delete(client);
          await client.destroy();
        }
      };
      const ended = settle();
      ended.catch(reject);
    });
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    const pools = this.#pools;
    this.#pools = undefined;
    await Promise.all([pools?.usual.destroy(), pools?.urgent.destroy(), ...[...this.#streams].map((client) => client.destroy())]);
  }

  async #try(request: ApiRequest, credentials: CurrentCredentials, signal: AbortSignal | undefined): Promise<ApiResponse> {
    const chunks: Buffer[] = [];
    let head: ResponseHead | undefined;
    try {
      const dispatcher = this.#dispatcher(credentials.tls, request.urgent === true ? 'urgent' : 'usual');
      await startExchange(dispatcher, this.#exchange(request, credentials, signal), this.clock, {
        onHead: (found) => {
          head = found;
          return 'limit';
        },
        onChunk: (chunk) => chunks.push(chunk),
      }).ended;
    } catch (error) {
      if (error instanceof ConnectionError) this.#count(request, '<error>');
      throw error;
    }
    if (head === undefined) throw new ConnectionError('cut_off', `${labelOf(request)}: no answer`);
    const { status, headers } = head;
    this.#count(request, String(status));
    for (const warning of warningsOf(headers)) this.#options.onWarning?.(warning);
    const body = parseBody(head, chunks);
    // 304 answers a conditional read. The API server sends no redirects, so another server did.
    if (status >= 300 && status !== 304) throw errorOfAnswer(status, headers, body, labelOf(request), secretsOf(credentials));
    return { status, headers, body };
  }

  #exchange(request: ApiRequest, credentials: CurrentCredentials, signal: AbortSignal | undefined): Exchange {
    const { method, path, query, body, contentType = 'application/json', accept = 'application/json' } = request;
    return {
      method,
      path: `${this.#prefix}${path}${queryString(query)}`,
      headers: {
        ...credentials.headers,
        accept,
        'user-agent': this.#options.userAgent,
        ...(body === undefined ? {} : { 'content-type': contentType }),
        ...request.headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      beforeSend: request.beforeSend,
      timeoutMs: request.timeoutMs ?? defaultTimeoutMs,
      signal,
    };
  }

  // New certificates need new connections; the old connections finish their requests.
  #dispatcher(tls: TlsMaterial, pool: 'usual' | 'urgent'): Dispatcher {
    if (this.#pools?.tls !== tls) {
      void this.#pools?.usual.close();
      void this.#pools?.urgent.close();
      const { connections = defaultConnections } = this.#options;
      this.#pools = { tls, usual: this.#newPool(tls, connections), urgent: this.#newPool(tls, urgentConnections) };
    }
    return this.#pools[pool];
  }

  #newPool(tls: TlsMaterial, connections: number): Pool {
    const connect = createConnector(this.#connectorOptions(tls));
    return new Pool(this.#origin, { connections, pipelining: 1, keepAliveTimeout: 30_000, connect });
  }

  #connectorOptions(tls: TlsMaterial): Parameters<typeof createConnector>[0] {
    const { tlsServerName, insecureSkipTlsVerify } = this.#config;
    return { tls, serverName: tlsServerName, insecureSkipTlsVerify, proxy: this.#proxy, timeoutMs: connectTimeoutMs };
  }

  #count({ method }: ApiRequest, code: string): void {
    this.#metrics.count('rest_client_requests_total', { code, host: this.host, method });
  }
}

function parseBody({ status, headers }: ResponseHead, chunks: readonly Buffer[]): unknown {
  const text = (chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)).toString('utf8');
  if (!String(headers['content-type']).startsWith('application/json')) return text;
  try {
    return JSON.parse(text);
  } catch (cause) {
    // The status says all that a refusal has to say, and 304 has no body.
    if (status >= 300) return text;
    throw new ConnectionError('cut_off', `the answer says it is JSON and is not (${text.length} characters)`, { cause });
  }
}

function queryString(query: Readonly<Record<string, string>> | undefined): string {
  if (query === undefined) return '';
  const pairs = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** An address without the name and the password that some write into it. */
function withoutUser(address: string): string {
  const [start, end] = [address.indexOf('//') + 2, address.lastIndexOf('@') + 1];
  return start < 2 || end <= start ? address : address.slice(0, start) + address.slice(end);
}

function labelOf({ method, path }: ApiRequest): string {
  return `${method} ${path}`;
}

// The server rejects our credentials, or we do not trust its certificate: the files may have been renewed since they were read.
function isRejection(error: unknown): boolean {
  if (isUnauthorized(error)) return true;
  const cause: unknown = error instanceof ConnectionError && error.code === 'unreachable' ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return /^(CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|ERR_TLS|ERR_SSL)/.test(code);
}
