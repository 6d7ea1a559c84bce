import { policyRule, type PolicyRule } from '../policy-rule.ts';
import type { LeastPrivilege } from './rbac-rules.ts';

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
export function ownElectionRules(id: string): readonly PolicyRule[] {
  return [
    policyRule('coordination.k8s.io', ['leases'], ['create']),
    { ...policyRule('coordination.k8s.io', ['leases'], ['get', 'update']), resourceNames: [id] },
  ];
}

/**
 * Exactly the rights that the operator of this package uses, which are fewer than those of the original, since it patches objects. A test compares
 * these rules with the audit log of the operator's API calls.
 */
export function ownManagerRules({ restricted, istio, boundRoles, sshSecret }: LeastPrivilege): readonly PolicyRule[] {
  return [
    policyRule('nvidia.com', [kinds.components, kinds.adapters], child),
    policyRule('nvidia.com', [kinds.graphs], ['create', 'get', 'list', 'patch', 'watch']),
    policyRule('nvidia.com', [kinds.requests, kinds.models], ['get', 'list', 'patch', 'watch']),
    // Setting an owner reference may need the right to update the owner's finalizers:
    // https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#ownerreferencespermissionenforcement
    policyRule(
      'nvidia.com',
      [kinds.components, kinds.graphs, kinds.requests].map((kind) => `${kind}/finalizers`),
      ['update'],
    ),
    policyRule(
      'nvidia.com',
      Object.values(kinds).map((kind) => `${kind}/status`),
      ['update'],
    ),
    policyRule('nvidia.com', ['dynamoworkermetadatas'], granted.workerMetadata),
    policyRule('', ['endpoints'], granted.endpoints),
    policyRule('discovery.k8s.io', ['endpointslices'], granted.endpoints),
    policyRule('', ['configmaps', 'services', 'serviceaccounts'], child),
    policyRule('', ['pods'], watched),
    policyRule('', ['persistentvolumeclaims'], ['create', 'get', 'list', 'watch']),
    policyRule('', ['secrets'], ['create', 'get', 'list', 'watch']),
    ...(sshSecret === '' ? [] : [{ ...policyRule('', ['secrets'], ['patch']), resourceNames: [sshSecret] }]),
    policyRule('', ['events'], ['create', 'patch']),
    policyRule('apps', ['deployments'], child),
    policyRule('batch', ['jobs'], ['create', 'delete', 'get', 'list', 'watch']),
    policyRule('coordination.k8s.io', ['leases'], restricted ? ['create', 'delete', 'get', 'update'] : watched),
    policyRule('networking.k8s.io', ['ingresses'], child),
    ...(istio ? [policyRule('networking.istio.io', ['virtualservices'], child)] : []),
    policyRule('leaderworkerset.x-k8s.io', ['leaderworkersets'], child),
    policyRule('scheduling.volcano.sh', ['podgroups'], child),
    policyRule('grove.io', ['podcliquesets'], child),
    policyRule('grove.io', ['podcliques', 'podcliquescalinggroups'], read),
    policyRule('grove.io', ['podcliques/scale', 'podcliquescalinggroups/scale'], ['update']),
    policyRule('inference.networking.k8s.io', ['inferencepools'], child),
    policyRule('rbac.authorization.k8s.io', ['rolebindings', 'roles'], child),
    ...(restricted
      ? []
      : [{ ...policyRule('rbac.authorization.k8s.io', ['clusterroles'], ['bind', 'get']), resourceNames: boundRoles }]),
  ];
}
