import type { JsonObject } from '../json/index.ts';

/** Topology keys: spread over nodes, or over zones. */
const topologyKeys = { node: 'kubernetes.io/hostname', zone: 'topology.kubernetes.io/zone' } as const;

/**
 * Spreads pods evenly where the cluster allows it; a cluster of one node still runs them all.
 * https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/
 */
export function spreadConstraint(over: keyof typeof topologyKeys, matchLabels: JsonObject): JsonObject {
  return {
    maxSkew: 1,
    topologyKey: topologyKeys[over],
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels },
  };
}
