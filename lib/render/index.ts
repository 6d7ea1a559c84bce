/**
 * Renders the Kubernetes objects that the operator creates for a resource. Pure: the state of the cluster and the operator's flags are passed in as
 * the context. Nothing here connects to a cluster, applies objects or compares them.
 */
export { clusterOfDocuments } from './cluster-of-documents.ts';
export { renderComponent, type ComponentRendering } from './component-objects.ts';
export type { Cluster, Existence, LiveGraph, OperatorConfig, RenderContext, RestartStatus } from './render-context.ts';
export { renderGraph, runsOnGrove, type ComponentOfGraph, type GraphRendering } from './graph-objects.ts';
export {
  account,
  accountBindingName,
  accountRoleName,
  cliqueName,
  discoveryAccount,
  discoveryServiceNames,
  inferencePoolName,
  isModelServiceName,
  modelServiceName,
  profilingJobName,
  profilingOutputName,
  replicaName,
  serviceObjectName,
} from './object-names.ts';
export { canonicalText, hashWithoutSpec, specHash } from './spec-hash.ts';
export type { KubernetesObject } from '../api/index.ts';
export { annotation, label } from './label-keys.ts';
export { largestCluster } from './largest-cluster.ts';
export { cleanObject } from './clean-object.ts';
export { chartConfig, flagDefaults, operatorFlags, withFlags } from './operator-config.ts';
export { findQuirks } from './quirks/find-quirks.ts';
export { quirks, type Quirk } from './quirks/quirks.ts';
export { renderLevels, renderResource } from './render.ts';
export { renderRequest } from './profiling-job.ts';
export { traceField } from './trace/trace.ts';
export type {
  FiredQuirk,
  Level,
  ObjectReference,
  RenderedObject,
  RenderIssue,
  RenderResult,
  RenderableResource,
} from './result.ts';
export { registryHost } from './pod/pull-secrets.ts';
export { renderBoundAccount } from './service-accounts.ts';
export { discoveryBackend } from './discovery-backend.ts';
export { launchedFrameworks, resolveFramework } from './framework.ts';
export { isPython } from './multinode/inject.ts';
export { modelHash } from './base-model.ts';
export { restartOrder } from './restart-order.ts';
export { goYaml } from './wire/go-yaml.ts';
export { graphSpec } from './wire/graph-shapes.ts';
export { rewrite } from './wire/field.ts';
