import type { KubernetesObject } from './part.ts';

/** Kinds without a namespace among those the platform renders or a user may add. */
const clusterKinds = new Set([
  'APIService',
  'ClusterIssuer',
  'ClusterRole',
  'ClusterRoleBinding',
  'CustomResourceDefinition',
  'IngressClass',
  'MutatingWebhookConfiguration',
  'Namespace',
  'PersistentVolume',
  'PriorityClass',
  'Queue',
  'SchedulingShard',
  'StorageClass',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
]);

/** Whether objects of a kind live in the cluster and not in a namespace. */
export function isClusterScoped(apiVersion: string, kind: string): boolean {
  return clusterKinds.has(kind) || (kind === 'Config' && apiVersion.startsWith('kai.scheduler/'));
}

/** The object in a namespace, unless it names one itself or has none. */
export function inNamespace(object: KubernetesObject, namespace: string): KubernetesObject {
  if (object.metadata.namespace !== undefined || isClusterScoped(object.apiVersion, object.kind)) return object;
  return { ...object, metadata: { ...object.metadata, namespace } };
}
