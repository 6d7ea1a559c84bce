/**
 * What the operator would create: a resource and its surroundings in, plain Kubernetes objects out. Pure: the cluster and the operator's flags
 * come in through the context. Nothing here talks to a cluster, applies or compares.
 */
export { clusterOfDocuments } from './cluster-of-documents.ts';
export { renderComponent, type ComponentRendering } from './component.ts';
export type { Cluster, Existence, LiveGraph, OperatorConfig, RenderContext, RestartStatus } from './context.ts';
export { renderGraph, runsOnGrove, type ComponentOfGraph, type GraphRendering } from './graph.ts';
export { parseDuration } from './wire/duration.ts';
export { canonicalText, hashWithoutSpec, specHash } from './hash.ts';
export { cleanObject } from './clean.ts';
export { chartConfig, flagDefaults, operatorFlags, withFlags } from './operator-config.ts';
export { findQuirks } from './quirks/find.ts';
export { quirks, type Quirk } from './quirks/table.ts';
export { renderLevels, renderResource } from './render.ts';
export { renderRequest } from './request.ts';
export { traceField } from './trace/trace.ts';
export type {
  FiredQuirk,
  KubernetesObject,
  Level,
  ObjectMeta,
  ObjectReference,
  OwnerReference,
  Rendered,
  RenderIssue,
  RenderResult,
  Source,
} from './result.ts';
