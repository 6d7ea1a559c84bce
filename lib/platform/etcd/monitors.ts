import { type JsonObject, listAt } from '../../json/index.ts';
import { atPath, orElse, templateString, truthy } from '../go-values.ts';
import { joined, metadata, podLabels, selectorLabels, whereSet, type EtcdRelease } from './release.ts';

function monitorLabels(etcd: EtcdRelease): JsonObject {
  return etcd.context.switches['monitor-labels'] ? etcd.context.monitorLabels : {};
}

/** The PodMonitor of the members. */
export function podMonitor(etcd: EtcdRelease): JsonObject {
  const block = atPath(etcd.values, 'metrics.podMonitor');
  const port = truthy(atPath(etcd.values, 'metrics.useSeparateEndpoint')) ? 'metrics' : 'client';
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PodMonitor',
    metadata: {
      ...metadata(etcd, { name: etcd.name, labels: joined(atPath(block, 'additionalLabels'), monitorLabels(etcd)) }),
      namespace: templateString(orElse(atPath(block, 'namespace'), etcd.namespace)),
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
  const block = atPath(etcd.values, 'metrics.prometheusRule');
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: {
      ...metadata(etcd, {
        name: etcd.name,
        component: 'metrics',
        labels: joined(atPath(block, 'additionalLabels'), monitorLabels(etcd)),
      }),
      namespace: templateString(orElse(atPath(block, 'namespace'), etcd.namespace)),
    },
    spec: { groups: [{ name: etcd.name, rules: listAt(atPath(block, 'rules')) }] },
  };
}
