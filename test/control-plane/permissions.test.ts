import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json/index.ts';
import type { AuditEvent } from './audit-log.ts';
import { judgePermissions, neededFor, permissionsOf, type Exemption, type Permission } from './permissions.ts';

const rbac = 'rbac.authorization.k8s.io';

function role(name: string, rules: readonly JsonObject[], namespace?: string): JsonObject {
  return namespace === undefined
    ? { kind: 'ClusterRole', metadata: { name }, rules }
    : { kind: 'Role', metadata: { name, namespace }, rules };
}

function binding(roleKind: string, roleName: string, account: string, namespace?: string): JsonObject {
  return {
    kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata: { name: `${roleName}-binding`, ...(namespace === undefined ? {} : { namespace }) },
    roleRef: { apiGroup: rbac, kind: roleKind, name: roleName },
    subjects: [{ kind: 'ServiceAccount', name: account, namespace: 'home' }],
  };
}

function call(verb: string, objectRef: NonNullable<AuditEvent['objectRef']>, requestObject?: unknown): AuditEvent {
  return {
    auditID: 'a',
    stage: 'ResponseComplete',
    requestURI: '/somewhere?watch=true',
    verb,
    user: { username: 'me' },
    objectRef,
    requestObject,
    requestReceivedTimestamp: '2026-01-01T00:00:00.000000Z',
  };
}

const rule = (
  apiGroup: string,
  resources: readonly string[],
  verbs: readonly string[],
  names?: readonly string[],
): JsonObject => ({
  apiGroups: [apiGroup],
  resources,
  verbs,
  ...(names === undefined ? {} : { resourceNames: names }),
});

const permissions = (...rules: readonly JsonObject[]): readonly Permission[] =>
  permissionsOf([role('r', rules), binding('ClusterRole', 'r', 'me')], 'me', 'home');

function judge(rules: readonly JsonObject[], calls: readonly AuditEvent[], exemptions: readonly Exemption[] = []) {
  return judgePermissions({ permissions: permissions(...rules), calls, absent: new Map(), exemptions });
}

describe('what an account may do', () => {
  test('follows the bindings of the account, and of nobody else', () => {
    const pods = rule('', ['pods'], ['get']);
    const objects = [
      role('everywhere', [pods]),
      role('here', [pods], 'one'),
      role('here', [rule('', ['secrets'], ['get'])], 'two'),
      role('of-another', [pods]),
      binding('ClusterRole', 'everywhere', 'me'),
      binding('ClusterRole', 'everywhere', 'me', 'three'),
      binding('Role', 'here', 'me', 'one'),
      binding('ClusterRole', 'of-another', 'somebody'),
    ];
    const access = { apiGroup: '', resource: 'pods', verb: 'get' };
    expect(permissionsOf(objects, 'me', 'home')).toEqual([
      { role: 'everywhere', ...access },
      { role: 'everywhere', ...access, namespace: 'three' },
      { role: 'here', ...access, namespace: 'one' },
    ]);
    expect(permissionsOf(objects, 'me', 'elsewhere')).toEqual([]);
  });

  test('is one verb on one resource of one name', () => {
    const found = permissions(rule('g', ['a', 'b/status'], ['get', 'patch'], ['x', 'y']), {
      nonResourceURLs: ['/m'],
      verbs: ['get'],
    });
    expect(found).toHaveLength(9);
    expect(found).toContainEqual({ role: 'r', apiGroup: 'g', resource: 'b/status', verb: 'patch', name: 'y' });
    expect(found).toContainEqual({ role: 'r', apiGroup: '', resource: '/m', verb: 'get' });
  });
});

describe('what a request needs', () => {
  test('is its verb on its resource by name, which a creation has not yet', () => {
    const status = { apiGroup: 'apps', resource: 'deployments', subresource: 'status', namespace: 'n', name: 'web' };
    expect(neededFor(call('patch', status))).toEqual([
      { apiGroup: 'apps', resource: 'deployments/status', verb: 'patch', namespace: 'n', name: 'web' },
    ]);
    expect(neededFor(call('create', { resource: 'pods', namespace: 'n', name: 'web' }))).toEqual([
      { apiGroup: '', resource: 'pods', verb: 'create', namespace: 'n' },
    ]);
    expect(neededFor({ ...call('get', {}), objectRef: {} })).toEqual([{ apiGroup: '', resource: '/somewhere', verb: 'get' }]);
  });

  test('names owners that must not go first, and the role that it binds', () => {
    const owners = [true, false].map((blockOwnerDeletion) => ({
      apiVersion: 'nvidia.com/v1alpha1',
      kind: 'DynamoModel',
      name: `owner-${blockOwnerDeletion}`,
      blockOwnerDeletion,
    }));
    const roleRef = { kind: 'ClusterRole', name: 'planner' };
    const body = { metadata: { ownerReferences: owners }, roleRef };
    expect(neededFor(call('create', { apiGroup: rbac, resource: 'rolebindings', namespace: 'n' }, body)).slice(1)).toEqual([
      { apiGroup: 'nvidia.com', resource: 'dynamomodels/finalizers', verb: 'update', namespace: 'n', name: 'owner-true' },
      { apiGroup: rbac, resource: 'clusterroles', verb: 'bind', namespace: 'n', name: 'planner' },
    ]);
  });
});

describe('a permission that nobody used', () => {
  const pods = { resource: 'pods', namespace: 'n' };

  test('is told, one that was used is not', () => {
    expect(judge([rule('', ['pods'], ['get', 'list', 'watch'])], [call('list', pods), call('watch', pods)]).unused).toEqual([
      'r: get pods',
    ]);
    expect(judge([rule('', ['pods'], ['get'])], [call('get', { ...pods, subresource: 'log' })]).unused).toEqual(['r: get pods']);
    expect(judge([rule('apps', ['pods'], ['get'])], [call('get', pods)]).unused).toEqual(['r: get apps/pods']);
    expect(judge([rule('*', ['*'], ['*'])], [call('get', pods)]).unused).toEqual([]);
  });

  test('is one whose name or namespace is another', () => {
    const named = [rule('', ['pods'], ['get', 'create'], ['mine'])];
    expect(judge(named, [call('get', { ...pods, name: 'other' }), call('create', pods)]).unused).toEqual(['r: get pods mine']);
    expect(judge(named, [call('get', { ...pods, name: 'mine' }), call('create', pods)]).unused).toEqual([]);
    const here = [role('r', [rule('', ['pods'], ['get'])], 'here'), binding('Role', 'r', 'me', 'here')];
    const run = { permissions: permissionsOf(here, 'me', 'home'), absent: new Map<string, string>(), exemptions: [] };
    expect(judgePermissions({ ...run, calls: [call('get', pods)] }).unused).toEqual(['r: get pods in here']);
    expect(judgePermissions({ ...run, calls: [call('get', { ...pods, namespace: 'here' })] }).unused).toEqual([]);
  });

  test('is one for which a narrower one was enough', () => {
    const rules = [rule('', ['pods'], ['get']), rule('', ['pods'], ['get'], ['mine'])];
    const mine = call('get', { ...pods, name: 'mine' });
    expect(judge(rules, [mine]).unused).toEqual(['r: get pods']);
    expect(judge(rules, [mine, call('get', { ...pods, name: 'other' })]).unused).toEqual([]);
    const here = role('here', [rule('', ['pods'], ['get'])], 'n');
    const objects = [
      role('r', [rule('', ['pods'], ['get'])]),
      binding('ClusterRole', 'r', 'me'),
      here,
      binding('Role', 'here', 'me', 'n'),
    ];
    const run = { permissions: permissionsOf(objects, 'me', 'home'), absent: new Map<string, string>(), exemptions: [] };
    expect(judgePermissions({ ...run, calls: [mine] }).unused).toEqual(['r: get pods']);
  });

  test('is skipped, and counted, where the cluster did not serve its group', () => {
    const absent = new Map([
      ['grove.io', 'Grove'],
      ['nobody.io', 'nobody'],
    ]);
    const run = { permissions: permissions(rule('grove.io', ['podcliques'], ['get', 'list'])), calls: [], exemptions: [] };
    expect(judgePermissions({ ...run, absent })).toEqual({
      unused: [],
      skipped: ['Grove: 2 permissions on grove.io, which the cluster did not serve'],
      stale: [],
    });
  });
});

describe('a permission held only in order to grant it', () => {
  const exemption = { apiGroup: '', resource: 'endpoints', verbs: ['get'], reason: 'for graphs' };
  const endpoints = rule('', ['endpoints'], ['get']);
  const grant = call('create', { apiGroup: rbac, resource: 'roles', namespace: 'n' }, { rules: [endpoints] });

  test('is exempt', () => {
    expect(judge([endpoints, rule(rbac, ['roles'], ['create'])], [grant], [exemption])).toEqual({
      unused: [],
      skipped: [],
      stale: [],
    });
  });

  test.each([
    ['no role has it', [], [grant]],
    ['is used', [endpoints], [grant, call('get', { resource: 'endpoints', namespace: 'n' })]],
    ['no role that was created grants it', [endpoints], []],
  ])('is no exemption where %s', (said, rules, calls) => {
    expect(judge(rules, calls, [exemption]).stale).toEqual([`get endpoints: ${said}`]);
  });
});
