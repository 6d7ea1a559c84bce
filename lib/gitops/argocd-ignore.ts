import { escapePointerKey, isObject, type Json } from '../json/index.ts';

/** An entry of `ignoreDifferences` of an Argo CD Application. */
export interface IgnoredDifference {
  readonly group: string;
  readonly kind: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly jsonPointers?: readonly string[];
  readonly jqPathExpressions?: readonly string[];
}

/** A graph that returns its manifest, such as the construct `DynamoGraph`. */
export interface GraphManifest {
  toJson(): object;
}

const group = 'nvidia.com';
const kind = 'DynamoGraphDeployment';
const plannedTypes: readonly (Json | undefined)[] = ['worker', 'prefill', 'decode'];

/** Replicas of any graph that a scaling adapter or the planner sets in the cluster. */
export const ownedReplicas = {
  group,
  kind,
  jqPathExpressions: [
    '.spec.services[] | select(.scalingAdapter.enabled == true) | .replicas',
    `.spec | select(any(.services[]; .componentType == "planner")) | .services[] | select(.componentType == (${plannedTypes.map((type) => JSON.stringify(type)).join(', ')})) | .replicas`,
  ],
} satisfies IgnoredDifference;

/** `ignoreDifferences` of an Application that deploys a graph: replicas that a scaling adapter or the planner sets, which a sync must not reset. */
export function ignoreDifferences(graph: GraphManifest): readonly IgnoredDifference[] {
  const { metadata, spec } = graph.toJson() as { readonly metadata?: Json; readonly spec?: Json };
  const services = Object.entries(isObject(spec) && isObject(spec['services']) ? spec['services'] : {});
  const types = new Map(services.map(([name, service]) => [name, isObject(service) ? service['componentType'] : undefined]));
  const hasPlanner = [...types.values()].includes('planner');
  const owned = services.filter(([name, service]) => {
    const adapter = isObject(service) ? service['scalingAdapter'] : undefined;
    return (isObject(adapter) && adapter['enabled'] === true) || (hasPlanner && plannedTypes.includes(types.get(name)));
  });
  if (owned.length === 0) return [];
  const { name, namespace } = isObject(metadata) ? metadata : {};
  return [
    {
      group,
      kind,
      ...(typeof name === 'string' ? { name } : {}),
      ...(typeof namespace === 'string' ? { namespace } : {}),
      jsonPointers: owned.map(([service]) => `/spec/services/${escapePointerKey(service)}/replicas`),
    },
  ];
}
