import type { GaieRelease } from './release.ts';
import type { JsonObject } from '../../json/index.ts';
import { policyRule } from '../policy-rule.ts';

const read = ['get', 'list', 'watch'];

const rbac = 'rbac.authorization.k8s.io';

/** Rules of the endpoint picker's ClusterRole. */
const rules = [
  policyRule('inference.networking.x-k8s.io', ['inferencepools', 'inferenceobjectives', 'inferencemodelrewrites'], read),
  policyRule('inference.networking.k8s.io', ['inferencepools'], read),
  policyRule('', ['pods'], read),
  policyRule('discovery.k8s.io', ['endpointslices'], read),
  policyRule('nvidia.com', ['dynamoworkermetadatas'], ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch']),
  policyRule('authentication.k8s.io', ['tokenreviews'], ['create']),
  policyRule('authorization.k8s.io', ['subjectaccessreviews'], ['create']),
];

/** Names of role and binding. Those of the original are fixed, so that a second installation replaces the binding of the first. */
function roleNames({ context, stem }: GaieRelease): { readonly role: string; readonly binding: string } {
  if (!context.switches['gaie-repairs']) return { role: 'pod-read', binding: 'pod-read-binding' };
  const name = `${context.namespace}-${stem}-epp`;
  return { role: name, binding: name };
}

/** The endpoint picker's account, its role and its binding. */
export function accessObjects(gaie: GaieRelease): readonly JsonObject[] {
  const { role, binding } = roleNames(gaie);
  const own = gaie.account !== 'default';
  return [
    ...(own ? [{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: gaie.account } }] : []),
    { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name: role }, rules },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: binding },
      subjects: [{ kind: 'ServiceAccount', name: gaie.account, namespace: gaie.context.namespace }],
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
    },
  ];
}
