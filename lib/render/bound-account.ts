import { isObject, type JsonObject, type Path } from '../json/index.ts';
import { renderBoundAccount } from './service-accounts.ts';
import { unownedChild, type ChildObject, type Parent } from './child.ts';
import type { Cluster } from './render-context.ts';
import type { RenderedObject, RenderIssue } from './result.ts';

/** An account that needs a role of the operator's chart. */
export interface BoundAccount {
  readonly name: string;
  readonly role: string;
  /** What in the user's resource asks for it. */
  readonly path: Path;
  /** What the original was doing when the role cannot be bound. */
  readonly step: string;
  /** What the original says where the operator was not told the role. */
  readonly unnamed: Pick<RenderIssue, 'message' | 'chain'>;
}

/** The account and its binding, as far as the namespace lacks them, or why it cannot be bound. */
export function boundAccount(
  { name, role, path, step, unnamed }: BoundAccount,
  parent: Parent,
  cluster: Cluster,
): { readonly objects: readonly RenderedObject[] } | { readonly issue: RenderIssue } {
  const code = 'missing_cluster_role';
  if (role === '') return { issue: { path, code, ...unnamed } };
  if (cluster.clusterRole(role) === 'absent') {
    const message = `cluster role "${role}" does not exist: ensure it is created by Helm before deploying components`;
    return { issue: { path, code, message, chain: `${step}${message}` } };
  }
  const wanted = renderBoundAccount(name, parent.namespace, role).filter((child) => isNew(child, parent.namespace, cluster));
  return { objects: wanted.map((child) => unownedChild(parent, 'graph', path, child)) };
}

/** A binding to another role counts as new: a role reference cannot be changed, so the operator replaces the binding. */
function isNew({ kind, name, body }: ChildObject, namespace: string, cluster: Cluster): boolean {
  if (kind === 'ServiceAccount') return cluster.find(kind, namespace, name) === undefined;
  const live = cluster.find('RoleBinding', namespace, name);
  return live === undefined || !('roleRef' in body) || !sameRole(live['roleRef'], body.roleRef);
}

function sameRole(live: unknown, wanted: unknown): boolean {
  const fields = (value: unknown): JsonObject => (isObject(value) ? value : {});
  return ['apiGroup', 'kind', 'name'].every((field) => fields(live)[field] === fields(wanted)[field]);
}
