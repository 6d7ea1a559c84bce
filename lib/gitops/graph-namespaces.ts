import type { KubernetesObject } from '../api/index.ts';
import { byteOrder } from '../json/index.ts';
import { inNamespace } from '../platform/index.ts';
import type { Environment } from './layout.ts';

/** Set by the API server on every namespace, see https://kubernetes.io/docs/reference/labels-annotations-taints/#kubernetes-io-metadata-name. */
const nameLabel = 'kubernetes.io/metadata.name';
const graphKinds = ['DynamoGraphDeployment', 'DynamoComponentDeployment', 'DynamoGraphDeploymentRequest'];

/** Namespace of graphs without one. The platform's namespace enforces the Pod Security level restricted, which pods of graphs violate. */
export const defaultGraphNamespace = 'models';

/**
 * Returns the graphs and their related objects, each with a namespace: its own or the given default. Namespaces that no other object creates come
 * first, with the labels that admit their pods to the NATS and etcd of the environments.
 */
export function placeGraphs(
  objects: readonly KubernetesObject[],
  namespace: string,
  environments: readonly Environment[],
): readonly KubernetesObject[] {
  const platformNamespaces = environments.map((environment) => environment.namespace);
  const placed = objects.map((object) => inNamespace(object, namespace));
  const existing = new Set([...platformNamespaces, ...placed.filter((o) => o.kind === 'Namespace').map((o) => o.metadata.name)]);
  const needed = new Set(placed.flatMap(({ metadata }) => (metadata.namespace === undefined ? [] : [metadata.namespace])));
  const missing = [...needed].filter((name) => !existing.has(name)).toSorted(byteOrder);
  const clients = environments
    .flatMap(({ clientLabels }) => Object.entries(clientLabels ?? {}))
    .filter(([key]) => key !== nameLabel);
  const labels = { 'app.kubernetes.io/managed-by': 'dynamo-cdk8s', ...Object.fromEntries(clients) };
  return [...missing.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } })), ...placed];
}

/** Messages about graphs whose pods the NetworkPolicies of an environment block from NATS and etcd. */
export function blockedFromNats(
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
        `${kind} ${metadata.namespace}/${metadata.name} cannot reach NATS and etcd of ${name}, which admit only namespaces with the labels ${shown}; add the labels to its namespace or change platform.networkPolicy.clientNamespaceLabels`,
    );
}
