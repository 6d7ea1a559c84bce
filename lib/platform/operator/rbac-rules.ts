import type { JsonObject } from '../../json/index.ts';

/** One rule of a role. */
export interface Rule extends JsonObject {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  /** Paths of an HTTP server that authorizes requests through the API server. */
  readonly nonResourceURLs?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** Every verb on single resources. */
const all: readonly string[] = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];
/** Verbs for reading through a cache. */
const read: readonly string[] = ['get', 'list', 'watch'];

/** A rule on one API group; '' is the core group. */
export function rule(group: string, resources: readonly string[], verbs: readonly string[]): Rule {
  return { apiGroups: [group], resources, verbs };
}

const kinds = [
  'dynamocomponentdeployments',
  'dynamographdeploymentrequests',
  'dynamographdeployments',
  'dynamographdeploymentscalingadapters',
  'dynamomodels',
];

/** Full control of the five Dynamo kinds, their status and their finalizers, except those of scaling adapters, which have none. */
const ownResources: readonly Rule[] = [
  rule('nvidia.com', kinds, all),
  rule(
    'nvidia.com',
    kinds.filter((k) => k !== 'dynamographdeploymentscalingadapters').map((k) => `${k}/finalizers`),
    ['update'],
  ),
  rule(
    'nvidia.com',
    kinds.map((k) => `${k}/status`),
    ['get', 'patch', 'update'],
  ),
];

/** Leader election and its events. */
export const leaderElectionRules: readonly Rule[] = [
  rule('', ['configmaps'], all),
  rule('coordination.k8s.io', ['leases'], all),
  rule('', ['events'], ['create', 'patch']),
];

/**
 * Leader election with one Lease. A rule cannot restrict `create` by name:
 * https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-resources
 */
export function leaseElectionRules(id: string): readonly Rule[] {
  return [
    rule('coordination.k8s.io', ['leases'], ['create']),
    { ...rule('coordination.k8s.io', ['leases'], ['get', 'patch', 'update']), resourceNames: [id] },
    rule('', ['events'], ['create', 'patch']),
  ];
}

/** Rules that the role `view` gets: read access to every Dynamo kind. */
export const viewRules: readonly Rule[] = [rule('nvidia.com', [...kinds, 'dynamoworkermetadatas'], read)];

/** Rules that the role `edit` gets: write access to the kinds that users write. */
export const editRules: readonly Rule[] = [
  rule('nvidia.com', kinds, [...all, 'deletecollection']),
  rule('nvidia.com', ['dynamographdeploymentscalingadapters/scale'], ['get', 'patch', 'update']),
];

/** Nodes, the only cluster-scoped resource that a profiling Job reads. */
export const nodeRules: readonly Rule[] = [rule('', ['nodes'], read)];

/** The original's manager role, in its order; the seventh rule grants everything and makes the others redundant. */
export function originalManagerRules(istio: boolean): readonly Rule[] {
  return [
    rule('', ['configmaps'], all),
    rule('', ['persistentvolumeclaims'], all),
    rule('', ['secrets'], all),
    rule('discovery.k8s.io', ['endpointslices'], read),
    rule('', ['serviceaccounts'], all),
    rule('', ['services'], all),
    rule('*', ['*'], ['*']),
    rule('admissionregistration.k8s.io', ['mutatingwebhookconfigurations'], all),
    rule('apiextensions.k8s.io', ['customresourcedefinitions'], all),
    rule('grove.io', ['podcliquesets'], all),
    rule('grove.io', ['podcliques/scale', 'podcliquescalinggroups/scale'], ['get', 'patch', 'update']),
    rule('scheduling.run.ai', ['queues'], ['get', 'list']),
    rule('apps', ['deployments'], all),
    rule('apps', ['statefulsets'], all),
    rule('autoscaling', ['horizontalpodautoscalers'], all),
    rule('batch', ['cronjobs'], all),
    rule('batch', ['jobs'], all),
    rule('coordination.k8s.io', ['leases'], all),
    rule('', ['configmaps'], all),
    rule('', ['events'], all),
    rule('', ['persistentvolumeclaims'], ['create', 'delete', 'get', 'list']),
    rule('', ['pods'], all),
    rule('', ['secrets'], all),
    rule('', ['serviceaccounts'], read),
    rule('', ['services'], all),
    rule('events.k8s.io', ['events'], all),
    ...(istio ? [rule('networking.istio.io', ['virtualservices'], all)] : []),
    rule('networking.k8s.io', ['ingressclasses'], all),
    rule('networking.k8s.io', ['ingresses'], all),
    rule('networking.k8s.io', ['networkpolicies'], all),
    rule('inference.networking.k8s.io', ['inferencepools'], all),
    ...ownResources,
    rule('rbac.authorization.k8s.io', ['clusterrolebindings'], all),
    rule('rbac.authorization.k8s.io', ['clusterroles'], all),
    rule('rbac.authorization.k8s.io', ['rolebindings'], all),
    rule('rbac.authorization.k8s.io', ['roles'], all),
    rule('leaderworkerset.x-k8s.io', ['leaderworkersets'], all),
    rule('scheduling.volcano.sh', ['podgroups'], all),
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
export function leastManagerRules({ restricted, istio, boundRoles, sshSecret }: LeastPrivilege): readonly Rule[] {
  return [
    ...ownResources,
    rule('nvidia.com', ['dynamoworkermetadatas'], all),
    rule('', ['configmaps', 'services', 'serviceaccounts'], all),
    rule('', ['endpoints', 'pods'], read),
    rule('', ['persistentvolumeclaims'], ['create', 'delete', 'get', 'list', 'watch']),
    rule('', ['secrets'], ['create', 'get', 'list', 'watch']),
    ...(sshSecret === '' ? [] : [{ ...rule('', ['secrets'], ['patch']), resourceNames: [sshSecret] }]),
    rule('', ['events'], ['create', 'patch']),
    rule('events.k8s.io', ['events'], ['create', 'patch']),
    rule('apps', ['deployments'], all),
    rule('autoscaling', ['horizontalpodautoscalers'], all),
    rule('batch', ['jobs'], all),
    rule('coordination.k8s.io', ['leases'], restricted ? all : read),
    rule('discovery.k8s.io', ['endpointslices'], read),
    rule('networking.k8s.io', ['ingresses'], all),
    ...(istio ? [rule('networking.istio.io', ['virtualservices'], all)] : []),
    rule('leaderworkerset.x-k8s.io', ['leaderworkersets'], all),
    rule('scheduling.volcano.sh', ['podgroups'], all),
    rule('grove.io', ['podcliquesets'], all),
    rule('grove.io', ['podcliques', 'podcliquescalinggroups'], read),
    rule('grove.io', ['podcliques/scale', 'podcliquescalinggroups/scale'], ['get', 'patch', 'update']),
    rule('inference.networking.k8s.io', ['inferencepools'], all),
    rule('rbac.authorization.k8s.io', ['rolebindings', 'roles'], all),
    ...(restricted
      ? []
      : [
          rule('rbac.authorization.k8s.io', ['clusterroles'], read),
          { ...rule('rbac.authorization.k8s.io', ['clusterroles'], ['bind']), resourceNames: boundRoles },
        ]),
  ];
}

/** Rules of the planner of a graph. */
export const plannerRules: readonly Rule[] = [
  rule('nvidia.com', ['dynamocomponentdeployments', 'dynamographdeployments'], ['get', 'list', 'create', 'update', 'patch']),
  rule('nvidia.com', ['dynamographdeploymentscalingadapters/scale'], ['patch']),
  rule('discovery.k8s.io', ['endpointslices'], read),
  rule('nvidia.com', ['dynamoworkermetadatas'], all),
];

/** Rules of the endpoint picker of a graph. Under a restricted operator it may not create reviews, which are cluster-scoped. */
export function eppRules(restricted: boolean): readonly Rule[] {
  return [
    rule('inference.networking.x-k8s.io', ['inferencepools', 'inferenceobjectives', 'inferencemodelrewrites'], read),
    rule('inference.networking.k8s.io', ['inferencepools'], read),
    rule('', ['pods'], read),
    rule('discovery.k8s.io', ['endpointslices'], read),
    rule('nvidia.com', ['dynamoworkermetadatas'], all),
    ...(restricted ? [] : reviewRules),
  ];
}

/** TokenReviews and SubjectAccessReviews, to authenticate and authorize requests. */
export const reviewRules: readonly Rule[] = [
  rule('authentication.k8s.io', ['tokenreviews'], ['create']),
  rule('authorization.k8s.io', ['subjectaccessreviews'], ['create']),
];

/** Rules of a profiling Job. Under a restricted operator it may not read nodes, which are cluster-scoped. */
export function profilingRules(restricted: boolean): readonly Rule[] {
  return [
    rule('', ['configmaps'], ['create', 'get', 'update', 'patch', 'delete']),
    rule('nvidia.com', ['dynamographdeploymentrequests'], ['get']),
    rule('nvidia.com', ['dynamographdeployments'], ['get', 'create', 'delete', 'list', 'watch']),
    rule('', ['pods'], ['list', 'get', 'create', 'delete']),
    rule('', ['pods/log'], ['get']),
    ...(restricted ? [] : [rule('', ['nodes'], read)]),
  ];
}
