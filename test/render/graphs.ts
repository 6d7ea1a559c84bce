import {
  normalizeResource,
  type ComponentSpec,
  type DynamoComponentDeployment,
  type DynamoGraphDeployment,
  type Json,
} from '../../lib/api/index.ts';
import {
  chartConfig,
  clusterOfDocuments,
  type OperatorConfig,
  type RenderContext,
  type RenderableResource,
} from '../../lib/render/index.ts';

/** A resource as the API server would store it; a mistake in a test fails loudly. */
export function stored(resource: object): RenderableResource {
  const { value, issues } = normalizeResource(resource as Json);
  if (issues.length > 0) throw new Error(JSON.stringify(issues));
  return value as unknown as RenderableResource;
}

/** What a graph of a test differs in. */
export interface GraphParts {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: object;
}

/** The graph `g` in namespace `ns` with the given services. */
export function graph(
  services: Readonly<Record<string, ComponentSpec>>,
  { annotations = {}, spec = {} }: GraphParts = {},
): DynamoGraphDeployment {
  return stored({
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeployment',
    metadata: { name: 'g', namespace: 'ns', annotations },
    spec: { ...spec, services },
  }) as DynamoGraphDeployment;
}

/** The component `c` in namespace `ns`. */
export function component(spec: object, metadata: object = {}): DynamoComponentDeployment {
  return stored({
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoComponentDeployment',
    metadata: { name: 'c', namespace: 'ns', ...metadata },
    spec,
  }) as DynamoComponentDeployment;
}

/** API groups by what they are for. */
export const groups = {
  none: [],
  grove: ['grove.io'],
  kai: ['grove.io', 'scheduling.run.ai'],
  lws: ['leaderworkerset.x-k8s.io', 'scheduling.volcano.sh'],
} as const;

/** A context on a cluster with the given orchestrator and documents. */
export function context(
  orchestrator: keyof typeof groups = 'none',
  config: Partial<OperatorConfig> = {},
  documents: readonly Json[] = [],
): RenderContext {
  return { config: { ...chartConfig(), ...config }, cluster: clusterOfDocuments(documents, new Set(groups[orchestrator]), 'ns') };
}
