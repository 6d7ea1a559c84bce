import { rule, type LeastPrivilege, type Rule } from './rbac-rules.ts';

/** Verbs on objects that the operator creates: it reads them again after a conflict or a lost response, and patches instead of updating them. */
const child: readonly string[] = ['create', 'delete', 'get', 'list', 'patch', 'watch'];
/** Verbs of a watch; API servers without streaming lists need a list first: https://kubernetes.io/docs/reference/using-api/api-concepts/#streaming-lists */
const watched: readonly string[] = ['list', 'watch'];
const read: readonly string[] = ['get', ...watched];
/**
 * Verbs that the operator grants to the pods of graphs by their discovery Role, and must therefore hold itself:
 * https://kubernetes.io/docs/reference/access-authn-authz/rbac/#privilege-escalation-prevention-and-bootstrapping
 */
const granted = {
  workerMetadata: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  endpoints: read,
} as const;

const kinds = {
  components: 'dynamocomponentdeployments',
  requests: 'dynamographdeploymentrequests',
  graphs: 'dynamographdeployments',
  adapters: 'dynamographdeploymentscalingadapters',
  models: 'dynamomodels',
} as const;

/**
 * Leader election with one Lease. A rule cannot restrict `create` by name: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-resources.
 * The rules of the manager include events.
 */
export function ownElectionRules(id: string): readonly Rule[] {
  return [
    rule('coordination.k8s.io', ['leases'], ['create']),
    { ...rule('coordination.k8s.io', ['leases'], ['get', 'update']), resourceNames: [id] },
  ];
}

/**
 * Exactly the rights that the operator of this package uses, which are fewer than those of the original, since it patches objects. A test compares
 * these rules with the audit log of the operator's API calls.
 */
export function ownManagerRules({ restricted, istio, boundRoles, sshSecret }: LeastPrivilege): readonly Rule[] {
  return [
    rule('nvidia.com', [kinds.components, kinds.adapters], child),
    rule('nvidia.com', [kinds.graphs], ['create', 'get', 'list', 'patch', 'watch']),
    rule('nvidia.com', [kinds.requests, kinds.models], ['get', 'list', 'patch', 'watch']),
    // Setting an owner reference may need the right to update the owner's finalizers:
    // https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#ownerreferencespermissionenforcement
    rule(
      'nvidia.com',
      [kinds.components, kinds.graphs, kinds.requests].map((kind) => `${kind}/finalizers`),
      ['update'],
    ),
    rule(
      'nvidia.com',
      Object.values(kinds).map((kind) => `${kind}/status`),
      ['update'],
    ),
    rule('nvidia.com', ['dynamoworkermetadatas'], granted.workerMetadata),
    rule('', ['endpoints'], granted.endpoints),
    rule('discovery.k8s.io', ['endpointslices'], granted.endpoints),
    rule('', ['configmaps', 'services', 'serviceaccounts'], child),
    rule('', ['pods'], watched),
    rule('', ['persistentvolumeclaims'], ['create', 'get', 'list', 'watch']),
    rule('', ['secrets'], ['create', 'get', 'list', 'watch']),
    ...(sshSecret === '' ? [] : [{ ...rule('', ['secrets'], ['patch']), resourceNames: [sshSecret] }]),
    rule('', ['events'], ['create', 'patch']),
    rule('apps', ['deployments'], child),
    rule('batch', ['jobs'], ['create', 'delete', 'get', 'list', 'watch']),
    rule('coordination.k8s.io', ['leases'], restricted ? ['create', 'delete', 'get', 'update'] : watched),
    rule('networking.k8s.io', ['ingresses'], child),
    ...(istio ? [rule('networking.istio.io', ['virtualservices'], child)] : []),
    rule('leaderworkerset.x-k8s.io', ['leaderworkersets'], child),
    rule('scheduling.volcano.sh', ['podgroups'], child),
    rule('grove.io', ['podcliquesets'], child),
    rule('grove.io', ['podcliques', 'podcliquescalinggroups'], read),
    rule('grove.io', ['podcliques/scale', 'podcliquescalinggroups/scale'], ['update']),
    rule('inference.networking.k8s.io', ['inferencepools'], child),
    rule('rbac.authorization.k8s.io', ['rolebindings', 'roles'], child),
    ...(restricted
      ? []
      : [{ ...rule('rbac.authorization.k8s.io', ['clusterroles'], ['bind', 'get']), resourceNames: boundRoles }]),
  ];
}
