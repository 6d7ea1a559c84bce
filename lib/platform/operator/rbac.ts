import type { KubernetesObject, ObjectMeta } from '../part.ts';
import { atPath, templateString, truthy, type Value } from '../go-values.ts';
import { objectAt } from '../../json/index.ts';
import {
  editRules,
  eppRules,
  nodeRules,
  viewRules,
  leaderElectionRules,
  leaseElectionRules,
  leastManagerRules,
  originalManagerRules,
  plannerRules,
  profilingRules,
  reviewRules,
  rule,
  type Rule,
} from './rbac-rules.ts';
import { ownElectionRules, ownManagerRules } from './own-operator-rules.ts';
import { proxyArguments, servesMetricsSecurely } from './arguments.ts';
import type { OperatorRelease } from './release.ts';

const group = 'rbac.authorization.k8s.io';
type Labels = Readonly<Record<string, string>>;

/** Where a role and its binding live: in a namespace, or in the cluster when that is undefined. */
type Place = string | undefined;

function metadata(name: string, place: Place, labels: Labels, annotations?: Labels): ObjectMeta {
  return {
    name,
    ...(place === undefined ? {} : { namespace: place }),
    labels,
    ...(annotations === undefined ? {} : { annotations }),
  };
}

/** A Role, or a ClusterRole where no namespace is given. */
export function role(name: string, place: Place, labels: Labels, rules: readonly Rule[], annotations?: Labels): KubernetesObject {
  return {
    apiVersion: `${group}/v1`,
    kind: place === undefined ? 'ClusterRole' : 'Role',
    metadata: metadata(name, place, labels, annotations),
    rules,
  };
}

/** What a binding joins. */
interface BindingOptions {
  readonly name: string;
  readonly place: Place;
  readonly labels: Labels;
  readonly role: string;
  readonly account: string;
  readonly accountNamespace: string;
  readonly roleKind?: 'ClusterRole' | 'Role';
  readonly annotations?: Labels;
}

/** A RoleBinding, or a ClusterRoleBinding where no namespace is given, of one account to one role. */
export function binding(options: BindingOptions): KubernetesObject {
  return {
    apiVersion: `${group}/v1`,
    kind: options.place === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata: metadata(options.name, options.place, options.labels, options.annotations),
    roleRef: {
      apiGroup: group,
      kind: options.roleKind ?? (options.place === undefined ? 'ClusterRole' : 'Role'),
      name: options.role,
    },
    subjects: [{ kind: 'ServiceAccount', name: options.account, namespace: options.accountNamespace }],
  };
}

/** A ServiceAccount; `annotations` appear only when there are any. */
export function serviceAccount(meta: ObjectMeta, pullSecret?: string): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: meta,
    ...(pullSecret === undefined ? {} : { imagePullSecrets: [{ name: pullSecret }] }),
  };
}

/** The operator's own account, and the one graphs without Kubernetes discovery run under. */
export function operatorAccounts(scope: OperatorRelease): readonly KubernetesObject[] {
  const { values, name, context } = scope;
  // The original passes numbers on as numbers, which Kubernetes refuses.
  const printed = (v: Value): string => (context.switches['sound-values'] ? templateString(v) : (v as string));
  const annotations = (path: string): { annotations?: Labels } => {
    const entries = Object.entries(objectAt(atPath(values, path)));
    return entries.length === 0 ? {} : { annotations: Object.fromEntries(entries.map(([k, v]) => [k, printed(v)])) };
  };
  const labels = scope.componentLabels('rbac');
  const home = scope.restricted ? scope.home : context.namespace;
  return [
    serviceAccount({
      name: scope.account,
      namespace: context.namespace,
      labels,
      ...annotations('controllerManager.serviceAccount.annotations'),
    }),
    serviceAccount(
      {
        name: `${name}-component`,
        namespace: home,
        labels: { ...labels, 'nvidia.com/dynamo-component-pod': 'true' },
        ...annotations('dynamo.components.serviceAccount.annotations'),
      },
      scope.registrySecret,
    ),
  ];
}

/** Whether readers of the metrics are judged: by the operator itself, or by the proxy unless /metrics is exempt. */
function judgesReaders(scope: OperatorRelease): boolean {
  if (servesMetricsSecurely(scope)) return true;
  return !proxyArguments(scope).some((arg) => /^--ignore-paths=(.*,)?\/metrics(,|$)/.test(arg));
}

/** Whether the monitors send the token of Prometheus: where readers are judged, and roles let them be. */
export function sendsToken(scope: OperatorRelease): boolean {
  return (scope.context.switches['proxy-rbac'] || scope.kind === 'dynamo-cdk8s') && judgesReaders(scope);
}

/** Name of the ClusterRole that lets its holder read the metrics. */
export function metricsReader(scope: OperatorRelease): string {
  return `${clusterPrefix(scope)}-metrics-reader`;
}

/** Prefix of ClusterRoles: several restricted operators may have the same name, each in a namespace of its own. */
function clusterPrefix({ name, restricted, context }: OperatorRelease): string {
  return restricted ? `${name}-${context.namespace}` : name;
}

function proxyRoles(scope: OperatorRelease): readonly KubernetesObject[] {
  const { name, context, restricted, target } = scope;
  const labels = scope.componentLabels('kube-rbac-proxy');
  const subject = { account: scope.account, accountNamespace: context.namespace };
  if (context.switches['proxy-rbac'] || scope.kind === 'dynamo-cdk8s') {
    if (!judgesReaders(scope)) return [];
    const roleName = `${clusterPrefix(scope)}-proxy-role`;
    return [
      role(roleName, undefined, labels, reviewRules),
      binding({ name: `${roleName}binding`, place: undefined, labels, role: roleName, ...subject }),
      // For whoever scrapes: to be bound to the account of Prometheus.
      role(metricsReader(scope), undefined, labels, [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }]),
    ];
  }
  const place = restricted ? target : undefined;
  return [
    role(`${name}-proxy-role`, place, labels, reviewRules),
    binding({
      name: `${name}-proxy-rolebinding`,
      place,
      labels,
      role: `${name}-proxy-role`,
      roleKind: 'ClusterRole',
      ...subject,
    }),
  ];
}

/** Roles of the operator's own account: leader election, the manager, KAI queues, the metrics proxy. */
export function operatorRoles(scope: OperatorRelease): readonly KubernetesObject[] {
  const { values, name, context, restricted, target } = scope;
  const least = context.switches['least-privilege'];
  const place = restricted ? target : undefined;
  const rbac = scope.componentLabels('rbac');
  const subject = { account: scope.account, accountNamespace: context.namespace };
  const istio = truthy(atPath(values, 'dynamo.istio.enabled')) && truthy(atPath(values, 'dynamo.istio.gateway'));
  const boundRoles = ['dgdr-profiling', 'epp', 'planner'].map((r) => `${name}-${r}`);
  const secretName = atPath(values, 'dynamo.mpiRun.secretName');
  const sshSecret = truthy(secretName) ? templateString(secretName) : '';
  const own = scope.kind === 'dynamo-cdk8s';
  const leastRules = own ? ownManagerRules : leastManagerRules;
  const managerRules = least
    ? leastRules({ restricted, istio, boundRoles, sshSecret })
    : originalManagerRules(truthy(values['istioVirtualServiceEnabled']));
  const id = atPath(values, 'controllerManager.leaderElection.id');
  const electionId = truthy(id) ? templateString(id) : 'dynamo.nvidia.com';
  const electionNamespace = atPath(values, 'controllerManager.leaderElection.namespace');
  const electionPlace = restricted
    ? target
    : least
      ? truthy(electionNamespace)
        ? templateString(electionNamespace)
        : 'kube-system'
      : undefined;
  const leastElection = own ? ownElectionRules : leaseElectionRules;
  const queueReader = `${name}-${context.namespace}-queue-reader`;
  return [
    role(`${name}-leader-election-role`, electionPlace, rbac, least ? leastElection(electionId) : leaderElectionRules),
    binding({
      name: `${name}-leader-election-rolebinding`,
      place: electionPlace,
      labels: rbac,
      role: `${name}-leader-election-role`,
      ...subject,
    }),
    role(`${name}-manager-role`, place, scope.labels, managerRules),
    binding({ name: `${name}-manager-rolebinding`, place, labels: rbac, role: `${name}-manager-role`, ...subject }),
    role(queueReader, undefined, rbac, [rule('scheduling.run.ai', ['queues'], least && own ? ['get'] : ['get', 'list'])]),
    binding({ name: `${queueReader}-binding`, place: undefined, labels: rbac, role: queueReader, ...subject }),
    ...proxyRoles(scope),
  ];
}

/** Roles that Kubernetes adds to its own `view`, `edit` and `admin`, so that people of a namespace may use the kinds of Dynamo in it. */
function peopleRoles({ name, labels }: OperatorRelease): readonly KubernetesObject[] {
  const to = (...roles: readonly string[]): Labels => ({
    ...labels,
    ...Object.fromEntries(roles.map((aggregate) => [`rbac.authorization.k8s.io/aggregate-to-${aggregate}`, 'true'])),
  });
  return [
    role(`${name}-view`, undefined, to('view', 'edit', 'admin'), viewRules),
    role(`${name}-edit`, undefined, to('edit', 'admin'), editRules),
  ];
}

/** Roles for planner, endpoint picker and profiling Jobs: cluster-wide the operator binds them per namespace, restricted they are bound here. */
export function graphRoles(scope: OperatorRelease): readonly KubernetesObject[] {
  const { name, context, restricted, home, labels, registrySecret } = scope;
  const profiling = { ...labels, 'app.kubernetes.io/component': 'dgdr-profiling' };
  if (!restricted) {
    const subject = { account: 'dgdr-profiling-job', accountNamespace: context.namespace };
    const least = context.switches['least-privilege'];
    // the operator binds the rest in the namespace of each request
    const nodeReader = least ? `${name}-dgdr-profiling-nodes` : `${name}-dgdr-profiling`;
    return [
      role(`${name}-planner`, undefined, labels, plannerRules),
      role(`${name}-epp`, undefined, labels, eppRules(false)),
      role(`${name}-dgdr-profiling`, undefined, profiling, profilingRules(false)),
      ...(least ? [role(nodeReader, undefined, profiling, nodeRules)] : []),
      binding({
        name: nodeReader,
        place: undefined,
        labels: profiling,
        role: nodeReader,
        ...subject,
      }),
      ...(least ? peopleRoles(scope) : []),
    ];
  }
  const accounts = [
    {
      account: 'planner-serviceaccount',
      role: 'planner-role',
      binding: 'planner-binding',
      rules: plannerRules,
      labels,
      pullSecret: registrySecret,
    },
    {
      account: 'epp-serviceaccount',
      role: 'epp-role',
      binding: 'epp-binding',
      rules: eppRules(true),
      labels,
      pullSecret: registrySecret,
    },
    {
      account: 'dgdr-profiling-job',
      role: 'dgdr-profiling-job',
      binding: 'dgdr-profiling-job',
      rules: profilingRules(true),
      labels: profiling,
      pullSecret: undefined,
    },
  ];
  return accounts.flatMap((a) => [
    serviceAccount({ name: a.account, namespace: home, labels: a.labels }, a.pullSecret),
    role(a.role, home, a.labels, a.rules),
    binding({ name: a.binding, place: home, labels: a.labels, role: a.role, account: a.account, accountNamespace: home }),
  ]);
}

/** Rights on the webhook's certificate Secret: reading it where the pod mounts it, keeping it where the operator makes it itself. */
export function certificateRoles(scope: OperatorRelease, configuration: string): readonly KubernetesObject[] {
  const { values, name, context } = scope;
  const labels = scope.componentLabels('webhook');
  const secret = templateString(atPath(values, 'webhook.certificateSecret.name'));
  const subject = { account: scope.account, accountNamespace: context.namespace };
  const named = (resources: readonly string[], apiGroup: string, verbs: readonly string[], resourceName: string): Rule => ({
    ...rule(apiGroup, resources, verbs),
    resourceNames: [resourceName],
  });
  if (scope.certificates === 'self-managed') {
    const keeper = `${name}-webhook-certificates`;
    const keepSecret = [rule('', ['secrets'], ['create']), named(['secrets'], '', ['get', 'list', 'update', 'watch'], secret)];
    const injectCa = [
      named(
        ['validatingwebhookconfigurations'],
        'admissionregistration.k8s.io',
        ['get', 'list', 'patch', 'watch'],
        configuration,
      ),
    ];
    const clusterName = `${name}-${context.namespace}-webhook-certificates`;
    return [
      role(keeper, context.namespace, labels, keepSecret),
      binding({ name: keeper, place: context.namespace, labels, role: keeper, ...subject }),
      role(clusterName, undefined, labels, injectCa),
      binding({ name: clusterName, place: undefined, labels, role: clusterName, ...subject }),
    ];
  }
  // The pod mounts the Secret; no API call reads it.
  if (context.switches['least-privilege']) return [];
  const reader = `${name}-webhook-cert-reader`;
  return [
    role(reader, context.namespace, labels, [named(['secrets'], '', ['get', 'list', 'watch'], secret)]),
    binding({ name: reader, place: context.namespace, labels, role: reader, ...subject }),
  ];
}
