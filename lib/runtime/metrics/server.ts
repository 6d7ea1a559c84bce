/** Serves the metrics page, over plain HTTP to everyone, or over TLS to authorized clients. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { Logger } from '../logger.ts';
import type { CertificatePair } from '../webhook/certificate.ts';
import type { MetricsAuthorizer } from './authorizer.ts';
import type { Metrics } from './registry.ts';

/** Dependencies of every metrics server. */
interface MetricsServerOptions {
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** Further dependencies of a metrics server over TLS. */
interface SecureMetricsServerOptions extends MetricsServerOptions {
  readonly authorizer: MetricsAuthorizer;
  readonly http2: boolean;
}

/** A metrics server over TLS, whose certificate can change. */
export interface SecureMetricsServer {
  readonly server: Server | ReturnType<typeof createHttpsServer> | ReturnType<typeof createSecureServer>;
  readonly setCertificate: (pair: CertificatePair) => void;
}

type Request = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;
interface Response {
  writeHead(status: number, headers: Readonly<Record<string, string>>): unknown;
  end(body: string): unknown;
}

const limits = { headersTimeout: 5_000, requestTimeout: 10_000 };

/** A plain HTTP server of the page; not listening yet. */
export function createMetricsServer(options: MetricsServerOptions): Server {
  return createServer(limits, (request: IncomingMessage, response: ServerResponse) => {
    request.resume();
    void answer(request, response, options, undefined);
  });
}

/** An HTTPS server of the page for those who may read it; not listening yet. */
export function createSecureMetricsServer(options: SecureMetricsServerOptions): SecureMetricsServer {
  const listener = (request: Request, response: Response): void => void answer(request, response, options, options.authorizer);
  const tls = { minVersion: 'TLSv1.2', handshakeTimeout: 10_000 } as const;
  const server = options.http2
    ? createSecureServer({ ...tls, allowHTTP1: true, ALPNProtocols: ['h2', 'http/1.1'] }, listener)
    : createHttpsServer({ ...tls, ...limits, ALPNProtocols: ['http/1.1'] }, listener);
  server.on('tlsClientError', (error: Error) => options.log.debug('http: TLS handshake error', { error }));
  return {
    server,
    setCertificate: ({ certificate, key }) => server.setSecureContext({ cert: certificate, key, minVersion: 'TLSv1.2' }),
  };
}

async function answer(
  request: Request,
  response: Response,
  { metrics, log }: MetricsServerOptions,
  authorizer: MetricsAuthorizer | undefined,
): Promise<void> {
  const text = (status: number, body: string): void => {
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
    response.end(`${body}\n`);
  };
  try {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    if (path !== '/metrics') return text(404, '404 page not found');
    if (request.method !== 'GET' && request.method !== 'HEAD') return text(405, 'only GET is allowed');
    const verdict = await authorizer?.judge(request.headers.authorization, path);
    if (verdict !== undefined && verdict.status !== 200) return text(verdict.status, verdict.message);
    const page = await metrics.page();
    response.writeHead(200, { 'content-type': metrics.contentType });
    response.end(request.method === 'HEAD' ? '' : page);
  } catch (error) {
    log.error('Metrics could not be served', error);
    text(500, 'metrics could not be served; the log of the operator says why');
  }
}
