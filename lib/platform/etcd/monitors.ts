import type { JsonObject } from '../../json/index.ts';
import { at, list, orElse, text, truthy } from '../go-values.ts';
import { joined, metadata, podLabels, selectorLabels, whereSet, type EtcdRelease } from './release.ts';

function monitorLabels(etcd: EtcdRelease): JsonObject {
  return etcd.context.switches['monitor-labels'] ? etcd.context.monitorLabels : {};
}

/** The PodMonitor of the members. */
export function podMonitor(etcd: EtcdRelease): JsonObject {
  const block = at(etcd.values, 'metrics.podMonitor');
  const port = truthy(at(etcd.values, 'metrics.useSeparateEndpoint')) ? 'metrics' : 'client';
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PodMonitor',
    metadata: {
      ...metadata(etcd, { name: etcd.name, labels: joined(at(block, 'additionalLabels'), monitorLabels(etcd)) }),
      namespace: text(orElse(at(block, 'namespace'), etcd.namespace)),
    },
    spec: {
      podMetricsEndpoints: [
        { port, path: '/metrics', ...whereSet(block, 'interval', 'scrapeTimeout', 'scheme', 'tlsConfig', 'relabelings') },
      ],
      namespaceSelector: { matchNames: [etcd.namespace] },
      selector: { matchLabels: selectorLabels(etcd, podLabels(etcd)) },
    },
  };
}

/** The PrometheusRule with the rules of the values. */
export function prometheusRule(etcd: EtcdRelease): JsonObject {
  const block = at(etcd.values, 'metrics.prometheusRule');
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: {
      ...metadata(etcd, {
        name: etcd.name,
        component: 'metrics',
        labels: joined(at(block, 'additionalLabels'), monitorLabels(etcd)),
      }),
      namespace: text(orElse(at(block, 'namespace'), etcd.namespace)),
    },
    spec: { groups: [{ name: etcd.name, rules: list(at(block, 'rules')) }] },
  };
}
