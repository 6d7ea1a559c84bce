import { policyRule, type PolicyRule } from '../policy-rule.ts';

/** Every verb on single resources. */
const all: readonly string[] = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];
/** Verbs for reading through a cache. */
const read: readonly string[] = ['get', 'list', 'watch'];

const kinds = [
  'dynamocomponentdeployments',
  'dynamographdeploymentrequests',
  'dynamographdeployments',
  'dynamographdeploymentscalingadapters',
  'dynamomodels',
];

/** Full control of the five Dynamo kinds, their status and their finalizers, except those of scaling adapters, which have none. */
const ownResources: readonly PolicyRule[] = [
  policyRule('nvidia.com', kinds, all),
  policyRule(
    'nvidia.com',
    kinds.filter((k) => k !== 'dynamographdeploymentscalingadapters').map((k) => `${k}/finalizers`),
    ['update'],
  ),
  policyRule(
    'nvidia.com',
    kinds.map((k) => `${k}/status`),
    ['get', 'patch', 'update'],
  ),
];

/** Leader election and its events. */
export const leaderElectionRules: readonly PolicyRule[] = [
  policyRule('', ['configmaps'], all),
  policyRule('coordination.k8s.io', ['leases'], all),
  policyRule('', ['events'], ['create', 'patch']),
];

/**
 * Leader election with one Lease. A rule cannot restrict `create` by name:
 * https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-resources
 */
export function leaseElectionRules(id: string): readonly PolicyRule[] {
  return [
    policyRule('coordination.k8s.io', ['leases'], ['create']),
    { ...policyRule('coordination.k8s.io', ['leases'], ['get', 'patch', 'update']), resourceNames: [id] },
    policyRule('', ['events'], ['create', 'patch']),
  ];
}

/** Rules that the role `view` gets: read access to every Dynamo kind. */
export const viewRules: readonly PolicyRule[] = [policyRule('nvidia.com', [...kinds, 'dynamoworkermetadatas'], read)];

/** Rules that the role `edit` gets: write access to the kinds that users write. */
export const editRules: readonly PolicyRule[] = [
  policyRule('nvidia.com', kinds, [...all, 'deletecollection']),
  policyRule('nvidia.com', ['dynamographdeploymentscalingadapters/scale'], ['get', 'patch', 'update']),
];

/** Nodes, the only cluster-scoped resource that a profiling Job reads. */
export const nodeRules: readonly PolicyRule[] = [policyRule('', ['nodes'], read)];

/** The original's manager role, in its order; the seventh rule grants everything and makes the others redundant. */
export function originalManagerRules(istio: boolean): readonly PolicyRule[] {
  return [
    policyRule('', ['configmaps'], all),
    policyRule('', ['persistentvolumeclaims'], all),
    policyRule('', ['secrets'], all),
    policyRule('discovery.k8s.io', ['endpointslices'], read),
    policyRule('', ['serviceaccounts'], all),
    policyRule('', ['services'], all),
    policyRule('*', ['*'], ['*']),
    policyRule('admissionregistration.k8s.io', ['mutatingwebhookconfigurations'], all),
    policyRule('apiextensions.k8s.io', ['customresourcedefinitions'], all),
    policyRule('grove.io', ['podcliquesets'], all),
    policyRule('grove.io', ['podcliques/scale', 'podcliquescalinggroups/scale'], ['get', 'patch', 'update']),
    policyRule('scheduling.run.ai', ['queues'], ['get', 'list']),
    policyRule('apps', ['deployments'], all),
    policyRule('apps', ['statefulsets'], all),
    policyRule('autoscaling', ['horizontalpodautoscalers'], all),
    policyRule('batch', ['cronjobs'], all),
    policyRule('batch', ['jobs'], all),
    policyRule('coordination.k8s.io', ['leases'], all),
    policyRule('', ['configmaps'], all),
    policyRule('', ['events'], all),
    policyRule('', ['persistentvolumeclaims'], ['create', 'delete', 'get', 'list']),
    policyRule('', ['pods'], all),
    policyRule('', ['secrets'], all),
    policyRule('', ['serviceaccounts'], read),
    policyRule('', ['services'], all),
    policyRule('events.k8s.io', ['events'], all),
    ...(istio ? [policyRule('networking.istio.io', ['virtualservices'], all)] : []),
    policyRule('networking.k8s.io', ['ingressclasses'], all),
    policyRule('networking.k8s.io', ['ingresses'], all),
    policyRule('networking.k8s.io', ['networkpolicies'], all),
    policyRule('inference.networking.k8s.io', ['inferencepools'], all),
    ...ownResources,
    policyRule('rbac.authorization.k8s.io', ['clusterrolebindings'], all),
    policyRule('rbac.authorization.k8s.io', ['clusterroles'], all),
    policyRule('rbac.authorization.k8s.io', ['rolebindings'], all),
    policyRule('rbac.authorization.k8s.io', ['roles'], all),
    policyRule('leaderworkerset.x-k8s.io', ['leaderworkersets'], all),
    policyRule('scheduling.volcano.sh', ['podgroups'], all),
  ];
}

/** Settings that the minimal rights of an operator depend on. */
export interface LeastPrivilege {
  readonly restricted: boolean;
  /** Whether the operator creates VirtualServices for graphs. */
  readonly istio: boolean;
  /** Names of the ClusterRoles the operator binds for graphs when cluster-wide. */
  readonly boundRoles: readonly string[];
  /** Name of the SSH Secret whose copies the operator updates; empty if there is none. */
  readonly sshSecret: string;
}

/**
 * Exactly the rights that the original operator uses. It can grant graphs only rights that it holds itself, which include endpoints and worker metadata; to bind
 * a ClusterRole it needs only the verb `bind`: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#privilege-escalation-prevention-and-bootstrapping
 */
export function leastManagerRules({ restricted, istio, boundRoles, sshSecret }: LeastPrivilege): readonly PolicyRule[] {
  return [
    ...ownResources,
    policyRule('nvidia.com', ['dynamoworkermetadatas'], all),
    policyRule('', ['configmaps', 'services', 'serviceaccounts'], all),
    policyRule('', ['endpoints', 'pods'], read),
    policyRule('', ['persistentvolumeclaims'], ['create', 'delete', 'get', 'list', 'watch']),
    policyRule('', ['secrets'], ['create', 'get', 'list', 'watch']),
    ...(sshSecret === '' ? [] : [{ ...policyRule('', ['secrets'], ['patch']), resourceNames: [sshSecret] }]),
    policyRule('', ['events'], ['create', 'patch']),
    policyRule('events.k8s.io', ['events'], ['create', 'patch']),
    policyRule('apps', ['deployments'], all),
    policyRule('autoscaling', ['horizontalpodautoscalers'], all),
    policyRule('batch', ['jobs'], all),
    policyRule('coordination.k8s.io', ['leases'], restricted ? all : read),
    policyRule('discovery.k8s.io', ['endpointslices'], read),
    policyRule('networking.k8s.io', ['ingresses'], all),
    ...(istio ? [policyRule('networking.istio.io', ['virtualservices'], all)] : []),
    policyRule('leaderworkerset.x-k8s.io', ['leaderworkersets'], all),
    policyRule('scheduling.volcano.sh', ['podgroups'], all),
    policyRule('grove.io', ['podcliquesets'], all),
    policyRule('grove.io', ['podcliques', 'podcliquescalinggroups'], read),
    policyRule('grove.io', ['podcliques/scale', 'podcliquescalinggroups/scale'], ['get', 'patch', 'update']),
    policyRule('inference.networking.k8s.io', ['inferencepools'], all),
    policyRule('rbac.authorization.k8s.io', ['rolebindings', 'roles'], all),
    ...(restricted
      ? []
      : [
          policyRule('rbac.authorization.k8s.io', ['clusterroles'], read),
          { ...policyRule('rbac.authorization.k8s.io', ['clusterroles'], ['bind']), resourceNames: boundRoles },
        ]),
  ];
}

/** Rules of the planner of a graph. */
export const plannerRules: readonly PolicyRule[] = [
  policyRule(
    'nvidia.com',
    ['dynamocomponentdeployments', 'dynamographdeployments'],
    ['get', 'list', 'create', 'update', 'patch'],
  ),
  policyRule('nvidia.com', ['dynamographdeploymentscalingadapters/scale'], ['patch']),
  policyRule('discovery.k8s.io', ['endpointslices'], read),
  policyRule('nvidia.com', ['dynamoworkermetadatas'], all),
];

/** Rules of the endpoint picker of a graph. Under a restricted operator it may not create reviews, which are cluster-scoped. */
export function eppRules(restricted: boolean): readonly PolicyRule[] {
  return [
    policyRule('inference.networking.x-k8s.io', ['inferencepools', 'inferenceobjectives', 'inferencemodelrewrites'], read),
    policyRule('inference.networking.k8s.io', ['inferencepools'], read),
    policyRule('', ['pods'], read),
    policyRule('discovery.k8s.io', ['endpointslices'], read),
    policyRule('nvidia.com', ['dynamoworkermetadatas'], all),
    ...(restricted ? [] : reviewRules),
  ];
}

/** TokenReviews and SubjectAccessReviews, to authenticate and authorize requests. */
export const reviewRules: readonly PolicyRule[] = [
  policyRule('authentication.k8s.io', ['tokenreviews'], ['create']),
  policyRule('authorization.k8s.io', ['subjectaccessreviews'], ['create']),
];

/** Rules of a profiling Job. Under a restricted operator it may not read nodes, which are cluster-scoped. */
export function profilingRules(restricted: boolean): readonly PolicyRule[] {
  return [
    policyRule('', ['configmaps'], ['create', 'get', 'update', 'patch', 'delete']),
    policyRule('nvidia.com', ['dynamographdeploymentrequests'], ['get']),
    policyRule('nvidia.com', ['dynamographdeployments'], ['get', 'create', 'delete', 'list', 'watch']),
    policyRule('', ['pods'], ['list', 'get', 'create', 'delete']),
    policyRule('', ['pods/log'], ['get']),
    ...(restricted ? [] : [policyRule('', ['nodes'], read)]),
  ];
}
