import { isObject, type JsonObject, type Path } from '../json/index.ts';
import { renderBoundAccount } from './service-accounts.ts';
import { unownedChild, type ChildObject, type Parent } from './child.ts';
import type { Cluster } from './render-context.ts';
import type { RenderedObject, RenderIssue } from './result.ts';

/** A ServiceAccount that is bound to a ClusterRole of the operator's chart. */
export interface BoundAccount {
  readonly name: string;
  readonly role: string;
  /** The field of the user's resource that requires the account. */
  readonly path: Path;
  /** Prefix of the original operator's error when the ClusterRole cannot be bound. */
  readonly step: string;
  /** The original operator's error when its flags name no ClusterRole. */
  readonly noRoleError: Pick<RenderIssue, 'message' | 'chain'>;
}

/** The ServiceAccount and RoleBinding that the namespace does not have yet, or the error if the ClusterRole cannot be bound. */
export function boundAccount(
  { name, role, path, step, noRoleError }: BoundAccount,
  parent: Parent,
  cluster: Cluster,
): { readonly objects: readonly RenderedObject[] } | { readonly issue: RenderIssue } {
  const code = 'missing_cluster_role';
  if (role === '') return { issue: { path, code, ...noRoleError } };
  if (cluster.clusterRole(role) === 'absent') {
    const message = `cluster role "${role}" does not exist: ensure it is created by Helm before deploying components`;
    return { issue: { path, code, message, chain: `${step}${message}` } };
  }
  const wanted = renderBoundAccount(name, parent.namespace, role).filter((child) => isNew(child, parent.namespace, cluster));
  return { objects: wanted.map((child) => unownedChild(parent, 'graph', path, child)) };
}

/**
 * Whether the operator creates an object. A live binding to another role is replaced, since `roleRef` is immutable.
 * https://kubernetes.io/docs/reference/access-authn-authz/rbac/#clusterrolebinding-example
 */
function isNew({ kind, name, body }: ChildObject, namespace: string, cluster: Cluster): boolean {
  if (kind === 'ServiceAccount') return cluster.find(kind, namespace, name) === undefined;
  const live = cluster.find('RoleBinding', namespace, name);
  return live === undefined || !('roleRef' in body) || !sameRole(live['roleRef'], body.roleRef);
}

function sameRole(live: unknown, wanted: unknown): boolean {
  const fields = (value: unknown): JsonObject => (isObject(value) ? value : {});
  return ['apiGroup', 'kind', 'name'].every((field) => fields(live)[field] === fields(wanted)[field]);
}
