import type { JsonObject } from '../api/json.ts';
import { isDynamo, viewGraph, type GraphView } from './graph-view.ts';
import { kindOf, nameOf, namespaceOf } from './read.ts';
import type { LintContext } from './rule.ts';

/** The context with its graphs read and its objects indexed, built once for all resources of a run. */
export interface Surroundings {
  readonly context: LintContext;
  readonly namespace: string;
  readonly resources: readonly JsonObject[];
  readonly graphs: readonly GraphView[];
  /** The graph view of a resource. */
  readonly graphOf: (resource: JsonObject) => GraphView;
  /** Objects of a kind in a namespace. */
  readonly ofKind: (kind: string, namespace: string) => readonly JsonObject[];
  /** One object, or undefined when it is not among the resources or there are two of that name. */
  readonly find: (kind: string, namespace: string, name: string) => JsonObject | undefined;
}

/** Builds the surroundings of a run. */
export function surround(context: LintContext): Surroundings {
  const namespace = context.namespace ?? 'default';
  const resources = context.resources ?? [];
  const byKind = new Map<string, JsonObject[]>();
  for (const resource of resources) {
    const key = `${kindOf(resource)}/${namespaceOf(resource, namespace)}`;
    const list = byKind.get(key);
    if (list) list.push(resource);
    else byKind.set(key, [resource]);
  }
  const views = new Map<JsonObject, GraphView>();
  const graphOf = (resource: JsonObject): GraphView => {
    const view = views.get(resource) ?? viewGraph(resource, namespace);
    views.set(resource, view);
    return view;
  };
  const ofKind = (kind: string, ns: string): readonly JsonObject[] => byKind.get(`${kind}/${ns}`) ?? [];
  return {
    context,
    namespace,
    resources,
    graphs: resources.filter((r) => isDynamo(r) && r['kind'] === 'DynamoGraphDeployment').map(graphOf),
    graphOf,
    ofKind,
    find: (kind, ns, name) => {
      const [first, second] = ofKind(kind, ns).filter((r) => nameOf(r) === name);
      return second === undefined ? first : undefined;
    },
  };
}
