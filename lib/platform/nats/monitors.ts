import { type JsonObject } from '../../json/index.ts';
import { metadata, overlaid, selectorLabels, type NatsRelease } from './release.ts';

/** The PodMonitor of the exporter sidecars. */
export function podMonitor(nats: NatsRelease): JsonObject {
  const { context, names } = nats;
  const own = metadata(nats, names.podMonitor);
  const extra = context.switches['monitor-labels'] ? context.monitorLabels : {};
  const document: JsonObject = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PodMonitor',
    metadata: { ...own, labels: { ...(own['labels'] as JsonObject), ...extra } },
    spec: { selector: { matchLabels: selectorLabels(nats) }, podMetricsEndpoints: [{ port: 'prom-metrics' }] },
  };
  return overlaid(nats, document, ['promExporter', 'podMonitor']);
}
