import type { KubernetesObject } from '../../api/index.ts';
import { atPath, truthy } from '../go-values.ts';
import { yamlScalar } from '../yaml-scalar.ts';
import type { OperatorRelease } from './release.ts';

/** The Service that metrics are scraped through. */
export function metricsService(scope: OperatorRelease): readonly KubernetesObject[] {
  const { values, name, context, selector } = scope;
  if (!truthy(atPath(values, 'metricsService.enabled'))) return [];
  const labels = { ...scope.componentLabels('kube-rbac-proxy'), 'control-plane': 'controller-manager' };
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace: context.namespace, labels },
      spec: { type: yamlScalar(atPath(values, 'metricsService.type')), selector, ports: atPath(values, 'metricsService.ports') },
    },
  ];
}

/** The Service that the API server calls webhooks through. */
export function webhookService(scope: OperatorRelease): readonly KubernetesObject[] {
  const { values, name, context, selector } = scope;
  if (!truthy(atPath(values, 'webhook.enabled'))) return [];
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: `${name}-webhook-service`, namespace: context.namespace, labels: scope.componentLabels('webhook') },
      spec: { selector, ports: [{ name: 'webhook', port: 443, protocol: 'TCP', targetPort: 9443 }] },
    },
  ];
}
