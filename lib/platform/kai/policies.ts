import { spreadConstraint } from '../spread-constraint.ts';
import type { KaiRelease } from './release.ts';
import type { JsonObject } from '../../json/index.ts';
import { atPath, templateString } from '../go-values.ts';
import { portOf } from './pods.ts';

function policy(app: string, ports: readonly JsonObject[string][]): JsonObject {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: app, labels: { app } },
    spec: {
      podSelector: { matchLabels: { app } },
      policyTypes: ['Ingress'],
      ingress: [{ ports: ports.map((port) => ({ port, protocol: 'TCP' })), from: [{ namespaceSelector: {} }] }],
    },
  };
}

/** How the operator's replicas spread over nodes, when there are several. */
export function spreading({ values, context }: KaiRelease): JsonObject {
  if (!context.switches['spread-replicas'] || Number(templateString(atPath(values, 'operator.replicaCount'))) < 2) return {};
  return { topologySpreadConstraints: [spreadConstraint('node', { app: 'kai-operator' })] };
}

/** What only the secure profile adds: who may scrape the components, and how many replicas of the operator may go at once. */
export function policies(kai: KaiRelease): readonly JsonObject[] {
  const { values, context } = kai;
  const address = (path: string): number | string => portOf(templateString(atPath(values, path)));
  const policies = [
    policy('kai-operator', [address('operator.metricsBindAddress'), address('operator.probeBindAddress')]),
    policy('binder', [atPath(values, 'binder.ports.metricsPort')]),
    policy('scheduler', [atPath(values, 'scheduler.ports.metricsPort')]),
  ];
  const budget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'kai-operator', labels: { app: 'kai-operator' } },
    spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'kai-operator' } } },
  };
  return [...(context.switches['network-policies'] ? policies : []), ...(Object.keys(spreading(kai)).length > 0 ? [budget] : [])];
}
