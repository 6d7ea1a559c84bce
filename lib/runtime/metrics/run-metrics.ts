/** Runs the metrics server as the flags say. */
import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Transport } from '../api/transport.ts';
import { type Clock, sleep } from '../clock.ts';
import type { Log } from '../log.ts';
import { type RunningServer, startServer } from '../running-server.ts';
import { CertificateFiles } from '../webhook/certificate-files.ts';
import { MetricsAuthorizer } from './authorizer.ts';
import type { Metrics } from './registry.ts';
import { createMetricsServer, createSecureMetricsServer, type SecureMetricsServer } from './server.ts';

/** Dependencies and settings for running the metrics server. */
interface RunMetricsOptions {
  readonly address: string;
  readonly secure: boolean;
  readonly http2: boolean;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly log: Log;
  /** Folder of a mounted certificate; without one the server makes its own certificate, which no reader can verify. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

const renewMs = 20 * 24 * 3600 * 1000;

/** Starts the server; nothing when the flag turns it off. */
export async function runMetrics(options: RunMetricsOptions): Promise<RunningServer | undefined> {
  const log = options.log.named('controller-runtime.metrics');
  const { address, secure, transport, clock, metrics, http2 } = options;
  if (!secure) return startServer(createMetricsServer({ metrics, log }), address);
  const authorizer = new MetricsAuthorizer(transport, clock);
  const server = createSecureMetricsServer({ metrics, log, authorizer, http2 });
  const follow = await loadCertificate(server, options, log);
  void follow().catch((error: unknown) => log.error('Metrics certificate could not be followed', error));
  return startServer(server.server, address);
}

async function loadCertificate(server: SecureMetricsServer, options: RunMetricsOptions, log: Log): Promise<() => Promise<void>> {
  const { folder, clock, metrics, signal } = options;
  const isMounted = await stat(join(folder, 'tls.crt')).then(
    () => true,
    () => false,
  );
  if (isMounted) {
    const files = new CertificateFiles({ folder, onChange: server.setCertificate, clock, metrics, log });
    await files.load();
    return () => files.follow(signal);
  }
  const { issueCertificate } = await import('../webhook/make-certificate.ts');
  const renew = async (): Promise<void> => server.setCertificate(await issueCertificate(['localhost', hostname()], clock.date()));
  await renew();
  return () => keepRenewing(renew, clock, signal);
}

async function keepRenewing(renew: () => Promise<void>, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(clock, renewMs, signal).catch(() => {}); // aborted: the loop checks the signal
    if (!signal.aborted) await renew();
  }
}
