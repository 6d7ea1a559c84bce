/** Compares what the roles of an account allow with what the account asked of the API server: pure, on rendered objects and an audit log. */
import { objectAt, objectsAt, listAt, stringAt, type Json, type JsonObject } from '../../lib/json/index.ts';
import type { AuditEvent } from './audit-log.ts';

/** One verb on one resource, as a rule allows it and as a request needs it. */
export interface Access {
  /** Empty for the core. */
  readonly apiGroup: string;
  /** With its subresource: `deployments/status`; of a path outside of resources, the path. */
  readonly resource: string;
  readonly verb: string;
  /** Undefined: of a permission, in all namespaces; of a request, in none. */
  readonly namespace?: string;
  /** Undefined: of a permission, any name; of a request, none. */
  readonly name?: string;
}

/** What one rule of a role allows, taken apart. */
export interface Permission extends Access {
  /** Name of the role. */
  readonly role: string;
}

/** A permission that is held for the sake of others only. */
export interface Exemption extends Pick<Access, 'apiGroup' | 'resource'> {
  readonly verbs: readonly string[];
  readonly reason: string;
}

/** What a comparison found. */
export interface Judgement {
  /** Permissions that no request needed. */
  readonly unused: readonly string[];
  /** Permissions on API groups that the cluster did not serve. */
  readonly skipped: readonly string[];
  /** Exemptions that are none: not among the permissions, used after all, or granted to nobody. */
  readonly stale: readonly string[];
}

const rbac = 'rbac.authorization.k8s.io';

/** What the bindings among some objects let an account do. */
export function permissionsOf(objects: readonly JsonObject[], account: string, home: string): readonly Permission[] {
  const isAccount = (subject: JsonObject): boolean =>
    stringAt(subject, 'kind') === 'ServiceAccount' &&
    stringAt(subject, 'name') === account &&
    stringAt(subject, 'namespace') === home;
  const bindings = objects.filter(
    (object) => stringAt(object, 'kind').endsWith('RoleBinding') && objectsAt(object, 'subjects').some(isAccount),
  );
  return bindings.flatMap((binding) => {
    const place = stringAt(binding, 'metadata', 'namespace');
    const isRole = (object: JsonObject): boolean =>
      stringAt(object, 'kind') === stringAt(binding, 'roleRef', 'kind') &&
      stringAt(object, 'metadata', 'name') === stringAt(binding, 'roleRef', 'name') &&
      (stringAt(object, 'kind') === 'ClusterRole' || stringAt(object, 'metadata', 'namespace') === place);
    const where = stringAt(binding, 'kind') === 'RoleBinding' ? { namespace: place } : {};
    return objects
      .filter(isRole)
      .flatMap((role) => accesses(role).map((access) => ({ role: stringAt(role, 'metadata', 'name'), ...access, ...where })));
  });
}

/** Everything the rules of a role allow, each verb on each resource. */
function accesses(role: Json): readonly Access[] {
  return objectsAt(role, 'rules').flatMap((rule) => {
    const words = (key: string): readonly string[] => listAt(rule, key).map((word) => stringAt(word));
    const names = words('resourceNames').map((name) => ({ name }));
    const resources = words('apiGroups').flatMap((apiGroup) => words('resources').map((resource) => ({ apiGroup, resource })));
    const paths = words('nonResourceURLs').map((resource) => ({ apiGroup: '', resource }));
    return [...resources, ...paths].flatMap((what) =>
      words('verbs').flatMap((verb) => (names.length === 0 ? [{}] : names).map((name) => ({ ...what, verb, ...name }))),
    );
  });
}

/**
 * What an account must be allowed to do for a request to be carried out: the request itself; to name an owner that must not go first, where owner
 * references are guarded, `update` on its finalizers; to bind a role whose rules it does not hold, `bind`.
 */
export function neededFor({ verb, objectRef, requestURI, requestObject }: AuditEvent): readonly Access[] {
  const { apiGroup = '', resource = requestURI.split('?', 1)[0] ?? '', subresource, namespace, name } = objectRef ?? {};
  const where = namespace === undefined ? {} : { namespace };
  const itself = {
    apiGroup,
    resource: [resource, subresource].filter(Boolean).join('/'),
    verb,
    ...where,
    // Who may create cannot be limited to a name: the authorizer does not know it yet.
    ...(name === undefined || verb === 'create' ? {} : { name }),
  };
  const body = requestObject as Json;
  const owners = objectsAt(body, 'metadata', 'ownerReferences').filter((owner) => owner['blockOwnerDeletion'] === true);
  return [
    itself,
    ...owners.map((owner) => ({
      apiGroup: stringAt(owner, 'apiVersion').split('/').slice(0, -1).join('/'),
      resource: `${stringAt(owner, 'kind').toLowerCase()}s/finalizers`,
      verb: 'update',
      ...where,
      name: stringAt(owner, 'name'),
    })),
    ...(resource === 'rolebindings' && verb === 'create' ? [bindOf(objectAt(body, 'roleRef'), where)] : []),
  ];
}

function bindOf(role: JsonObject, where: Pick<Access, 'namespace'>): Access {
  const resource = `${stringAt(role, 'kind').toLowerCase()}s`;
  return { apiGroup: rbac, resource, verb: 'bind', ...where, name: stringAt(role, 'name') };
}

/** Whether a permission allows an access. */
export function allows(permission: Access, access: Access): boolean {
  const fits = (allowed: string, wanted: string): boolean => allowed === '*' || allowed === wanted;
  return (
    fits(permission.apiGroup, access.apiGroup) &&
    fits(permission.resource, access.resource) &&
    fits(permission.verb, access.verb) &&
    (permission.namespace === undefined || permission.namespace === access.namespace) &&
    (permission.name === undefined || permission.name === access.name || access.verb === 'create')
  );
}

/** Whether a permission is limited to a name or to a namespace where another is not, and wider in nothing. */
function isNarrower(one: Access, other: Access): boolean {
  const [isNamed, isPlaced] = (['name', 'namespace'] as const).map((key) => one[key] !== undefined && other[key] === undefined);
  const isWider = (['name', 'namespace'] as const).some((key) => one[key] === undefined && other[key] !== undefined);
  return (isNamed === true || isPlaced === true) && !isWider;
}

/** What to judge by. */
export interface JudgedRun {
  readonly permissions: readonly Permission[];
  readonly calls: readonly AuditEvent[];
  /** API groups that the cluster did not serve, with the name of what would have. */
  readonly absent: ReadonlyMap<string, string>;
  readonly exemptions: readonly Exemption[];
}

/** Finds permissions that nobody used, and exemptions that are none. */
export function judgePermissions({ permissions, calls, absent, exemptions }: JudgedRun): Judgement {
  const needed = [...new Map(calls.flatMap(neededFor).map((access) => [describeAccess(access), access])).values()];
  // Where a narrower permission is enough, nobody used the wider one.
  const isUsed = (permission: Access): boolean => {
    const narrower = permissions.filter((other) => isNarrower(other, permission));
    return needed.some((access) => allows(permission, access) && !narrower.some((other) => allows(other, access)));
  };
  const isExempt = ({ apiGroup, resource, verb }: Access): boolean =>
    exemptions.some((one) => one.apiGroup === apiGroup && one.resource === resource && one.verbs.includes(verb));
  const judged = permissions.filter(({ apiGroup }) => !absent.has(apiGroup));
  const granted = calls
    .filter(({ verb, objectRef }) => verb === 'create' && objectRef?.resource === 'roles')
    .flatMap(({ requestObject }) => accesses(requestObject as Json));
  const stale = exemptions.flatMap(({ verbs, ...what }) =>
    verbs.flatMap((verb) => {
      const one = { ...what, verb };
      const held = permissions.filter((permission) => permission.name === undefined && allows(permission, one));
      if (held.length === 0) return [`${describeAccess(one)}: no role has it`];
      if (held.some(isUsed)) return [`${describeAccess(one)}: is used`];
      return granted.some((grant) => allows(grant, one)) ? [] : [`${describeAccess(one)}: no role that was created grants it`];
    }),
  );
  return {
    unused: judged.filter((permission) => !isUsed(permission) && !isExempt(permission)).map(describePermission),
    skipped: [...absent].flatMap(([group, what]) => {
      const count = permissions.filter(({ apiGroup }) => apiGroup === group).length;
      return count === 0 ? [] : [`${what}: ${count} permissions on ${group}, which the cluster did not serve`];
    }),
    stale,
  };
}

/** A permission in a few words: `manager-role: patch apps/deployments in here web`. */
function describePermission(permission: Permission): string {
  return `${permission.role}: ${describeAccess(permission)}`;
}

function describeAccess({ apiGroup, resource, verb, namespace, name }: Access): string {
  const what = [apiGroup, resource].filter(Boolean).join('/');
  return [verb, what, ...(namespace === undefined ? [] : ['in', namespace]), ...(name === undefined ? [] : [name])].join(' ');
}
