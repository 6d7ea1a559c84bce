import type { KubernetesObject } from '../part.ts';
import { at, truthy } from '../go-values.ts';
import { plain } from '../plain.ts';
import type { OperatorScope } from './scope.ts';

/** The metrics Service, and the Service the API server calls webhooks through. */
export function operatorServices(scope: OperatorScope): readonly KubernetesObject[] {
  const { values, name, context, selector } = scope;
  const namespace = context.namespace;
  const metrics: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, labels: { ...scope.componentLabels('kube-rbac-proxy'), 'control-plane': 'controller-manager' } },
    spec: { type: plain(at(values, 'metricsService.type')), selector, ports: at(values, 'metricsService.ports') },
  };
  const webhook: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: `${name}-webhook-service`, namespace, labels: scope.componentLabels('webhook') },
    spec: { selector, ports: [{ name: 'webhook', port: 443, protocol: 'TCP', targetPort: 9443 }] },
  };
  return [
    ...(truthy(at(values, 'metricsService.enabled')) ? [metrics] : []),
    ...(truthy(at(values, 'webhook.enabled')) ? [webhook] : []),
  ];
}
