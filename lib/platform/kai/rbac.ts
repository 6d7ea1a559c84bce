import type { KaiRelease } from './release.ts';
import type { JsonObject } from '../../json/index.ts';

function rule(apiGroup: string, verbs: readonly string[], ...resources: readonly string[]): JsonObject {
  return { apiGroups: [apiGroup], resources, verbs };
}

const all = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];
const read = ['get', 'list', 'watch'];
const finalize = ['create', 'patch', 'update'];
const readWrite = ['get', 'list', 'patch', 'update', 'watch'];
const status = ['get', 'patch', 'update'];
const upsert = ['create', 'get', 'list', 'patch', 'update', 'watch'];
const leases = rule('coordination.k8s.io', all, 'leases');

/** Rules of every ClusterRole of KAI, by its name. */
const roles: Readonly<Record<string, readonly JsonObject[]>> = {
  'kai-admission': [leases, rule('', all, 'configmaps'), rule('', finalize, 'events')],
  'kai-binder': [
    leases,
    rule('', all, 'configmaps', 'pods'),
    rule('', finalize, 'events', 'pods/binding', 'pods/finalizers'),
    rule('', read, 'nodes', 'persistentvolumes'),
    rule('', readWrite, 'persistentvolumeclaims'),
    rule('', upsert, 'pods/status'),
    rule('resource.k8s.io', read, 'deviceclasses', 'resourceslices'),
    rule('resource.k8s.io', readWrite, 'resourceclaims', 'resourceclaims/status'),
    rule('scheduling.run.ai', ['delete', 'get', 'list', 'patch', 'update', 'watch'], 'bindrequests'),
    rule('scheduling.run.ai', ['patch', 'update'], 'bindrequests/finalizers'),
    rule('scheduling.run.ai', readWrite, 'bindrequests/status'),
    rule('storage.k8s.io', read, 'csidrivers', 'csinodes', 'csistoragecapacities', 'storageclasses'),
  ],
  'kai-node-scale-adjuster': [
    rule('', all, 'pods'),
    leases,
    rule('', all, 'configmaps'),
    rule('', finalize, 'events', 'pods/finalizers'),
    rule('', status, 'pods/status'),
  ],
  'kai-operator': [
    rule('', all, 'configmaps', 'secrets', 'serviceaccounts', 'services'),
    rule('', read, 'nodes'),
    rule('admissionregistration.k8s.io', all, 'mutatingwebhookconfigurations', 'validatingwebhookconfigurations'),
    rule('apiextensions.k8s.io', all, 'customresourcedefinitions'),
    rule('apps', all, 'daemonsets', 'deployments'),
    rule('kai.scheduler', all, 'configs', 'schedulingshards'),
    rule('kai.scheduler', ['update'], 'configs/finalizers', 'schedulingshards/finalizers'),
    rule('kai.scheduler', status, 'configs/status', 'schedulingshards/status'),
    rule('nvidia.com', read, 'clusterpolicies'),
  ],
  'kai-podgroup-controller': [
    rule('', read, 'nodes', 'pods', 'pods/status'),
    leases,
    rule('', all, 'configmaps'),
    rule('scheduling.k8s.io', read, 'priorityclasses'),
    rule('scheduling.run.ai', read, 'podgroups'),
    rule('scheduling.run.ai', readWrite, 'podgroups/status'),
  ],
  'kai-podgrouper': [
    rule('', read, 'configmaps', 'namespaces'),
    rule('', upsert, 'events', 'pods'),
    rule('', finalize, 'pods/finalizers'),
    rule('amlarc.azureml.com', read, 'amljobs'),
    rule('amlarc.azureml.com', finalize, 'amljobs/finalizers'),
    rule('apps', read, 'deployments', 'replicasets', 'statefulsets'),
    rule('apps', finalize, 'deployments/finalizers', 'replicasets/finalizers', 'statefulsets/finalizers'),
    rule('argoproj.io', read, 'workflows'),
    rule('argoproj.io', finalize, 'workflows/finalizers'),
    rule('batch', read, 'cronjobs', 'jobs'),
    rule('batch', finalize, 'cronjobs/finalizers', 'jobs/finalizers'),
    leases,
    rule('', all, 'configmaps'),
    rule('egx.nvidia.io', read, 'spotrequests'),
    rule('egx.nvidia.io', finalize, 'spotrequests/finalizers'),
    rule('grove.io', read, 'podcliques', 'podcliquescalinggroups', 'podgangsets'),
    rule('grove.io', finalize, 'podcliques/finalizers', 'podcliquescalinggroups/finalizers', 'podgangsets/finalizers'),
    rule('kubeflow.org', read, 'jaxjobs', 'mpijobs', 'notebooks', 'pytorchjobs', 'scheduledworkflows', 'tfjobs', 'xgboostjobs'),
    rule(
      'kubeflow.org',
      finalize,
      'jaxjobs/finalizers',
      'mpijobs/finalizers',
      'notebooks/finalizers',
      'pytorchjobs/finalizers',
      'scheduledworkflows/finalizers',
      'tfjobs/finalizers',
      'xgboostjobs/finalizers',
    ),
    rule('kubevirt.io', read, 'virtualmachineinstances', 'virtualmachines'),
    rule('kubevirt.io', finalize, 'virtualmachineinstances/finalizers', 'virtualmachines/finalizers'),
    rule('leaderworkerset.x-k8s.io', read, 'leaderworkersets'),
    rule('leaderworkerset.x-k8s.io', finalize, 'leaderworkersets/finalizers'),
    rule('machinelearning.seldon.io', read, 'seldondeployments'),
    rule('machinelearning.seldon.io', finalize, 'seldondeployments/finalizers'),
    rule('ray.io', read, 'rayclusters', 'rayjobs', 'rayservices'),
    rule('ray.io', finalize, 'rayclusters/finalizers', 'rayjobs/finalizers', 'rayservices/finalizers'),
    rule(
      'run.ai',
      read,
      'distributedinferenceworkloads',
      'distributedworkloads',
      'inferenceworkloads',
      'interactiveworkloads',
      'runaijobs',
      'trainingworkloads',
    ),
    rule('run.ai', finalize, 'runaijobs/finalizers'),
    rule('scheduler.grove.io', read, 'podgangs'),
    rule('scheduler.grove.io', finalize, 'podgangs/finalizers'),
    rule('scheduling.k8s.io', read, 'priorityclasses'),
    rule('scheduling.run.ai', upsert, 'podgroups'),
    rule('serving.knative.dev', read, 'configurations', 'revisions', 'services'),
    rule('serving.knative.dev', finalize, 'configurations/finalizers', 'revisions/finalizers', 'services/finalizers'),
    rule('tekton.dev', read, 'pipelineruns', 'taskruns'),
    rule('tekton.dev', finalize, 'pipelineruns/finalizers', 'taskruns/finalizers'),
    rule('workspace.devfile.io', read, 'devworkspaces'),
    rule('workspace.devfile.io', finalize, 'devworkspaces/finalizers'),
  ],
  queuecontroller: [
    leases,
    rule('', all, 'configmaps'),
    rule('scheduling.run.ai', read, 'podgroups'),
    rule('scheduling.run.ai', readWrite, 'queues'),
    rule('scheduling.run.ai', ['update'], 'queues/finalizers'),
    rule('scheduling.run.ai', status, 'queues/status'),
  ],
  'kai-resource-reservation': [rule('', readWrite, 'pods')],
  'kai-scheduler': [
    rule('', read, 'configmaps', 'namespaces', 'nodes', 'persistentvolumeclaims', 'persistentvolumes'),
    rule('', all, 'events', 'pods/status'),
    rule('', ['delete', 'get', 'list', 'patch', 'update', 'watch'], 'pods'),
    rule('', ['create', 'delete', 'get', 'list', 'patch', 'update'], 'pods/finalizers'),
    leases,
    rule('', all, 'configmaps'),
    rule('kueue.x-k8s.io', read, 'topologies'),
    rule('resource.k8s.io', read, 'deviceclasses', 'resourceclaims', 'resourceslices'),
    rule('scheduling.k8s.io', read, 'priorityclasses'),
    rule('scheduling.run.ai', all, 'bindrequests', 'podgroups/status'),
    rule('scheduling.run.ai', readWrite, 'podgroups'),
    rule('scheduling.run.ai', read, 'queues'),
    rule('storage.k8s.io', read, 'csidrivers', 'csinodes', 'csistoragecapacities', 'storageclasses'),
  ],
};

/** Rules that the pod grouper needs for Grove's pods: those of version v0.9.4 name a kind that Grove no longer has. */
const podCliqueSetRules: readonly JsonObject[] = [
  rule('grove.io', read, 'podcliquesets'),
  rule('grove.io', finalize, 'podcliquesets/finalizers'),
];

/** ClusterRole and account of each binding, by name of the binding. */
const bindings: Readonly<Record<string, { readonly role: string; readonly account: string }>> = {
  'kai-admission': { role: 'kai-admission', account: 'admission' },
  'kai-binder': { role: 'kai-binder', account: 'binder' },
  'kai-node-scale-adjuster': { role: 'kai-node-scale-adjuster', account: 'node-scale-adjuster' },
  'kai-operator': { role: 'kai-operator', account: 'kai-operator' },
  'kai-podgroup-controller': { role: 'kai-podgroup-controller', account: 'podgroup-controller' },
  'kai-podgrouper': { role: 'kai-podgrouper', account: 'pod-grouper' },
  'kai-queuecontroller': { role: 'queuecontroller', account: 'queue-controller' },
  'kai-scheduler': { role: 'kai-scheduler', account: 'scheduler' },
};

/** Rules of the hook that installs CRDs. */
export const crdManagerRules: readonly JsonObject[] = [
  rule('apiextensions.k8s.io', ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'], 'customresourcedefinitions'),
];

const rbac = 'rbac.authorization.k8s.io';

/** A cluster role. */
export function clusterRole(name: string, rules: readonly JsonObject[], metadata: JsonObject = {}): JsonObject {
  return { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name, ...metadata }, rules };
}

/** A binding of a role to one account. */
export function binding(kind: string, metadata: JsonObject, role: string, account: string, namespace: string): JsonObject {
  return {
    apiVersion: `${rbac}/v1`,
    kind,
    metadata,
    subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
  };
}

/** Every role of KAI's components and its binding. */
export function accessObjects({ context }: KaiRelease): readonly JsonObject[] {
  const rulesOf = (name: string): readonly JsonObject[] =>
    name === 'kai-podgrouper' && context.switches['kai-repairs']
      ? [...(roles[name] ?? []), ...podCliqueSetRules]
      : (roles[name] ?? []);
  return [
    ...Object.keys(roles).map((name) => clusterRole(name, rulesOf(name))),
    ...Object.entries(bindings).map(([name, { role, account }]) =>
      binding('ClusterRoleBinding', { name }, role, account, context.namespace),
    ),
  ];
}
