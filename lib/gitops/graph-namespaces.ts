import { byteOrder } from '../json/index.ts';
import { inNamespace, type KubernetesObject } from '../platform/index.ts';
import type { Environment } from './layout.ts';

/** The label that the API server gives every namespace. */
const nameLabel = 'kubernetes.io/metadata.name';
const graphKinds = ['DynamoGraphDeployment', 'DynamoComponentDeployment', 'DynamoGraphDeploymentRequest'];

/** Namespace of graphs that name none. The platform's own enforces Pod Security restricted, which pods of graphs do not pass. */
export const defaultGraphNamespace = 'models';

/**
 * Graphs and what came with them, each in a namespace: its own or the given one. Namespaces that nobody brings come first, as objects of their own;
 * they carry the labels by which the platforms of the environments know clients of NATS and etcd.
 */
export function placeGraphs(
  objects: readonly KubernetesObject[],
  namespace: string,
  environments: readonly Environment[],
): readonly KubernetesObject[] {
  const known = environments.map((environment) => environment.namespace);
  const placed = objects.map((object) => inNamespace(object, namespace));
  const brought = new Set([...known, ...placed.filter((o) => o.kind === 'Namespace').map((o) => o.metadata.name)]);
  const needed = new Set(placed.flatMap(({ metadata }) => (metadata.namespace === undefined ? [] : [metadata.namespace])));
  const missing = [...needed].filter((name) => !brought.has(name)).toSorted(byteOrder);
  const clients = environments
    .flatMap(({ clientLabels }) => Object.entries(clientLabels ?? {}))
    .filter(([key]) => key !== nameLabel);
  const labels = { 'app.kubernetes.io/managed-by': 'dynamo-cdk8s', ...Object.fromEntries(clients) };
  return [...missing.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } })), ...placed];
}

/** Graphs whose pods the NetworkPolicies of an environment keep from NATS and etcd, in words for the user. */
export function keptFromNats(
  { name, namespace: home, clientLabels }: Environment,
  graphs: readonly KubernetesObject[],
): readonly string[] {
  if (clientLabels === undefined) return [];
  const wanted = Object.entries(clientLabels);
  const isAdmitted = (namespace: string): boolean => {
    const labels = graphs.find((o) => o.kind === 'Namespace' && o.metadata.name === namespace)?.metadata.labels;
    return namespace === home || wanted.every(([key, value]) => (key === nameLabel ? namespace : labels?.[key]) === value);
  };
  const shown = wanted.map(([key, value]) => `${key}=${value}`).join(', ');
  return graphs
    .filter(({ apiVersion, kind }) => apiVersion.startsWith('nvidia.com/') && graphKinds.includes(kind))
    .filter(({ metadata }) => metadata.namespace !== undefined && !isAdmitted(metadata.namespace))
    .map(
      ({ kind, metadata }) =>
        `${kind} ${metadata.namespace}/${metadata.name} cannot reach NATS and etcd of ${name}, which admit namespaces with the labels ${shown} only; label its namespace so, or change platform.networkPolicy.clientNamespaceLabels`,
    );
}
