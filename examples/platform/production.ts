import { App, Chart } from 'cdk8s';
import { DynamoPlatform, platformPresets } from '../../lib/platform/index.ts';
import { printWhenRun } from './print-when-run.ts';

/** A dedicated production cluster, with TLS for NATS and every object in one place. */
export function production(app: App): void {
  const chart = new Chart(app, 'production', { namespace: 'dynamo-system' });
  new DynamoPlatform(chart, 'platform', {
    values: platformPresets.production({
      storageClass: 'fast-ssd',
      prometheusEndpoint: 'http://prometheus-kube-prometheus-prometheus.monitoring.svc.cluster.local:9090',
      monitorLabels: { release: 'prometheus' },
      clientNamespaceLabels: { 'dynamo-graphs': 'allowed' },
    }),
    natsTlsSecret: { name: 'nats-tls' },
    includeCrds: true,
  });
}

printWhenRun(import.meta.url, production);
