/** The Dynamo namespace of a component: one per graph, or `dynamo`, which all graphs share. */
export function dynamoNamespace(namespace: string, graph: string, global: boolean | undefined): string {
  return global === true ? 'dynamo' : `${namespace}-${graph}`;
}
