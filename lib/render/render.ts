import type { KubernetesObject } from '../api/index.ts';
import { isModelServiceName } from './object-names.ts';
import { append, type Path } from '../json/index.ts';
import { renderComponent } from './component-objects.ts';
import type { RenderContext } from './render-context.ts';
import { renderGraph } from './graph-objects.ts';
import { findQuirks } from './quirks/find-quirks.ts';
import { renderRequest } from './profiling-job.ts';
import type { RenderedObject, RenderIssue, RenderResult, RenderableResource } from './result.ts';

/** Renders all objects of a resource, at all levels, and finds the quirks that apply to it. */
export function renderResource(resource: RenderableResource, context: RenderContext): RenderResult {
  return { ...renderLevels(resource, context), quirks: findQuirks(resource, context) };
}

/** Renders all objects of a resource, at all levels. */
export function renderLevels(resource: RenderableResource, context: RenderContext): Omit<RenderResult, 'quirks'> {
  if (resource.kind === 'DynamoComponentDeployment') return { ...renderComponent(resource, context), warnings: [] };
  if (resource.kind === 'DynamoGraphDeploymentRequest') return { ...renderRequest(resource, context), warnings: [] };
  const graph = renderGraph(resource, context);
  const objects: RenderedObject[] = [...graph.objects];
  const issues: RenderIssue[] = [...graph.issues];
  const seen = new Set<string>();
  for (const { service, resource: component } of graph.components) {
    const path: Path = ['spec', 'services', service];
    const rendered = renderComponent(component, context, { source: resource, path });
    for (const child of rendered.objects) if (isFirst(child.object, seen)) objects.push(child);
    append(issues, rendered.issues);
  }
  return { objects, issues, warnings: graph.warnings };
}

/** Components that serve the same model share its Service, which the first of them owns. */
function isFirst({ kind, metadata }: KubernetesObject, seen: Set<string>): boolean {
  if (kind !== 'Service' || !isModelServiceName(metadata.name)) return true;
  const known = seen.has(metadata.name);
  seen.add(metadata.name);
  return !known;
}
