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
