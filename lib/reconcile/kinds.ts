import { groupOf } from '../api/index.ts';
import type { ObjectKind, Snapshot } from './snapshot.ts';

const dynamo = 'nvidia.com/v1alpha1';
const grove = 'grove.io/v1alpha1';
const rbac = 'rbac.authorization.k8s.io/v1';

/** The kinds decisions read and write, as the API server serves them. */
export const kinds = {
  graph: { apiVersion: dynamo, kind: 'DynamoGraphDeployment' },
  component: { apiVersion: dynamo, kind: 'DynamoComponentDeployment' },
  request: { apiVersion: dynamo, kind: 'DynamoGraphDeploymentRequest' },
  model: { apiVersion: dynamo, kind: 'DynamoModel' },
  adapter: { apiVersion: dynamo, kind: 'DynamoGraphDeploymentScalingAdapter' },
  deployment: { apiVersion: 'apps/v1', kind: 'Deployment' },
  leaderWorkerSet: { apiVersion: 'leaderworkerset.x-k8s.io/v1', kind: 'LeaderWorkerSet' },
  podGroup: { apiVersion: 'scheduling.volcano.sh/v1beta1', kind: 'PodGroup' },
  podCliqueSet: { apiVersion: grove, kind: 'PodCliqueSet' },
  podClique: { apiVersion: grove, kind: 'PodClique' },
  podCliqueScalingGroup: { apiVersion: grove, kind: 'PodCliqueScalingGroup' },
  queue: { apiVersion: 'scheduling.run.ai/v2', kind: 'Queue' },
  job: { apiVersion: 'batch/v1', kind: 'Job' },
  pod: { apiVersion: 'v1', kind: 'Pod' },
  endpointSlice: { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' },
  service: { apiVersion: 'v1', kind: 'Service' },
  ingress: { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress' },
  virtualService: { apiVersion: 'networking.istio.io/v1beta1', kind: 'VirtualService' },
  serviceAccount: { apiVersion: 'v1', kind: 'ServiceAccount' },
  role: { apiVersion: rbac, kind: 'Role' },
  roleBinding: { apiVersion: rbac, kind: 'RoleBinding' },
  clusterRole: { apiVersion: rbac, kind: 'ClusterRole' },
  configMap: { apiVersion: 'v1', kind: 'ConfigMap' },
  secret: { apiVersion: 'v1', kind: 'Secret' },
  claim: { apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
  inferencePool: { apiVersion: 'inference.networking.k8s.io/v1', kind: 'InferencePool' },
} as const satisfies Readonly<Record<string, ObjectKind>>;

const builtIn = new Set(['', 'apps', 'rbac.authorization.k8s.io', 'networking.k8s.io', 'nvidia.com']);

/** Whether objects of a kind can be listed: the cluster serves the kind, and for VirtualServices a gateway is configured. */
export function isLookedAfter(kind: ObjectKind, { apiGroups, config }: Pick<Snapshot, 'apiGroups' | 'config'>): boolean {
  if (kind.kind === kinds.virtualService.kind && config.virtualServiceGateway === '') return false;
  return isServed(kind, apiGroups);
}

/** Whether the cluster serves a kind: what comes with Kubernetes or with this operator always, other APIs where they are installed. */
export function isServed(kind: ObjectKind, apiGroups: readonly string[]): boolean {
  const group = groupOf(kind.apiVersion);
  return builtIn.has(group) || apiGroups.includes(group);
}
