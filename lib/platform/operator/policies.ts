import type { KubernetesObject } from '../../api/index.ts';
import type { JsonObject } from '../../json/index.ts';
import { scraperPeers } from '../client-namespaces.ts';
import { atPath, truthy } from '../go-values.ts';
import { managerArguments, metricsPort } from './arguments.ts';
import { replicas } from './workload.ts';
import type { OperatorRelease } from './release.ts';

/** A PodDisruptionBudget that allows one replica to be evicted at a time, when there is more than one. */
export function disruptionBudget(scope: OperatorRelease): readonly KubernetesObject[] {
  const { name, context, selector } = scope;
  if (!context.switches['high-availability'] || replicas(scope) < 2) return [];
  return [
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: `${name}-controller-manager`, namespace: context.namespace, labels: scope.componentLabels('manager') },
      spec: { maxUnavailable: 1, selector: { matchLabels: selector } },
    },
  ];
}

/** Port of the etcd in which the operator deletes keys, if graphs use it for discovery. */
function etcdPorts(scope: OperatorRelease): readonly number[] {
  if (scope.values['discoveryBackend'] !== 'etcd') return [];
  const flag = '--etcdAddr=';
  const argument = managerArguments(scope).find((given) => given.startsWith(flag));
  return [scope.context.portOf(argument?.slice(flag.length) ?? '', 2379)];
}

/**
 * The NetworkPolicy of the operator. No label selects the API server and kubelets, so the webhook port is open to all; metrics are open to the
 * namespaces of `platform.monitoring.namespaceLabels`, or to all namespaces without it.
 */
export function operatorNetworkPolicy(scope: OperatorRelease): readonly KubernetesObject[] {
  const { values, name, context, selector } = scope;
  if (!context.switches['network-policies']) return [];
  const tcp = (port: number): JsonObject => ({ port, protocol: 'TCP' });
  const scrapers = { from: scraperPeers(context), ports: [tcp(metricsPort(scope))] };
  return [
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: `${name}-controller-manager`, namespace: context.namespace, labels: scope.componentLabels('manager') },
      spec: {
        podSelector: { matchLabels: selector },
        policyTypes: ['Ingress', 'Egress'],
        ingress: [...(truthy(atPath(values, 'webhook.enabled')) ? [{ ports: [tcp(9443)] }] : []), scrapers],
        egress: [
          // A NetworkPolicy sees the port of the pod behind a Service, which is 5353 for the DNS of OpenShift.
          { ports: [53, 5353].flatMap((port) => [tcp(port), { port, protocol: 'UDP' }]) },
          { ports: context.settings.networkPolicy.apiServerPorts.map(tcp) },
          // The operator loads LoRA adapters through the system port of workers.
          { to: [{ namespaceSelector: {} }], ports: [tcp(9090)] },
          ...etcdPorts(scope).map((port) => ({ ports: [tcp(port)] })),
        ],
      },
    },
  ];
}
