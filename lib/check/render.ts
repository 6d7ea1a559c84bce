/** The second stage: what each document renders to, why it cannot be rendered, and what the API server will reject of the result. */
import { parseResource } from '../api/index.ts';
import { valueAt, type JsonObject } from '../json/index.ts';
import { type PredictedRejection, rejectionFindings, suppressedIds, type Suppression } from '../lint/index.ts';
import {
  chartConfig,
  type Cluster,
  clusterOfDocuments,
  findQuirks,
  type RenderContext,
  type RenderIssue,
  renderResource,
  type RenderResult,
  type Source,
} from '../render/index.ts';
import type { DocumentFinding } from './finding.ts';
import type { CheckSource, JudgedDocument } from './judge.ts';
import { orchestratorGroups } from './orchestrators.ts';
import type { RenderSettings } from './settings.ts';

/** A resource as it was rendered, and everything that follows from it. */
interface Rendering extends RenderResult {
  readonly resource: Source;
  /** What the API server will reject of the objects, suppressed or not. `warnings`, in contrast, is only what nobody can know offline. */
  readonly rejections: readonly PredictedRejection[];
}

/** One document after rendering. */
export interface RenderedDocument<S extends CheckSource = CheckSource> extends JudgedDocument<S> {
  /** Absent where admission refuses the document, or where its kind renders to nothing. */
  readonly rendering?: Rendering;
}

const renderedKinds: readonly unknown[] = ['DynamoGraphDeployment', 'DynamoComponentDeployment', 'DynamoGraphDeploymentRequest'];

function isSource(stored: JsonObject): stored is JsonObject & Source {
  return renderedKinds.includes(stored['kind']);
}

/** Renders what passed admission; each document among the others, which are taken as objects the cluster has. */
export function renderDocuments<S extends CheckSource>(
  judged: readonly JudgedDocument<S>[],
  settings: RenderSettings,
): readonly RenderedDocument<S>[] {
  const render = renderer(judged, settings);
  return judged.map((document) => render(document));
}

/** A function that renders one document among the others; what the others say of the cluster is indexed once for all. */
export function renderer(
  among: readonly JudgedDocument[],
  settings: RenderSettings,
): <S extends CheckSource>(document: JudgedDocument<S>, suppressions?: readonly Suppression[]) => RenderedDocument<S> {
  const values = among.map(({ source }) => source.value);
  const clusters = new Map<string, Cluster>();
  const context = (groups: readonly string[]): RenderContext => {
    const key = groups.join(',');
    const cluster = clusters.get(key) ?? clusterOfDocuments(values, new Set(groups), settings.namespace);
    clusters.set(key, cluster);
    return { config: settings.config ?? chartConfig(), cluster };
  };
  return (document, suppressions = []) => {
    const { stored, findings } = document;
    if (stored === undefined || !isSource(stored) || findings.some(({ severity }) => severity === 'error')) return document;
    const resource = withLiveStatus(stored, document.source.value);
    const { result, doubts } = renderWith(resource, context, settings);
    const rendering = { ...result, resource, rejections: rejectionFindings(result.objects) };
    return { ...document, rendering, findings: [...findings, ...doubts, ...findingsOf(rendering, stored, suppressions)] };
  };
}

/** A rendering, and what would be wrong with it under the orchestrator that it was not made for. */
interface Choice {
  readonly result: RenderResult;
  readonly doubts: readonly DocumentFinding[];
}

/**
 * Where nobody says which API groups the cluster has, a graph that spans nodes is taken to have LeaderWorkerSets, or Grove where only that can
 * run it, and of its quirks only those that hold under both are told.
 */
function renderWith(
  resource: Source,
  context: (groups: readonly string[]) => RenderContext,
  { apiGroups, orchestrator }: RenderSettings,
): Choice {
  const known = apiGroups !== undefined || orchestrator !== undefined;
  const groups = [...(apiGroups ?? []), ...orchestratorGroups[orchestrator ?? 'none']];
  if (known || !spansNodes(resource)) return { result: renderResource(resource, context(groups)), doubts: [] };
  const [lws, grove] = [context(orchestratorGroups.lws), context(orchestratorGroups.grove)];
  const withSets = renderResource(resource, lws);
  const onGrove = withSets.issues.length === 0 ? undefined : renderResource(resource, grove);
  const result = onGrove?.issues.length === 0 ? onGrove : withSets;
  const key = ({ id, path }: { readonly id: string; readonly path: unknown }): string => JSON.stringify([id, path]);
  const other = new Set(findQuirks(resource, result === withSets ? grove : lws).map(key));
  const doubts = result === withSets ? [] : withSets.issues.map(withSetsOnly);
  return { result: { ...result, quirks: result.quirks.filter((quirk) => other.has(key(quirk))) }, doubts };
}

function withSetsOnly({ path, code, message }: RenderIssue): DocumentFinding {
  const condition = 'only Grove can run this; say which there is with --orchestrator';
  return { stage: 'render', severity: 'warning', id: code, path, message: `${message}; ${condition}` };
}

function spansNodes(resource: Source): boolean {
  if (resource.kind === 'DynamoGraphDeploymentRequest') return false;
  const components = resource.kind === 'DynamoGraphDeployment' ? Object.values(resource.spec?.services ?? {}) : [resource.spec];
  return components.some((component) => component?.multinode !== undefined);
}

function findingsOf(
  { issues, rejections }: Rendering,
  stored: JsonObject,
  suppressions: readonly Suppression[],
): readonly DocumentFinding[] {
  const accepted = suppressedIds(stored, suppressions);
  return [
    ...issues.map(({ path, code, message }) => ({ stage: 'render', severity: 'error', id: code, path, message }) as const),
    ...rejections
      .filter(({ id }) => !accepted.has(id))
      .map(({ id, severity, path, message }) => ({ stage: 'rejection', severity, id, path, message }) as const),
  ];
}

/** The restart status of an object read back from a cluster decides which pods carry its token. */
function withLiveStatus(stored: Source, value: CheckSource['value']): Source {
  if (stored.kind !== 'DynamoGraphDeployment' || valueAt(value, 'metadata', 'uid') === undefined) return stored;
  const { resource } = parseResource(value, { status: 'keep' });
  const restart = resource?.kind === 'DynamoGraphDeployment' ? resource.status?.restart : undefined;
  return restart === undefined ? stored : { ...stored, status: { restart } };
}
