import type { JsonObject } from '../json/index.ts';

/** One rule of a Role or ClusterRole: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#role-and-clusterrole */
export interface PolicyRule extends JsonObject {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  /** Paths of an HTTP server that authorizes requests through the API server. */
  readonly nonResourceURLs?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** A rule on one API group; '' is the core group. */
export function policyRule(group: string, resources: readonly string[], verbs: readonly string[]): PolicyRule {
  return { apiGroups: [group], resources, verbs };
}
