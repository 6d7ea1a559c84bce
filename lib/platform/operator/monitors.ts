import type { KubernetesObject } from '../../api/index.ts';
import { atPath, truthy } from '../go-values.ts';
import { sendsToken } from './rbac.ts';
import type { OperatorRelease } from './release.ts';

interface GraphMonitor {
  readonly component: string;
  readonly port: string;
  readonly relabelings?: readonly {
    readonly action: string;
    readonly sourceLabels: readonly string[];
    readonly targetLabel: string;
  }[];
}

const graphMonitors: readonly GraphMonitor[] = [
  {
    component: 'frontend',
    port: 'http',
    relabelings: [
      {
        action: 'replace',
        sourceLabels: ['__meta_kubernetes_pod_label_nvidia_com_dynamo_namespace'],
        targetLabel: 'dynamo_namespace',
      },
    ],
  },
  { component: 'worker', port: 'system' },
  { component: 'planner', port: 'metrics' },
];

/** Path of the service account token in the pods of Prometheus. */
const prometheusToken = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/** Monitors for the Prometheus operator: one for the operator, and one for each type of graph component. */
export function operatorMonitors(scope: OperatorRelease): readonly KubernetesObject[] {
  const { values, name, context, selector, restricted } = scope;
  if (!context.monitoring) return [];
  const configured = context.switches['monitor-labels'];
  const operator: KubernetesObject = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: {
      name: `${name}-operator`,
      namespace: context.namespace,
      labels: { ...scope.labels, ...(configured ? context.monitorLabels : { release: 'prometheus' }) },
    },
    spec: {
      selector: { matchLabels: selector },
      endpoints: [
        {
          port: 'https',
          scheme: 'https',
          path: '/metrics',
          interval: '15s',
          tlsConfig: { insecureSkipVerify: true },
          ...(sendsToken(scope) ? { bearerTokenFile: prometheusToken } : {}),
        },
      ],
    },
  };
  const graphs = graphMonitors.map(({ component, port, relabelings }): KubernetesObject => ({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PodMonitor',
    metadata: {
      name: `dynamo-${component}`,
      namespace: context.namespace,
      ...(configured ? { labels: { ...scope.labels, ...context.monitorLabels } } : {}),
    },
    spec: {
      namespaceSelector: restricted ? { matchNames: [scope.home] } : { any: true },
      podMetricsEndpoints: [{ interval: '5s', path: '/metrics', port, ...(relabelings === undefined ? {} : { relabelings }) }],
      selector: { matchLabels: { 'nvidia.com/dynamo-component-type': component, 'nvidia.com/metrics-enabled': 'true' } },
    },
  }));
  return [...(truthy(atPath(values, 'metricsService.enabled')) ? [operator] : []), ...graphs];
}
