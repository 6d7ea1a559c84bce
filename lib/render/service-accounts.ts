import type { ChildObject, StringMap } from './child.ts';
import { accountBindingName, accountRoleName, discoveryAccount } from './object-names.ts';

const rbac = 'rbac.authorization.k8s.io';

function rbacLabels(name: string): StringMap {
  return {
    'app.kubernetes.io/component': 'rbac',
    'app.kubernetes.io/managed-by': 'dynamo-operator',
    'app.kubernetes.io/name': name,
  };
}

function serviceAccount(name: string): ChildObject {
  return { apiVersion: 'v1', kind: 'ServiceAccount', name, labels: rbacLabels(name), body: {} };
}

function roleBinding(
  accountName: string,
  namespace: string,
  name: string,
  role: 'Role' | 'ClusterRole',
  roleName: string,
): ChildObject {
  return {
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    name,
    labels: rbacLabels(accountName),
    body: {
      subjects: [{ kind: 'ServiceAccount', name: accountName, namespace }],
      roleRef: { apiGroup: rbac, kind: role, name: roleName },
    },
  };
}

/** A ServiceAccount and its binding to a ClusterRole of the operator's chart: planner, endpoint picker, profiler. */
export function renderBoundAccount(accountName: string, namespace: string, clusterRole: string): readonly ChildObject[] {
  return [
    serviceAccount(accountName),
    roleBinding(accountName, namespace, accountBindingName(accountName), 'ClusterRole', clusterRole),
  ];
}

const read = (): readonly string[] => ['get', 'list', 'watch'];

/** The ServiceAccount, Role and RoleBinding with which the pods of a graph discover each other through the Kubernetes API. */
export function renderDiscovery(graph: string, namespace: string): readonly ChildObject[] {
  const name = discoveryAccount(graph);
  const role = accountRoleName(name);
  const rules = [
    { apiGroups: [''], resources: ['endpoints'], verbs: read() },
    { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: read() },
    {
      apiGroups: ['nvidia.com'],
      resources: ['dynamoworkermetadatas'],
      verbs: ['create', 'get', 'list', 'watch', 'update', 'patch', 'delete'],
    },
  ];
  return [
    serviceAccount(name),
    { apiVersion: `${rbac}/v1`, kind: 'Role', name: role, labels: rbacLabels(name), body: { rules } },
    roleBinding(name, namespace, accountBindingName(name), 'Role', role),
  ];
}
