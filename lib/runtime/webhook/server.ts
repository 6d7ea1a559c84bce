/**
 * The HTTPS server of the webhooks. A wrong method, path or size is an HTTP error; every problem of a body is answered in an
 * AdmissionReview. Slow clients are disconnected. The certificate can be replaced at any time.
 */
import { webhookKinds } from '../../admission/index.ts';
import { createSecureServer } from 'node:http2';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import type { Server } from 'node:net';
import { type CertificatePair, expiryOf } from './certificate.ts';
import { handleReview, type ReviewHandlerOptions } from './handle-review.ts';

/** Longest body of a review. */
const bodyLimit = 7 << 20;
/** All bodies being received at one moment. */
const totalLimit = 256 << 20;
/** A client has this long to send a whole request. */
const longestReceiptMs = 15_000;
const tooLarge = 'the body is larger than 7 MiB';

/** Options of the webhook server, besides those for answering reviews. */
interface WebhookServerOptions extends ReviewHandlerOptions {
  /** Offer HTTP/2 beside HTTP/1.1. */
  readonly http2: boolean;
}

/** A server whose certificate can change. */
export interface WebhookServer {
  readonly server: Server;
  readonly setCertificate: (pair: CertificatePair) => void;
  /** Starts draining, so that answers close their HTTP/1.1 connections; resolves when no call is left. */
  readonly drained: () => Promise<void>;
}

/** What HTTP/1.1 and HTTP/2 requests have in common. */
interface Request {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  resume(): unknown;
  destroy(): unknown;
}

/** What HTTP/1.1 and HTTP/2 responses have in common. */
interface Response {
  writeHead(status: number, headers: Readonly<Record<string, string | number>>): unknown;
  end(body: string): unknown;
  on(event: 'close', listener: () => void): unknown;
}

/** Makes the server; it answers once it has a certificate and listens. */
export function createWebhookServer(options: WebhookServerOptions): WebhookServer {
  const load = new Load();
  const answer = (request: Request, response: Response): void => receive(request, response, options, load);
  const common = { handshakeTimeout: 10_000, minVersion: 'TLSv1.2', ALPNProtocols: ['http/1.1'] } as const;
  // The API server closes idle connections after 90 s. If this server closed them first, a call could be sent on a connection that is being closed.
  const limits = {
    keepAliveTimeout: 300_000,
    headersTimeout: 10_000,
    requestTimeout: longestReceiptMs,
    connectionsCheckingInterval: 1_000,
  };
  const server: HttpsServer | ReturnType<typeof createSecureServer> = options.http2
    ? createSecureServer({ ...common, ALPNProtocols: ['h2', 'http/1.1'], allowHTTP1: true }, answer)
    : createHttpsServer({ ...common, ...limits }, answer);
  server.maxConnections = 1024;
  server.on('tlsClientError', (error: Error) => options.log.debug('http: TLS handshake error', { error }));
  return {
    server,
    setCertificate: (pair) => {
      server.setSecureContext({ cert: pair.certificate, key: pair.key, minVersion: 'TLSv1.2' });
      const seconds = (expiryOf(pair)?.getTime() ?? 0) / 1000;
      options.metrics.set('dynamo_operator_webhook_certificate_expiry_seconds', {}, seconds);
    },
    drained: () => load.drained(),
  };
}

/** Counts the calls being answered and the bytes being received. */
class Load {
  /** Bytes of the request bodies that are being received. */
  bytes = 0;
  readonly #calls = new Map<string, number>();
  #total = 0;
  #onDrained: (() => void) | undefined;

  /** Whether the server is draining: it only finishes its last calls. */
  get isDraining(): boolean {
    return this.#onDrained !== undefined;
  }

  /** Adds to the number of running calls at a path, and returns it. */
  count(path: string, by: 1 | -1): number {
    const calls = (this.#calls.get(path) ?? 0) + by;
    this.#calls.set(path, calls);
    this.#total += by;
    if (this.#total === 0) this.#onDrained?.();
    return calls;
  }

  /** Starts draining; resolves when no call is left. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#onDrained = resolve;
      if (this.#total === 0) resolve();
    });
  }
}

function receive(request: Request, response: Response, options: ReviewHandlerOptions, load: Load): void {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  const kind = webhookKinds.get(path);
  if (kind === undefined) return refuse(request, response, 404, '404 page not found');
  if (request.method !== 'POST') return refuse(request, response, 405, 'only POST is allowed');
  if (Number(request.headers['content-length'] ?? 0) > bodyLimit) return refuse(request, response, 413, tooLarge);
  const { metrics, clock } = options;
  const began = clock.now();
  const chunks: Buffer[] = [];
  let size = 0;
  let isOver = false;
  const count = (by: 1 | -1): void =>
    metrics.set('controller_runtime_webhook_requests_in_flight', { webhook: path }, load.count(path, by));
  const cancelCut = clock.after(longestReceiptMs, () => request.destroy());
  const finish = (): void => {
    if (isOver) return;
    isOver = true;
    cancelCut();
    load.bytes -= size;
    count(-1);
  };
  count(1);
  response.on('close', finish);
  request.on('data', (chunk: Buffer) => {
    if (isOver) return;
    size += chunk.length;
    load.bytes += chunk.length;
    chunks.push(chunk);
    if (size <= bodyLimit && load.bytes <= totalLimit) return;
    chunks.length = 0;
    finish();
    if (size > bodyLimit) refuse(request, response, 413, tooLarge);
    else refuse(request, response, 503, 'too many bodies at once');
  });
  request.on('end', () => {
    if (isOver) return;
    const body = handleReview(kind, request.headers['content-type'] ?? '', Buffer.concat(chunks), options);
    metrics.count('controller_runtime_webhook_requests_total', { webhook: path, code: '200' });
    metrics.observe('controller_runtime_webhook_latency_seconds', { webhook: path }, (clock.now() - began) / 1000);
    const isLast = load.isDraining && isHttp1(request);
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...(isLast ? { connection: 'close' } : {}),
    });
    response.end(body);
  });
}

function refuse(request: Request, response: Response, status: number, message: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    ...(isHttp1(request) ? { connection: 'close' } : {}),
  });
  response.end(`${message}\n`);
  // The rest of the request is read and discarded: a reset of the connection could make the client lose the answer.
  request.resume();
}

function isHttp1({ headers }: Request): boolean {
  return headers[':path'] === undefined;
}
