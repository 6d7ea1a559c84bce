import type { KaiRelease } from './release.ts';
import type { JsonObject } from '../../json/index.ts';
import { policyRule } from '../policy-rule.ts';

const all = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];
const read = ['get', 'list', 'watch'];
const finalize = ['create', 'patch', 'update'];
const readWrite = ['get', 'list', 'patch', 'update', 'watch'];
const status = ['get', 'patch', 'update'];
const upsert = ['create', 'get', 'list', 'patch', 'update', 'watch'];
const leases = policyRule('coordination.k8s.io', ['leases'], all);

/** Rules of every ClusterRole of KAI, by its name. */
const roles: Readonly<Record<string, readonly JsonObject[]>> = {
  'kai-admission': [leases, policyRule('', ['configmaps'], all), policyRule('', ['events'], finalize)],
  'kai-binder': [
    leases,
    policyRule('', ['configmaps', 'pods'], all),
    policyRule('', ['events', 'pods/binding', 'pods/finalizers'], finalize),
    policyRule('', ['nodes', 'persistentvolumes'], read),
    policyRule('', ['persistentvolumeclaims'], readWrite),
    policyRule('', ['pods/status'], upsert),
    policyRule('resource.k8s.io', ['deviceclasses', 'resourceslices'], read),
    policyRule('resource.k8s.io', ['resourceclaims', 'resourceclaims/status'], readWrite),
    policyRule('scheduling.run.ai', ['bindrequests'], ['delete', 'get', 'list', 'patch', 'update', 'watch']),
    policyRule('scheduling.run.ai', ['bindrequests/finalizers'], ['patch', 'update']),
    policyRule('scheduling.run.ai', ['bindrequests/status'], readWrite),
    policyRule('storage.k8s.io', ['csidrivers', 'csinodes', 'csistoragecapacities', 'storageclasses'], read),
  ],
  'kai-node-scale-adjuster': [
    policyRule('', ['pods'], all),
    leases,
    policyRule('', ['configmaps'], all),
    policyRule('', ['events', 'pods/finalizers'], finalize),
    policyRule('', ['pods/status'], status),
  ],
  'kai-operator': [
    policyRule('', ['configmaps', 'secrets', 'serviceaccounts', 'services'], all),
    policyRule('', ['nodes'], read),
    policyRule('admissionregistration.k8s.io', ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'], all),
    policyRule('apiextensions.k8s.io', ['customresourcedefinitions'], all),
    policyRule('apps', ['daemonsets', 'deployments'], all),
    policyRule('kai.scheduler', ['configs', 'schedulingshards'], all),
    policyRule('kai.scheduler', ['configs/finalizers', 'schedulingshards/finalizers'], ['update']),
    policyRule('kai.scheduler', ['configs/status', 'schedulingshards/status'], status),
    policyRule('nvidia.com', ['clusterpolicies'], read),
  ],
  'kai-podgroup-controller': [
    policyRule('', ['nodes', 'pods', 'pods/status'], read),
    leases,
    policyRule('', ['configmaps'], all),
    policyRule('scheduling.k8s.io', ['priorityclasses'], read),
    policyRule('scheduling.run.ai', ['podgroups'], read),
    policyRule('scheduling.run.ai', ['podgroups/status'], readWrite),
  ],
  'kai-podgrouper': [
    policyRule('', ['configmaps', 'namespaces'], read),
    policyRule('', ['events', 'pods'], upsert),
    policyRule('', ['pods/finalizers'], finalize),
    policyRule('amlarc.azureml.com', ['amljobs'], read),
    policyRule('amlarc.azureml.com', ['amljobs/finalizers'], finalize),
    policyRule('apps', ['deployments', 'replicasets', 'statefulsets'], read),
    policyRule('apps', ['deployments/finalizers', 'replicasets/finalizers', 'statefulsets/finalizers'], finalize),
    policyRule('argoproj.io', ['workflows'], read),
    policyRule('argoproj.io', ['workflows/finalizers'], finalize),
    policyRule('batch', ['cronjobs', 'jobs'], read),
    policyRule('batch', ['cronjobs/finalizers', 'jobs/finalizers'], finalize),
    leases,
    policyRule('', ['configmaps'], all),
    policyRule('egx.nvidia.io', ['spotrequests'], read),
    policyRule('egx.nvidia.io', ['spotrequests/finalizers'], finalize),
    policyRule('grove.io', ['podcliques', 'podcliquescalinggroups', 'podgangsets'], read),
    policyRule('grove.io', ['podcliques/finalizers', 'podcliquescalinggroups/finalizers', 'podgangsets/finalizers'], finalize),
    policyRule(
      'kubeflow.org',
      ['jaxjobs', 'mpijobs', 'notebooks', 'pytorchjobs', 'scheduledworkflows', 'tfjobs', 'xgboostjobs'],
      read,
    ),
    policyRule(
      'kubeflow.org',
      [
        'jaxjobs/finalizers',
        'mpijobs/finalizers',
        'notebooks/finalizers',
        'pytorchjobs/finalizers',
        'scheduledworkflows/finalizers',
        'tfjobs/finalizers',
        'xgboostjobs/finalizers',
      ],
      finalize,
    ),
    policyRule('kubevirt.io', ['virtualmachineinstances', 'virtualmachines'], read),
    policyRule('kubevirt.io', ['virtualmachineinstances/finalizers', 'virtualmachines/finalizers'], finalize),
    policyRule('leaderworkerset.x-k8s.io', ['leaderworkersets'], read),
    policyRule('leaderworkerset.x-k8s.io', ['leaderworkersets/finalizers'], finalize),
    policyRule('machinelearning.seldon.io', ['seldondeployments'], read),
    policyRule('machinelearning.seldon.io', ['seldondeployments/finalizers'], finalize),
    policyRule('ray.io', ['rayclusters', 'rayjobs', 'rayservices'], read),
    policyRule('ray.io', ['rayclusters/finalizers', 'rayjobs/finalizers', 'rayservices/finalizers'], finalize),
    policyRule(
      'run.ai',
      [
        'distributedinferenceworkloads',
        'distributedworkloads',
        'inferenceworkloads',
        'interactiveworkloads',
        'runaijobs',
        'trainingworkloads',
      ],
      read,
    ),
    policyRule('run.ai', ['runaijobs/finalizers'], finalize),
    policyRule('scheduler.grove.io', ['podgangs'], read),
    policyRule('scheduler.grove.io', ['podgangs/finalizers'], finalize),
    policyRule('scheduling.k8s.io', ['priorityclasses'], read),
    policyRule('scheduling.run.ai', ['podgroups'], upsert),
    policyRule('serving.knative.dev', ['configurations', 'revisions', 'services'], read),
    policyRule('serving.knative.dev', ['configurations/finalizers', 'revisions/finalizers', 'services/finalizers'], finalize),
    policyRule('tekton.dev', ['pipelineruns', 'taskruns'], read),
    policyRule('tekton.dev', ['pipelineruns/finalizers', 'taskruns/finalizers'], finalize),
    policyRule('workspace.devfile.io', ['devworkspaces'], read),
    policyRule('workspace.devfile.io', ['devworkspaces/finalizers'], finalize),
  ],
  queuecontroller: [
    leases,
    policyRule('', ['configmaps'], all),
    policyRule('scheduling.run.ai', ['podgroups'], read),
    policyRule('scheduling.run.ai', ['queues'], readWrite),
    policyRule('scheduling.run.ai', ['queues/finalizers'], ['update']),
    policyRule('scheduling.run.ai', ['queues/status'], status),
  ],
  'kai-resource-reservation': [policyRule('', ['pods'], readWrite)],
  'kai-scheduler': [
    policyRule('', ['configmaps', 'namespaces', 'nodes', 'persistentvolumeclaims', 'persistentvolumes'], read),
    policyRule('', ['events', 'pods/status'], all),
    policyRule('', ['pods'], ['delete', 'get', 'list', 'patch', 'update', 'watch']),
    policyRule('', ['pods/finalizers'], ['create', 'delete', 'get', 'list', 'patch', 'update']),
    leases,
    policyRule('', ['configmaps'], all),
    policyRule('kueue.x-k8s.io', ['topologies'], read),
    policyRule('resource.k8s.io', ['deviceclasses', 'resourceclaims', 'resourceslices'], read),
    policyRule('scheduling.k8s.io', ['priorityclasses'], read),
    policyRule('scheduling.run.ai', ['bindrequests', 'podgroups/status'], all),
    policyRule('scheduling.run.ai', ['podgroups'], readWrite),
    policyRule('scheduling.run.ai', ['queues'], read),
    policyRule('storage.k8s.io', ['csidrivers', 'csinodes', 'csistoragecapacities', 'storageclasses'], read),
  ],
};

/** Rules that the pod grouper needs for Grove's pods: those of version v0.9.4 name a kind that Grove no longer has. */
const podCliqueSetRules: readonly JsonObject[] = [
  policyRule('grove.io', ['podcliquesets'], read),
  policyRule('grove.io', ['podcliquesets/finalizers'], finalize),
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
  policyRule(
    'apiextensions.k8s.io',
    ['customresourcedefinitions'],
    ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
  ),
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
