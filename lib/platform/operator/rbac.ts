import type { KubernetesObject, NamedObjectMeta } from '../../api/index.ts';
import { atPath, templateString, truthy, type Value } from '../go-values.ts';
import { objectAt } from '../../json/index.ts';
import { policyRule, type PolicyRule } from '../policy-rule.ts';
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
} from './rbac-rules.ts';
import { ownElectionRules, ownManagerRules } from './own-operator-rules.ts';
import { proxyArguments, servesMetricsSecurely } from './arguments.ts';
import type { OperatorRelease } from './release.ts';

const group = 'rbac.authorization.k8s.io';
type Labels = Readonly<Record<string, string>>;

/** The namespace of a role and its binding; undefined for a ClusterRole and its ClusterRoleBinding. */
type RoleNamespace = string | undefined;

function metadata(name: string, namespace: RoleNamespace, labels: Labels, annotations?: Labels): NamedObjectMeta {
  return {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    labels,
    ...(annotations === undefined ? {} : { annotations }),
  };
}

/** A Role, or a ClusterRole if no namespace is given. */
export function role(
  name: string,
  namespace: RoleNamespace,
  labels: Labels,
  rules: readonly PolicyRule[],
  annotations?: Labels,
): KubernetesObject {
  return {
    apiVersion: `${group}/v1`,
    kind: namespace === undefined ? 'ClusterRole' : 'Role',
    metadata: metadata(name, namespace, labels, annotations),
    rules,
  };
}

/** Input of `binding`. */
interface BindingOptions {
  readonly name: string;
  readonly namespace: RoleNamespace;
  readonly labels: Labels;
  readonly role: string;
  readonly account: string;
  readonly accountNamespace: string;
  readonly roleKind?: 'ClusterRole' | 'Role';
  readonly annotations?: Labels;
}

/** A RoleBinding, or a ClusterRoleBinding if no namespace is given, of one account to one role. */
export function binding(options: BindingOptions): KubernetesObject {
  return {
    apiVersion: `${group}/v1`,
    kind: options.namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata: metadata(options.name, options.namespace, options.labels, options.annotations),
    roleRef: {
      apiGroup: group,
      kind: options.roleKind ?? (options.namespace === undefined ? 'ClusterRole' : 'Role'),
      name: options.role,
    },
    subjects: [{ kind: 'ServiceAccount', name: options.account, namespace: options.accountNamespace }],
  };
}

/** A ServiceAccount. */
export function serviceAccount(meta: NamedObjectMeta, pullSecret?: string): KubernetesObject {
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
  // The original renders numbers as numbers, which Kubernetes rejects in annotations.
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

/** Whether requests for metrics are authorized: by the operator itself, or by the proxy unless /metrics is exempt. */
function authorizesMetrics(scope: OperatorRelease): boolean {
  if (servesMetricsSecurely(scope)) return true;
  return !proxyArguments(scope).some((arg) => /^--ignore-paths=(.*,)?\/metrics(,|$)/.test(arg));
}

/** Whether the monitors send the token of Prometheus: if requests for metrics are authorized, and the roles for that are rendered. */
export function sendsToken(scope: OperatorRelease): boolean {
  return (scope.context.switches['proxy-rbac'] || scope.kind === 'dynamo-cdk8s') && authorizesMetrics(scope);
}

/** Name of the ClusterRole that grants read access to the metrics. */
export function metricsReader(scope: OperatorRelease): string {
  return `${clusterPrefix(scope)}-metrics-reader`;
}

/** Prefix of ClusterRoles: several restricted operators may have the same name, each in its own namespace. */
function clusterPrefix({ name, restricted, context }: OperatorRelease): string {
  return restricted ? `${name}-${context.namespace}` : name;
}

function proxyRoles(scope: OperatorRelease): readonly KubernetesObject[] {
  const { name, context, restricted, target } = scope;
  const labels = scope.componentLabels('kube-rbac-proxy');
  const subject = { account: scope.account, accountNamespace: context.namespace };
  if (context.switches['proxy-rbac'] || scope.kind === 'dynamo-cdk8s') {
    if (!authorizesMetrics(scope)) return [];
    const roleName = `${clusterPrefix(scope)}-proxy-role`;
    return [
      role(roleName, undefined, labels, reviewRules),
      binding({ name: `${roleName}binding`, namespace: undefined, labels, role: roleName, ...subject }),
      // To be bound to the account of Prometheus.
      role(metricsReader(scope), undefined, labels, [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }]),
    ];
  }
  const namespace = restricted ? target : undefined;
  return [
    role(`${name}-proxy-role`, namespace, labels, reviewRules),
    binding({
      name: `${name}-proxy-rolebinding`,
      namespace,
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
  const namespace = restricted ? target : undefined;
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
  const leaseNamespace = restricted
    ? target
    : least
      ? truthy(electionNamespace)
        ? templateString(electionNamespace)
        : 'kube-system'
      : undefined;
  const leastElection = own ? ownElectionRules : leaseElectionRules;
  const queueReader = `${name}-${context.namespace}-queue-reader`;
  return [
    role(`${name}-leader-election-role`, leaseNamespace, rbac, least ? leastElection(electionId) : leaderElectionRules),
    binding({
      name: `${name}-leader-election-rolebinding`,
      namespace: leaseNamespace,
      labels: rbac,
      role: `${name}-leader-election-role`,
      ...subject,
    }),
    role(`${name}-manager-role`, namespace, scope.labels, managerRules),
    binding({ name: `${name}-manager-rolebinding`, namespace, labels: rbac, role: `${name}-manager-role`, ...subject }),
    role(queueReader, undefined, rbac, [policyRule('scheduling.run.ai', ['queues'], least && own ? ['get'] : ['get', 'list'])]),
    binding({ name: `${queueReader}-binding`, namespace: undefined, labels: rbac, role: queueReader, ...subject }),
    ...proxyRoles(scope),
  ];
}

/**
 * ClusterRoles that Kubernetes aggregates into `view`, `edit` and `admin`, so that users of a namespace may use the Dynamo kinds in it:
 * https://kubernetes.io/docs/reference/access-authn-authz/rbac/#aggregated-clusterroles
 */
function aggregatedRoles({ name, labels }: OperatorRelease): readonly KubernetesObject[] {
  const to = (...roles: readonly string[]): Labels => ({
    ...labels,
    ...Object.fromEntries(roles.map((aggregate) => [`rbac.authorization.k8s.io/aggregate-to-${aggregate}`, 'true'])),
  });
  return [
    role(`${name}-view`, undefined, to('view', 'edit', 'admin'), viewRules),
    role(`${name}-edit`, undefined, to('edit', 'admin'), editRules),
  ];
}

/** Roles for planner, endpoint picker and profiling Jobs. A cluster-wide operator binds them in each namespace; those of a restricted operator are bound here. */
export function graphRoles(scope: OperatorRelease): readonly KubernetesObject[] {
  const { name, context, restricted, home, labels, registrySecret } = scope;
  const profiling = { ...labels, 'app.kubernetes.io/component': 'dgdr-profiling' };
  if (!restricted) {
    const subject = { account: 'dgdr-profiling-job', accountNamespace: context.namespace };
    const least = context.switches['least-privilege'];
    // The operator binds the other rights in the namespace of each request.
    const nodeReader = least ? `${name}-dgdr-profiling-nodes` : `${name}-dgdr-profiling`;
    return [
      role(`${name}-planner`, undefined, labels, plannerRules),
      role(`${name}-epp`, undefined, labels, eppRules(false)),
      role(`${name}-dgdr-profiling`, undefined, profiling, profilingRules(false)),
      ...(least ? [role(nodeReader, undefined, profiling, nodeRules)] : []),
      binding({
        name: nodeReader,
        namespace: undefined,
        labels: profiling,
        role: nodeReader,
        ...subject,
      }),
      ...(least ? aggregatedRoles(scope) : []),
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
    binding({ name: a.binding, namespace: home, labels: a.labels, role: a.role, account: a.account, accountNamespace: home }),
  ]);
}

/** Rights on the webhook's certificate Secret: to read it if the pod mounts it, to write it if the operator manages it. */
export function certificateRoles(scope: OperatorRelease, configuration: string): readonly KubernetesObject[] {
  const { values, name, context } = scope;
  const labels = scope.componentLabels('webhook');
  const secret = templateString(atPath(values, 'webhook.certificateSecret.name'));
  const subject = { account: scope.account, accountNamespace: context.namespace };
  const named = (resources: readonly string[], apiGroup: string, verbs: readonly string[], resourceName: string): PolicyRule => ({
    ...policyRule(apiGroup, resources, verbs),
    resourceNames: [resourceName],
  });
  if (scope.certificates === 'self-managed') {
    const keeper = `${name}-webhook-certificates`;
    const keepSecret = [
      policyRule('', ['secrets'], ['create']),
      named(['secrets'], '', ['get', 'list', 'update', 'watch'], secret),
    ];
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
      binding({ name: keeper, namespace: context.namespace, labels, role: keeper, ...subject }),
      role(clusterName, undefined, labels, injectCa),
      binding({ name: clusterName, namespace: undefined, labels, role: clusterName, ...subject }),
    ];
  }
  // The pod mounts the Secret; no API call reads it.
  if (context.switches['least-privilege']) return [];
  const reader = `${name}-webhook-cert-reader`;
  return [
    role(reader, context.namespace, labels, [named(['secrets'], '', ['get', 'list', 'watch'], secret)]),
    binding({ name: reader, namespace: context.namespace, labels, role: reader, ...subject }),
  ];
}
