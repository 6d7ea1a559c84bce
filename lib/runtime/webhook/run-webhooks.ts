/** Runs the webhooks: the server, and the source of its certificate. */
import { webhookKinds, type AdmissionContext } from '../../admission/index.ts';
import { createHash } from 'node:crypto';
import type { ApiClient } from '../api/client.ts';
import { Reflector } from '../cache/reflector.ts';
import { Store } from '../cache/store.ts';
import type { WatchedKind } from '../cache/watched-kind.ts';
import { type Clock, sleep } from '../clock.ts';
import type { Log } from '../log.ts';
import { showWebhooks, type Metrics } from '../metrics/registry.ts';
import type { WebhookOptions } from '../options.ts';
import { type RunningServer, startServerAt } from '../running-server.ts';
import { CertificateFiles } from './certificate-files.ts';
import { SelfManagedCertificate, serviceHostNames, type SelfManagedTiming } from './self-managed-certificate.ts';
import { createWebhookServer, type WebhookServer } from './server.ts';

/** Dependencies and settings for running the webhooks. */
interface RunWebhooksOptions {
  readonly webhooks: WebhookOptions;
  readonly http2: boolean;
  readonly client: ApiClient;
  /** Namespace of the Service and of the certificate's Secret. */
  readonly namespace: string;
  readonly context: () => AdmissionContext;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly port: number;
  /** Where mounted certificates are. */
  readonly folder: string;
  readonly timing?: SelfManagedTiming | undefined;
}

/** Webhooks that are being served. */
export interface RunningWebhooks extends RunningServer {
  /** Follows the certificate until the signal is aborted. Never rejects. */
  readonly follow: (signal: AbortSignal) => Promise<void>;
}

/** Loads the certificate and starts the server; rejects when mounted files cannot be used, waits for a self-managed certificate. */
export async function runWebhooks(options: RunWebhooksOptions, signal: AbortSignal): Promise<RunningWebhooks> {
  const { webhooks, metrics, port } = options;
  const server = createWebhookServer(options);
  showWebhooks(metrics, [...webhookKinds.keys()]);
  const follow = webhooks.selfManaged ? await selfManaged(options, server, signal) : await fromFiles(options, server);
  const running = await startServerAt(server.server, { port }, server.drained);
  return { ...running, follow };
}

async function fromFiles(options: RunWebhooksOptions, server: WebhookServer): Promise<RunningWebhooks['follow']> {
  const { folder, clock, metrics, log } = options;
  const files = new CertificateFiles({ folder, onChange: server.setCertificate, clock, metrics, log: log.named('certwatcher') });
  await files.load();
  return (signal) => files.follow(signal);
}

async function selfManaged(
  options: RunWebhooksOptions,
  server: WebhookServer,
  signal: AbortSignal,
): Promise<RunningWebhooks['follow']> {
  const { webhooks, client, namespace, clock, metrics, timing } = options;
  const log = options.log.named('webhook-certificate');
  let isLoaded = false;
  const kept = new SelfManagedCertificate({
    client,
    namespace,
    secretName: webhooks.secretName,
    configurationName: webhooks.configurationName,
    names: serviceHostNames(webhooks.serviceName, namespace),
    onChange: (pair) => {
      server.setCertificate(pair);
      isLoaded = true;
    },
    clock,
    metrics,
    log,
    ...(timing === undefined ? {} : { timing }),
  });
  for (;;) {
    await kept.sync().catch((error: unknown) => log.error('Failed to look after the webhook certificate', error));
    if (isLoaded) break;
    await sleep(clock, 2_000, signal);
  }
  const watches: readonly WatchedKind[] = [
    { apiVersion: 'v1', kind: 'Secret', selection: { namespace, fieldSelector: `metadata.name=${webhooks.secretName}` } },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      selection: { fieldSelector: `metadata.name=${webhooks.configurationName}` },
    },
  ];
  const reflectors = watches.map((watched) => {
    const store = new Store({}, () => kept.lookNow());
    return new Reflector({ client, watched, project: fingerprint, store, metrics, log, onState: () => {} });
  });
  return async (until) => {
    await Promise.all([kept.keep(until), ...reflectors.map((reflector) => reflector.run(until))]);
  };
}

// Keeps no key in memory for longer than it takes to see whether it changed.
const fingerprint: NonNullable<WatchedKind['project']> = ({ apiVersion, kind, metadata, data, webhooks }) => ({
  apiVersion,
  kind,
  metadata,
  content: createHash('sha256')
    .update(JSON.stringify([data, webhooks]))
    .digest('hex'),
});
