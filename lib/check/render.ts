/** The second stage of the pipeline: the objects each document renders to, render errors, and the rejections predicted for the objects. */
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
  type RenderableResource,
} from '../render/index.ts';
import type { DocumentFinding } from './finding.ts';
import type { CheckSource, JudgedDocument } from './judge.ts';
import { orchestratorGroups } from './orchestrators.ts';
import type { RenderSettings } from './settings.ts';

/** A resource and the result of rendering it. */
interface Rendering extends RenderResult {
  readonly resource: RenderableResource;
  /** The rejections predicted for the rendered objects, including suppressed ones. `warnings` holds only what cannot be checked offline. */
  readonly rejections: readonly PredictedRejection[];
}

/** One document after rendering. */
export interface RenderedDocument<S extends CheckSource = CheckSource> extends JudgedDocument<S> {
  /** Absent when the document has errors or its kind is not rendered. */
  readonly rendering?: Rendering;
}

const renderedKinds: readonly unknown[] = ['DynamoGraphDeployment', 'DynamoComponentDeployment', 'DynamoGraphDeploymentRequest'];

function isRenderable(stored: JsonObject): stored is JsonObject & RenderableResource {
  return renderedKinds.includes(stored['kind']);
}

/** Renders the documents that pass admission. The other documents count as objects that exist in the cluster. */
export function renderDocuments<S extends CheckSource>(
  judged: readonly JudgedDocument<S>[],
  settings: RenderSettings,
): readonly RenderedDocument<S>[] {
  const render = renderer(judged, settings);
  return judged.map((document) => render(document));
}

/** Returns a function that renders one document. The other documents describe the cluster and are indexed once. */
export function renderer(
  documents: readonly JudgedDocument[],
  settings: RenderSettings,
): <S extends CheckSource>(document: JudgedDocument<S>, suppressions?: readonly Suppression[]) => RenderedDocument<S> {
  const values = documents.map(({ source }) => source.value);
  const clusters = new Map<string, Cluster>();
  const context = (groups: readonly string[]): RenderContext => {
    const key = groups.join(',');
    const cluster = clusters.get(key) ?? clusterOfDocuments(values, new Set(groups), settings.namespace);
    clusters.set(key, cluster);
    return { config: settings.config ?? chartConfig(), cluster };
  };
  return (document, suppressions = []) => {
    const { stored, findings } = document;
    if (stored === undefined || !isRenderable(stored) || findings.some(({ severity }) => severity === 'error')) return document;
    const resource = withLiveStatus(stored, document.source.value);
    const { result, warnings } = renderWith(resource, context, settings);
    const rendering = { ...result, resource, rejections: rejectionFindings(result.objects) };
    return { ...document, rendering, findings: [...findings, ...warnings, ...findingsOf(rendering, stored, suppressions)] };
  };
}

/** The rendering, and, if only Grove can run the resource, warnings that say why LeaderWorkerSet cannot. */
interface OrchestratorResult {
  readonly result: RenderResult;
  readonly warnings: readonly DocumentFinding[];
}

/**
 * Renders a resource for the given API groups. When neither API groups nor orchestrator are given, a multinode resource is rendered for
 * LeaderWorkerSet, or for Grove if only Grove can run it. In that case only the quirks that apply to both orchestrators are reported.
 */
function renderWith(
  resource: RenderableResource,
  context: (groups: readonly string[]) => RenderContext,
  { apiGroups, orchestrator }: RenderSettings,
): OrchestratorResult {
  const known = apiGroups !== undefined || orchestrator !== undefined;
  const groups = [...(apiGroups ?? []), ...orchestratorGroups[orchestrator ?? 'none']];
  if (known || !isMultinode(resource)) return { result: renderResource(resource, context(groups)), warnings: [] };
  const [lws, grove] = [context(orchestratorGroups.lws), context(orchestratorGroups.grove)];
  const onLws = renderResource(resource, lws);
  const onGrove = onLws.issues.length === 0 ? undefined : renderResource(resource, grove);
  const result = onGrove?.issues.length === 0 ? onGrove : onLws;
  const key = ({ id, path }: { readonly id: string; readonly path: unknown }): string => JSON.stringify([id, path]);
  const other = new Set(findQuirks(resource, result === onLws ? grove : lws).map(key));
  const warnings = result === onLws ? [] : onLws.issues.map(groveOnlyWarning);
  return { result: { ...result, quirks: result.quirks.filter((quirk) => other.has(key(quirk))) }, warnings };
}

function groveOnlyWarning({ path, code, message }: RenderIssue): DocumentFinding {
  const condition = 'only Grove can run this; set --orchestrator to the orchestrator of the cluster';
  return { stage: 'render', severity: 'warning', id: code, path, message: `${message}; ${condition}` };
}

function isMultinode(resource: RenderableResource): boolean {
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

/** Keeps the restart status of an object read from a cluster: it decides which pods carry the restart token. */
function withLiveStatus(stored: RenderableResource, value: CheckSource['value']): RenderableResource {
  if (stored.kind !== 'DynamoGraphDeployment' || valueAt(value, 'metadata', 'uid') === undefined) return stored;
  const { resource } = parseResource(value, { status: 'keep' });
  const restart = resource?.kind === 'DynamoGraphDeployment' ? resource.status?.restart : undefined;
  return restart === undefined ? stored : { ...stored, status: { restart } };
}
