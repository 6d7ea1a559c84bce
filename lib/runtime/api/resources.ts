/** Where the API server serves each kind; the kinds the operator works with are known without asking. */
import type { ObjectKey, ObjectKind } from './object.ts';

/** A kind as a REST resource. */
export interface Resource extends ObjectKind {
  readonly plural: string;
  readonly namespaced: boolean;
}

const namespaced = {
  v1: {
    ConfigMap: 'configmaps',
    Event: 'events',
    PersistentVolumeClaim: 'persistentvolumeclaims',
    Pod: 'pods',
    Secret: 'secrets',
    Service: 'services',
    ServiceAccount: 'serviceaccounts',
  },
  'apps/v1': { Deployment: 'deployments' },
  'autoscaling/v2': { HorizontalPodAutoscaler: 'horizontalpodautoscalers' },
  'batch/v1': { Job: 'jobs' },
  'coordination.k8s.io/v1': { Lease: 'leases' },
  'discovery.k8s.io/v1': { EndpointSlice: 'endpointslices' },
  'grove.io/v1alpha1': {
    PodClique: 'podcliques',
    PodCliqueScalingGroup: 'podcliquescalinggroups',
    PodCliqueSet: 'podcliquesets',
  },
  'inference.networking.k8s.io/v1': { InferencePool: 'inferencepools' },
  'leaderworkerset.x-k8s.io/v1': { LeaderWorkerSet: 'leaderworkersets' },
  'networking.istio.io/v1beta1': { VirtualService: 'virtualservices' },
  'networking.k8s.io/v1': { Ingress: 'ingresses' },
  'nvidia.com/v1alpha1': {
    DynamoComponentDeployment: 'dynamocomponentdeployments',
    DynamoGraphDeployment: 'dynamographdeployments',
    DynamoGraphDeploymentRequest: 'dynamographdeploymentrequests',
    DynamoGraphDeploymentScalingAdapter: 'dynamographdeploymentscalingadapters',
    DynamoModel: 'dynamomodels',
  },
  'rbac.authorization.k8s.io/v1': { Role: 'roles', RoleBinding: 'rolebindings' },
  'scheduling.volcano.sh/v1beta1': { PodGroup: 'podgroups' },
} satisfies Table;

const clusterScoped = {
  v1: { Namespace: 'namespaces', Node: 'nodes' },
  'admissionregistration.k8s.io/v1': { ValidatingWebhookConfiguration: 'validatingwebhookconfigurations' },
  'apiextensions.k8s.io/v1': { CustomResourceDefinition: 'customresourcedefinitions' },
  'authentication.k8s.io/v1': { TokenReview: 'tokenreviews' },
  'authorization.k8s.io/v1': { SubjectAccessReview: 'subjectaccessreviews' },
  'rbac.authorization.k8s.io/v1': { ClusterRole: 'clusterroles' },
  'scheduling.run.ai/v2': { Queue: 'queues' },
} satisfies Table;

type Table = Readonly<Record<string, Readonly<Record<string, string>>>>;

const known: ReadonlyMap<string, Resource> = new Map([...entries(namespaced, true), ...entries(clusterScoped, false)]);

/** The resource of a kind the operator works with; `undefined` for any other. */
export function knownResource({ apiVersion, kind }: ObjectKind): Resource | undefined {
  return known.get(`${apiVersion}/${kind}`);
}

/** Path at which a group and version is served. */
export function groupPath(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

/** Path of a collection; of all namespaces when none is given. */
export function collectionPath({ apiVersion, plural, namespaced }: Resource, namespace = ''): string {
  const scope = namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${groupPath(apiVersion)}${scope}/${plural}`;
}

/** Path of one object, or of a subresource of it. */
export function objectPath(resource: Resource, { namespace, name }: ObjectKey, subresource?: string): string {
  const path = `${collectionPath(resource, namespace)}/${encodeURIComponent(name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

function entries(table: Table, namespaced: boolean): readonly (readonly [string, Resource])[] {
  return Object.entries(table).flatMap(([apiVersion, kinds]) =>
    Object.entries(kinds).map(([kind, plural]) => [`${apiVersion}/${kind}`, { apiVersion, kind, plural, namespaced }] as const),
  );
}
