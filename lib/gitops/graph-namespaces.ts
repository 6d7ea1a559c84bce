import { inNamespace, type KubernetesObject } from '../platform/index.ts';

/** Namespace of graphs that name none. The platform's own enforces Pod Security restricted, which pods of graphs do not pass. */
export const defaultGraphNamespace = 'models';

/**
 * Graphs and what came with them, each in a namespace: its own or the given one. Namespaces that nobody brings come first, as objects of their own;
 * `known` are those that the platform brings.
 */
export function placeGraphs(
  objects: readonly KubernetesObject[],
  namespace: string,
  known: readonly string[],
): readonly KubernetesObject[] {
  const placed = objects.map((object) => inNamespace(object, namespace));
  const brought = new Set([...known, ...placed.filter((o) => o.kind === 'Namespace').map((o) => o.metadata.name)]);
  const needed = new Set(placed.flatMap(({ metadata }) => (metadata.namespace === undefined ? [] : [metadata.namespace])));
  const missing = [...needed].filter((name) => !brought.has(name)).toSorted();
  return [...missing.map(graphNamespace), ...placed];
}

function graphNamespace(name: string): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { 'app.kubernetes.io/managed-by': 'dynamo-cdk8s' } } };
}
