/** What the operator's account may and may not do under the rendered roles, asked of a real API server. */
import type { KubernetesObject } from '../../lib/api/index.ts';
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../lib/json/index.ts';
import { renderPlatform } from '../../lib/platform/platform.ts';
import { succeeded } from '../control-plane/client.ts';
import { cluster, describeCluster, newNamespace } from '../control-plane/cluster-test.ts';

interface Calls {
  readonly feature: string;
  readonly group: string;
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** Where: in every managed namespace, in that of the leader lease, or in the cluster. @default managed */
  readonly where?: 'managed' | 'election' | 'cluster';
  /** @default - any name */
  readonly name?: (release: string) => string;
  /** Only an operator of this scope makes the calls. @default - both */
  readonly only?: 'cluster-wide' | 'restricted';
}

const full = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];
const read = ['get', 'list', 'watch'];
const kinds = [
  'dynamocomponentdeployments',
  'dynamographdeployments',
  'dynamographdeploymentrequests',
  'dynamographdeploymentscalingadapters',
  'dynamomodels',
];
const rbac = 'rbac.authorization.k8s.io';
const boundRoles = ['planner', 'epp', 'dgdr-profiling'];

/** Every call the operator makes, by feature. */
const needed: readonly Calls[] = [
  { feature: 'its own resources', group: 'nvidia.com', resources: kinds, verbs: full },
  {
    feature: 'their status',
    group: 'nvidia.com',
    resources: kinds.map((k) => `${k}/status`),
    verbs: ['get', 'update', 'patch'],
  },
  {
    feature: 'their finalizers',
    group: 'nvidia.com',
    resources: kinds.filter((k) => k !== 'dynamographdeploymentscalingadapters').map((k) => `${k}/finalizers`),
    verbs: ['update'],
  },
  { feature: 'leader election', group: 'coordination.k8s.io', resources: ['leases'], verbs: ['create'], where: 'election' },
  {
    feature: 'its own leader lease',
    group: 'coordination.k8s.io',
    resources: ['leases'],
    verbs: ['get', 'update', 'patch'],
    where: 'election',
    name: () => 'dynamo.nvidia.com',
  },
  { feature: 'leader election events', group: '', resources: ['events'], verbs: ['create', 'patch'], where: 'election' },
  { feature: 'scope leases of others', group: 'coordination.k8s.io', resources: ['leases'], verbs: read, only: 'cluster-wide' },
  { feature: 'its own scope lease', group: 'coordination.k8s.io', resources: ['leases'], verbs: full, only: 'restricted' },
  { feature: 'events', group: '', resources: ['events'], verbs: ['create', 'patch'] },
  { feature: 'events', group: 'events.k8s.io', resources: ['events'], verbs: ['create', 'patch'] },
  { feature: 'workloads', group: 'apps', resources: ['deployments'], verbs: full },
  { feature: 'workloads', group: '', resources: ['services', 'configmaps'], verbs: full },
  { feature: 'workloads', group: '', resources: ['pods'], verbs: read },
  {
    feature: 'claims',
    group: '',
    resources: ['persistentvolumeclaims'],
    verbs: ['get', 'list', 'watch', 'create', 'delete'],
  },
  { feature: 'scalers', group: 'autoscaling', resources: ['horizontalpodautoscalers'], verbs: full },
  { feature: 'ingresses', group: 'networking.k8s.io', resources: ['ingresses'], verbs: full },
  { feature: 'LeaderWorkerSets', group: 'leaderworkerset.x-k8s.io', resources: ['leaderworkersets'], verbs: full },
  { feature: 'Volcano', group: 'scheduling.volcano.sh', resources: ['podgroups'], verbs: full },
  { feature: 'Grove', group: 'grove.io', resources: ['podcliquesets'], verbs: full },
  { feature: 'Grove', group: 'grove.io', resources: ['podcliques', 'podcliquescalinggroups'], verbs: read },
  {
    feature: 'Grove',
    group: 'grove.io',
    resources: ['podcliques/scale', 'podcliquescalinggroups/scale'],
    verbs: ['get', 'update', 'patch'],
  },
  { feature: 'KAI queues', group: 'scheduling.run.ai', resources: ['queues'], verbs: ['get', 'list'], where: 'cluster' },
  { feature: 'endpoint pickers', group: 'inference.networking.k8s.io', resources: ['inferencepools'], verbs: full },
  { feature: 'discovery accounts', group: '', resources: ['serviceaccounts'], verbs: full },
  { feature: 'discovery roles', group: rbac, resources: ['roles', 'rolebindings'], verbs: full },
  { feature: 'what discovery roles hand out', group: '', resources: ['endpoints'], verbs: read },
  { feature: 'what discovery roles hand out', group: 'discovery.k8s.io', resources: ['endpointslices'], verbs: read },
  { feature: 'what discovery roles hand out', group: 'nvidia.com', resources: ['dynamoworkermetadatas'], verbs: full },
  { feature: 'roles of graphs', group: rbac, resources: ['clusterroles'], verbs: read, where: 'cluster', only: 'cluster-wide' },
  ...boundRoles.map((role): Calls => ({
    feature: `binding the role ${role}`,
    group: rbac,
    resources: ['clusterroles'],
    verbs: ['bind'],
    where: 'cluster',
    only: 'cluster-wide',
    name: (release) => `${release}-dynamo-operator-${role}`,
  })),
  { feature: 'pull secrets and the SSH key', group: '', resources: ['secrets'], verbs: ['get', 'list', 'watch', 'create'] },
  {
    feature: 'copies of the SSH key',
    group: '',
    resources: ['secrets'],
    verbs: ['patch'],
    name: () => 'mpi-run-ssh-secret',
  },
  { feature: 'profiling jobs', group: 'batch', resources: ['jobs'], verbs: full },
];

/** What whoever takes over the operator must not be able to do. */
const refused: readonly Calls[] = [
  {
    feature: 'change or delete secrets',
    group: '',
    resources: ['secrets'],
    verbs: ['update', 'patch', 'delete', 'deletecollection'],
  },
  { feature: 'run pods of its own', group: '', resources: ['pods'], verbs: ['create', 'delete'] },
  { feature: 'enter pods', group: '', resources: ['pods/exec', 'pods/attach', 'pods/portforward'], verbs: ['create', 'get'] },
  { feature: 'read logs', group: '', resources: ['pods/log'], verbs: ['get'] },
  { feature: 'mint tokens', group: '', resources: ['serviceaccounts/token'], verbs: ['create'] },
  {
    feature: 'be somebody else',
    group: '',
    resources: ['users', 'groups', 'serviceaccounts'],
    verbs: ['impersonate'],
    where: 'cluster',
  },
  { feature: 'widen roles', group: rbac, resources: ['roles', 'clusterroles'], verbs: ['escalate', 'bind'], where: 'cluster' },
  {
    feature: 'bind any role',
    group: rbac,
    resources: ['clusterroles'],
    verbs: ['bind'],
    where: 'cluster',
    name: () => 'cluster-admin',
  },
  {
    feature: 'grant in the whole cluster',
    group: rbac,
    resources: ['clusterroles', 'clusterrolebindings'],
    verbs: ['create', 'update', 'patch', 'delete'],
    where: 'cluster',
  },
  {
    feature: 'other workloads',
    group: 'apps',
    resources: ['statefulsets', 'daemonsets', 'replicasets'],
    verbs: ['create', 'update', 'delete'],
  },
  { feature: 'nodes', group: '', resources: ['nodes'], verbs: [...read, 'patch', 'delete'], where: 'cluster' },
  { feature: 'namespaces', group: '', resources: ['namespaces'], verbs: ['create', 'delete', 'patch'], where: 'cluster' },
  {
    feature: 'CRDs',
    group: 'apiextensions.k8s.io',
    resources: ['customresourcedefinitions'],
    verbs: [...full],
    where: 'cluster',
  },
  {
    feature: 'admission',
    group: 'admissionregistration.k8s.io',
    resources: ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'],
    verbs: [...full],
    where: 'cluster',
  },
  { feature: 'network policies', group: 'networking.k8s.io', resources: ['networkpolicies'], verbs: [...full] },
  { feature: 'everything', group: '*', resources: ['*'], verbs: ['*'] },
];

/** What the original does and the operator of this package does not. */
const refusedOwn: readonly Calls[] = [
  { feature: 'replace what it patches', group: 'apps', resources: ['deployments'], verbs: ['update'] },
  { feature: 'replace what it patches', group: '', resources: ['configmaps', 'services'], verbs: ['update'] },
  { feature: 'replace what it patches', group: 'nvidia.com', resources: kinds, verbs: ['update'] },
  { feature: 'delete graphs', group: 'nvidia.com', resources: ['dynamographdeployments'], verbs: ['delete'] },
  {
    feature: 'make or delete what people ask for',
    group: 'nvidia.com',
    resources: ['dynamographdeploymentrequests', 'dynamomodels'],
    verbs: ['create', 'delete'],
  },
  { feature: 'delete claims', group: '', resources: ['persistentvolumeclaims'], verbs: ['delete'] },
  { feature: 'scalers', group: 'autoscaling', resources: ['horizontalpodautoscalers'], verbs: full },
  { feature: 'look at roles of others', group: rbac, resources: ['clusterroles'], verbs: read, where: 'cluster' },
];

const accessReviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews';

async function isAllowed(user: string, attributes: JsonObject): Promise<boolean> {
  const answer = await cluster().client.request<{ readonly status: { readonly allowed: boolean } }>('POST', accessReviews, {
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: { user, resourceAttributes: attributes },
    },
  });
  return succeeded(answer).status.allowed;
}

/** One line per call, `allowed` or `refused` in front. */
async function verdicts(user: string, calls: Calls, release: string, namespace: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const resource of calls.resources)
    for (const verb of calls.verbs) {
      const [plural = '', subresource] = resource.split('/');
      const name = calls.name?.(release);
      const allowed = await isAllowed(user, {
        group: calls.group,
        resource: plural,
        verb,
        ...(subresource === undefined ? {} : { subresource }),
        ...(name === undefined ? {} : { name }),
        ...(namespace === '' ? {} : { namespace }),
      });
      lines.push(`${allowed ? 'allowed' : 'refused'} ${verb} ${calls.group}/${resource}${name === undefined ? '' : ` ${name}`}`);
    }
  return lines;
}

interface Installed {
  readonly release: string;
  readonly namespace: string;
  readonly user: string;
}

/** Applies the accounts and roles of a release and waits until the API server goes by them. */
async function installRoles(values: JsonObject): Promise<Installed> {
  const namespace = await newNamespace();
  const release = `rbac-${randomBytes(3).toString('hex')}`;
  const { objects, issues } = renderPlatform(values, { release, namespace });
  expect(issues).toEqual([]);
  const roles = objects.filter(({ kind }) => /^(ServiceAccount|(Cluster)?Role(Binding)?)$/.test(kind));
  for (const object of roles) succeeded(await cluster().client.apply(object));
  onTestFinished(async () => {
    for (const object of roles as readonly KubernetesObject[]) await cluster().client.delete(object);
  });
  const user = `system:serviceaccount:${namespace}:${release}-dynamo-operator-controller-manager`;
  const deadline = Date.now() + 10_000;
  while (!(await isAllowed(user, { group: 'scheduling.run.ai', resource: 'queues', verb: 'get' }))) {
    if (Date.now() > deadline) throw new Error(`${user} has no rights yet`);
    await setTimeout(20);
  }
  return { release, namespace, user };
}

const scopes = {
  'cluster-wide': { values: {}, elsewhere: true, election: 'kube-system' },
  restricted: {
    values: { 'dynamo-operator': { namespaceRestriction: { enabled: true } } },
    elsewhere: false,
    election: undefined,
  },
} as const;
const own = { platform: { operator: { kind: 'dynamo-cdk8s', image: 'registry.example.com/operator:1' } } };

describeCluster('roles of the profile secure', () => {
  test.each(['cluster-wide', 'restricted'] as const)('%s: the operator may make every call it makes', async (scope) => {
    const { values, elsewhere, election } = scopes[scope];
    const { release, namespace, user } = await installRoles(values);
    const places = { managed: elsewhere ? await newNamespace() : namespace, election: election ?? namespace, cluster: '' };
    for (const calls of needed.filter(({ only }) => only === undefined || only === scope))
      for (const line of await verdicts(user, calls, release, places[calls.where ?? 'managed']))
        expect(line, calls.feature).toMatch(/^allowed/);
  });

  test.each(['cluster-wide', 'restricted'] as const)('%s: the operator may do nothing else', async (scope) => {
    const { release, namespace, user } = await installRoles(scopes[scope].values);
    for (const calls of refused)
      for (const line of await verdicts(user, calls, release, calls.where === 'cluster' ? '' : namespace))
        expect(line, calls.feature).toMatch(/^refused/);
  });

  test.each(['cluster-wide', 'restricted'] as const)('%s: the operator of this package may do still less', async (scope) => {
    const { release, namespace, user } = await installRoles({ ...scopes[scope].values, ...own });
    for (const calls of [...refused, ...refusedOwn])
      for (const line of await verdicts(user, calls, release, calls.where === 'cluster' ? '' : namespace))
        expect(line, calls.feature).toMatch(/^refused/);
  });

  test('restricted: the operator may do nothing in other namespaces', async () => {
    const { release, user } = await installRoles(scopes.restricted.values);
    const elsewhere = await newNamespace();
    for (const calls of needed.filter(({ where }) => where !== 'cluster'))
      for (const line of await verdicts(user, calls, release, elsewhere)) expect(line, calls.feature).toMatch(/^refused/);
  });

  test('cluster-wide: the operator may take leases in the namespace of the leader lease only', async () => {
    const { release, user } = await installRoles({});
    const elsewhere = await newNamespace();
    const leases = {
      feature: 'leases',
      group: 'coordination.k8s.io',
      resources: ['leases'],
      verbs: ['create', 'update', 'delete'],
    };
    for (const line of await verdicts(user, leases, release, elsewhere)) expect(line).toMatch(/^refused/);
  });

  test('cluster-wide: leases of others beside the leader lease stay theirs, and profiling ends at its namespace', async () => {
    const { release, namespace, user } = await installRoles({});
    const lease = { feature: 'a lease of the cluster', group: 'coordination.k8s.io', resources: ['leases'] };
    const scheduler = { ...lease, verbs: ['update', 'patch', 'delete'], name: () => 'kube-scheduler' };
    for (const line of await verdicts(user, scheduler, release, 'kube-system')) expect(line).toMatch(/^refused/);
    const profiler = `system:serviceaccount:${namespace}:dgdr-profiling-job`;
    const nodes = { feature: 'nodes', group: '', resources: ['nodes'], verbs: ['get', 'list'] };
    for (const line of await verdicts(profiler, nodes, release, '')) expect(line).toMatch(/^allowed/);
    const pods = { feature: 'pods elsewhere', group: '', resources: ['pods', 'configmaps'], verbs: ['create', 'delete'] };
    for (const line of await verdicts(profiler, pods, release, 'kube-system')) expect(line).toMatch(/^refused/);
  });

  test('the operator can really create the role and bindings of a graph, and no wider ones', async () => {
    const { release, namespace, user } = await installRoles({});
    const kubectl = async (object: JsonObject): Promise<string> => {
      const input = JSON.stringify({ ...object, apiVersion: `${rbac}/v1` });
      const { stdout, stderr } = await cluster().kubectl(['create', '--as', user, '-n', namespace, '-f', '-'], { input });
      return stdout + stderr;
    };
    const bind = (name: string, kind: string, role: string): JsonObject => ({
      kind: 'RoleBinding',
      metadata: { name },
      roleRef: { apiGroup: rbac, kind, name: role },
      subjects: [{ kind: 'ServiceAccount', name: 'graph', namespace }],
    });
    const role = {
      kind: 'Role',
      metadata: { name: 'g-k8s-service-discovery-role' },
      rules: [
        { apiGroups: [''], resources: ['endpoints'], verbs: read },
        { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: read },
        { apiGroups: ['nvidia.com'], resources: ['dynamoworkermetadatas'], verbs: full },
      ],
    };
    expect(await kubectl(role)).toContain('created');
    expect(await kubectl(bind('g-k8s-service-discovery-binding', 'Role', 'g-k8s-service-discovery-role'))).toContain('created');
    for (const name of boundRoles)
      expect(await kubectl(bind(`${name}-binding`, 'ClusterRole', `${release}-dynamo-operator-${name}`))).toContain('created');
    expect(await kubectl(bind('admin', 'ClusterRole', 'cluster-admin'))).toContain('attempting to grant RBAC permissions');
    const wider = {
      ...role,
      metadata: { name: 'wider' },
      rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['delete'] }],
    };
    expect(await kubectl(wider)).toContain('attempting to grant RBAC permissions');
  });
});
