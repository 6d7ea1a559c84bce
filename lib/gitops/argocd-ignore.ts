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

/** A graph: its construct, or anything else that knows its manifest. */
export interface GraphManifest {
  toJson(): object;
}

const group = 'nvidia.com';
const kind = 'DynamoGraphDeployment';
const planned: readonly (Json | undefined)[] = ['worker', 'prefill', 'decode'];

/** Replicas of any graph that somebody in the cluster sets: a scaling adapter, or the planner of the graph. */
export const ownedReplicas = {
  group,
  kind,
  jqPathExpressions: [
    '.spec.services[] | select(.scalingAdapter.enabled == true) | .replicas',
    `.spec | select(any(.services[]; .componentType == "planner")) | .services[] | select(.componentType == (${planned.map((type) => JSON.stringify(type)).join(', ')})) | .replicas`,
  ],
} satisfies IgnoredDifference;

/** What an Application that deploys a graph must not set back: replicas of components that an adapter or the planner owns. */
export function ignoreDifferences(graph: GraphManifest): readonly IgnoredDifference[] {
  const { metadata, spec } = graph.toJson() as { readonly metadata?: Json; readonly spec?: Json };
  const services = Object.entries(isObject(spec) && isObject(spec['services']) ? spec['services'] : {});
  const types = new Map(services.map(([name, service]) => [name, isObject(service) ? service['componentType'] : undefined]));
  const hasPlanner = [...types.values()].includes('planner');
  const owned = services.filter(([name, service]) => {
    const adapter = isObject(service) ? service['scalingAdapter'] : undefined;
    return (isObject(adapter) && adapter['enabled'] === true) || (hasPlanner && planned.includes(types.get(name)));
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
