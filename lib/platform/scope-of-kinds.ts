import type { KubernetesObject } from '../api/index.ts';

/** Cluster-scoped kinds that the platform renders or a user may add. */
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

/** Whether a kind is cluster-scoped. */
export function isClusterScoped(apiVersion: string, kind: string): boolean {
  return clusterKinds.has(kind) || (kind === 'Config' && apiVersion.startsWith('kai.scheduler/'));
}

/** Sets the namespace of an object, unless it has one or is cluster-scoped. */
export function inNamespace(object: KubernetesObject, namespace: string): KubernetesObject {
  if (object.metadata.namespace !== undefined || isClusterScoped(object.apiVersion, object.kind)) return object;
  return { ...object, metadata: { ...object.metadata, namespace } };
}
