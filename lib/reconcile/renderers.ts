import { isEqual, objectAt, valueAt, type Json, type JsonObject } from '../json/index.ts';
import {
  renderComponent,
  renderGraph,
  type Cluster,
  type ComponentRendering,
  type GraphRendering,
  type RenderContext,
} from '../render/index.ts';

/** The renderers that reconcile decisions use. */
export interface Renderers {
  readonly graph: (graph: Parameters<typeof renderGraph>[0], context: RenderContext) => GraphRendering;
  readonly component: (component: Parameters<typeof renderComponent>[0], context: RenderContext) => ComponentRendering;
}

/** Renders anew for every decision. */
export const renderers: Renderers = {
  graph: renderGraph,
  component: (component, context) => renderComponent(component, context),
};

interface Remembered<Rendering> {
  readonly rendering: Rendering;
  /** Cluster look-ups made during the rendering, with their answers. */
  readonly questions: readonly { readonly ask: (cluster: Cluster) => Json | undefined; readonly told: Json | undefined }[];
}

/**
 * Renderers with a cache: equal input and equal answers of the cluster give the cached rendering. Most passes follow a changed status, which
 * renderings do not read. Holds `limit` renderings and drops the oldest.
 */
export function rememberingRenderers(limit: number): Renderers {
  return { graph: remembering(renderGraph, limit), component: remembering(renderers.component, limit) };
}

function remembering<Resource extends object, Rendering>(
  render: (resource: Resource, context: RenderContext) => Rendering,
  limit: number,
): (resource: Resource, context: RenderContext) => Rendering {
  const known = new Map<string, Remembered<Rendering>>();
  return (resource, context) => {
    const key = inputKey(resource, context);
    const found = known.get(key);
    if (found?.questions.every(({ ask, told }) => isEqual(ask(context.cluster), told))) return found.rendering;
    const questions: Remembered<Rendering>['questions'][number][] = [];
    const rendering = render(resource, { ...context, cluster: listening(context.cluster, questions) });
    known.delete(key);
    known.set(key, { rendering, questions });
    const [oldest] = known.keys();
    if (known.size > limit && oldest !== undefined) known.delete(oldest);
    return rendering;
  };
}

/** Everything in a resource and its context that a rendering may read, except the cluster. */
function inputKey(resource: object, { config, live }: RenderContext): string {
  const { metadata, spec, kind, status } = resource as JsonObject;
  const { name, namespace, uid, labels, annotations, ownerReferences } = objectAt(metadata);
  const restart = valueAt(status, 'restart');
  return JSON.stringify([kind, name, namespace, uid, labels, annotations, ownerReferences, spec, restart, config, live]);
}

/** A cluster that records the questions it is asked. */
function listening(cluster: Cluster, questions: Remembered<unknown>['questions'][number][]): Cluster {
  const note = <Answer extends Json | undefined>(ask: (asked: Cluster) => Answer): Answer => {
    const told = ask(cluster);
    questions.push({ ask, told });
    return told;
  };
  return {
    hasApiGroup: (group) => note((asked) => asked.hasApiGroup(group)),
    claim: (namespace, name) => note((asked) => asked.claim(namespace, name)),
    queue: (name) => note((asked) => asked.queue(name)),
    clusterRole: (name) => note((asked) => asked.clusterRole(name)),
    find: (kind, namespace, name) => note((asked) => asked.find(kind, namespace, name)),
    pullSecrets: (namespace, host) => note((asked) => asked.pullSecrets(namespace, host)),
    podServiceAccount: (namespace) => note((asked) => asked.podServiceAccount(namespace)),
    configMapKeys: (namespace, name) => note((asked) => asked.configMapKeys(namespace, name)),
  };
}
