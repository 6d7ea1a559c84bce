import { isObject, type JsonObject } from '../json/index.ts';
import type { Finding, Orchestrator } from '../lint/index.ts';
import { plainFinding, rejectionFindings } from '../lint/rejections/findings.ts';
import {
  chartConfig,
  clusterOfDocuments,
  findQuirks,
  renderResource,
  type Cluster,
  type RenderContext,
  type RenderResult,
  type Source,
} from '../render/index.ts';

/** API groups that make the operator use an orchestrator. */
export const orchestratorGroups: Readonly<Record<Orchestrator, readonly string[]>> = {
  none: [],
  grove: ['grove.io'],
  'grove+kai': ['grove.io', 'scheduling.run.ai'],
  lws: ['leaderworkerset.x-k8s.io', 'scheduling.volcano.sh'],
};

const renderedKinds = ['DynamoGraphDeployment', 'DynamoComponentDeployment', 'DynamoGraphDeploymentRequest'];

/** Whether anything is rendered from a resource. */
export function isRendered(resource: JsonObject): boolean {
  return typeof resource['kind'] === 'string' && renderedKinds.includes(resource['kind']);
}

function spansNodes({ spec }: JsonObject): boolean {
  const services = isObject(spec) ? (isObject(spec['services']) ? Object.values(spec['services']) : [spec]) : [];
  return services.some((service) => isObject(service) && isObject(service['multinode']));
}

const clusters = new WeakMap<readonly JsonObject[], Map<string, Cluster>>();

/** The cluster that documents describe, indexed once for all resources of a run: a file may hold thousands. */
function clusterAround(around: readonly JsonObject[], groups: ReadonlySet<string>, namespace: string): Cluster {
  const known = clusters.get(around) ?? new Map<string, Cluster>();
  clusters.set(around, known);
  const key = [namespace, ...groups].join(',');
  const cluster = known.get(key) ?? clusterOfDocuments(around, groups, namespace);
  known.set(key, cluster);
  return cluster;
}

/**
 * What a stored resource renders to with the platform's defaults. Where nobody says which API groups the cluster has, a graph that spans nodes
 * is taken to have LeaderWorkerSets, and of its quirks only those that hold under Grove too are told.
 */
export function foreseeRendering(
  resource: JsonObject,
  around: readonly JsonObject[],
  namespace: string,
  groups?: ReadonlySet<string>,
): RenderResult {
  const context = (names: Iterable<string>): RenderContext => ({
    config: chartConfig(),
    cluster: clusterAround(around, new Set(names), namespace),
  });
  const source = resource as unknown as Source;
  const unknown = groups === undefined && spansNodes(resource);
  const rendering = renderResource(source, context(groups ?? (unknown ? orchestratorGroups.lws : [])));
  if (!unknown) return rendering;
  const onGrove = findQuirks(source, context(orchestratorGroups.grove)).map((quirk) => JSON.stringify([quirk.id, quirk.path]));
  return { ...rendering, quirks: rendering.quirks.filter((quirk) => onGrove.includes(JSON.stringify([quirk.id, quirk.path]))) };
}

/** The children of a stored resource that the API server will refuse; none where nothing can be rendered. */
export function foreseeRefusals(
  resource: JsonObject,
  around: readonly JsonObject[],
  namespace: string,
  groups?: ReadonlySet<string>,
): readonly Finding[] {
  const found = isRendered(resource) ? rejectionFindings(foreseeRendering(resource, around, namespace, groups).objects) : [];
  return found.map(plainFinding);
}
