import type { Path } from '../api/path.ts';
import { renderComponent } from './component.ts';
import type { RenderContext } from './context.ts';
import { renderGraph } from './graph.ts';
import { findQuirks } from './quirks/find.ts';
import { renderRequest } from './request.ts';
import type { KubernetesObject, Rendered, RenderIssue, RenderResult, Source } from './result.ts';

/** Everything that follows from a resource, at all levels, and what its author should know. */
export function renderResource(resource: Source, context: RenderContext): RenderResult {
  return { ...renderLevels(resource, context), quirks: findQuirks(resource, context) };
}

/** Everything that follows from a resource, at all levels. */
export function renderLevels(resource: Source, context: RenderContext): Omit<RenderResult, 'quirks'> {
  if (resource.kind === 'DynamoComponentDeployment') return { ...renderComponent(resource, context), warnings: [] };
  if (resource.kind === 'DynamoGraphDeploymentRequest') return { ...renderRequest(resource, context), warnings: [] };
  const graph = renderGraph(resource, context);
  const objects: Rendered[] = [...graph.objects];
  const issues: RenderIssue[] = [...graph.issues];
  const seen = new Set<string>();
  for (const { service, resource: component } of graph.components) {
    const path: Path = ['spec', 'services', service];
    const rendered = renderComponent(component, context, { source: resource, path });
    for (const child of rendered.objects) if (isFirst(child.object, seen)) objects.push(child);
    issues.push(...rendered.issues);
  }
  return { objects, issues, warnings: graph.warnings };
}

/** Components that serve one model share its Service: the first to come owns it. */
function isFirst({ kind, metadata }: KubernetesObject, seen: Set<string>): boolean {
  if (kind !== 'Service' || !metadata.name.startsWith('dynamo-model-')) return true;
  const known = seen.has(metadata.name);
  seen.add(metadata.name);
  return !known;
}
