/** The Dynamo namespace of a component: its graph's own, or the one all graphs share. */
export function dynamoNamespace(namespace: string, graph: string, global: boolean | undefined): string {
  return global === true ? 'dynamo' : `${namespace}-${graph}`;
}
