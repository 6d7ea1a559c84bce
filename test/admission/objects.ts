import type { JsonObject } from '../../lib/json/index.ts';

/** A resource of a kind with the given spec, in namespace `ns`, named `x`. */
export function resource(kind: string, spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: 'nvidia.com/v1alpha1', kind, metadata: { name: 'x', namespace: 'ns', ...metadata }, spec };
}

/** A graph of the given services. */
export function graph(services: JsonObject, more: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return resource('DynamoGraphDeployment', { services, ...more }, metadata);
}
