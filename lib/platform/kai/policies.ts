import { portPolicy } from '../port-policy.ts';
import { spreadConstraint } from '../spread-constraint.ts';
import type { KaiRelease } from './release.ts';
import type { JsonObject } from '../../json/index.ts';
import { atPath, templateString } from '../go-values.ts';
import { portOf } from './pods.ts';

/** Spreads the operator's replicas over nodes, if there are several. */
export function spreading({ values, context }: KaiRelease): JsonObject {
  if (!context.switches['spread-replicas'] || Number(templateString(atPath(values, 'operator.replicaCount'))) < 2) return {};
  return { topologySpreadConstraints: [spreadConstraint('node', { app: 'kai-operator' })] };
}

/** The NetworkPolicies and the PodDisruptionBudget that the secure profile adds. */
export function policies(kai: KaiRelease): readonly JsonObject[] {
  const { values, context } = kai;
  const address = (path: string): number | string => portOf(templateString(atPath(values, path)));
  const policies = [
    portPolicy('kai-operator', [address('operator.metricsBindAddress'), address('operator.probeBindAddress')]),
    portPolicy('binder', [atPath(values, 'binder.ports.metricsPort')]),
    portPolicy('scheduler', [atPath(values, 'scheduler.ports.metricsPort')]),
  ];
  const budget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'kai-operator', labels: { app: 'kai-operator' } },
    spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'kai-operator' } } },
  };
  return [...(context.switches['network-policies'] ? policies : []), ...(Object.keys(spreading(kai)).length > 0 ? [budget] : [])];
}
