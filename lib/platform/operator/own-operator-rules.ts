import { rule, type LeastPrivilege, type Rule } from './rbac-rules.ts';

/** What becomes of an object that the operator makes: it is read again where a write met a conflict or its answer was lost, and never replaced as a whole. */
const child: readonly string[] = ['create', 'delete', 'get', 'list', 'patch', 'watch'];
/** Through a watch; servers of before streamed lists are asked for a list first. */
const watched: readonly string[] = ['list', 'watch'];
const read: readonly string[] = ['get', ...watched];
/** Held for the pods of graphs, whose discovery Role the operator makes. */
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

/** Leader election by the one Lease of that name; a name cannot limit who creates it. Events are among the manager's rights. */
export function ownElectionRules(id: string): readonly Rule[] {
  return [
    rule('coordination.k8s.io', ['leases'], ['create']),
    { ...rule('coordination.k8s.io', ['leases'], ['get', 'update']), resourceNames: [id] },
  ];
}

/**
 * What the operator of this package calls and nothing else, which is less than the original calls: it changes objects by patches. A test compares
 * these rules with the audit log of a whole life.
 */
export function ownManagerRules({ restricted, istio, boundRoles, sshSecret }: LeastPrivilege): readonly Rule[] {
  return [
    rule('nvidia.com', [kinds.components, kinds.adapters], child),
    rule('nvidia.com', [kinds.graphs], ['create', 'get', 'list', 'patch', 'watch']),
    rule('nvidia.com', [kinds.requests, kinds.models], ['get', 'list', 'patch', 'watch']),
    // Clusters that guard owner references let only those name an owner who may update its finalizers.
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
