import type { JsonObject } from '../json/index.ts';
import { kindOf, nameOf, namespaceOf, servedKind } from '../api/index.ts';
import { viewGraph, type GraphView } from './graph-view.ts';
import type { LintContext } from './rule.ts';

/** The context with parsed graphs and indexed objects, built once for all resources of a run. */
export interface LintIndex {
  readonly context: LintContext;
  readonly namespace: string;
  readonly resources: readonly JsonObject[];
  readonly graphs: readonly GraphView[];
  /** The graph view of a resource. */
  readonly graphOf: (resource: JsonObject) => GraphView;
  /** Objects of a kind in a namespace. */
  readonly ofKind: (kind: string, namespace: string) => readonly JsonObject[];
  /** The objects of a kind, namespace and name; several when manifests define the same object. */
  readonly named: (kind: string, namespace: string, name: string) => readonly JsonObject[];
  /** The object with a name, or undefined when the resources contain none or several. */
  readonly find: (kind: string, namespace: string, name: string) => JsonObject | undefined;
}

function groupBy(
  resources: readonly JsonObject[],
  key: (resource: JsonObject) => string,
): ReadonlyMap<string, readonly JsonObject[]> {
  const groups = new Map<string, JsonObject[]>();
  for (const resource of resources) {
    const group = groups.get(key(resource));
    if (group) group.push(resource);
    else groups.set(key(resource), [resource]);
  }
  return groups;
}

/** Parses and indexes the resources of a run. */
export function buildLintIndex(context: LintContext): LintIndex {
  const namespace = context.namespace ?? 'default';
  const resources = context.resources ?? [];
  const kindKey = (resource: JsonObject): string => `${kindOf(resource)}/${namespaceOf(resource, namespace)}`;
  const byKind = groupBy(resources, kindKey);
  const byName = groupBy(resources, (resource) => `${kindKey(resource)}/${nameOf(resource)}`);
  const views = new Map<JsonObject, GraphView>();
  const graphOf = (resource: JsonObject): GraphView => {
    const view = views.get(resource) ?? viewGraph(resource, namespace);
    views.set(resource, view);
    return view;
  };
  const ofKind = (kind: string, ns: string): readonly JsonObject[] => byKind.get(`${kind}/${ns}`) ?? [];
  const named = (kind: string, ns: string, name: string): readonly JsonObject[] => byName.get(`${kind}/${ns}/${name}`) ?? [];
  return {
    context,
    namespace,
    resources,
    graphs: resources.filter((r) => servedKind(r)?.kind === 'DynamoGraphDeployment').map(graphOf),
    graphOf,
    ofKind,
    named,
    find: (kind, ns, name) => {
      const [first, second] = named(kind, ns, name);
      return second === undefined ? first : undefined;
    },
  };
}
