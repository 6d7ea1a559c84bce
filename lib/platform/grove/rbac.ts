import type { JsonObject } from '../../json/index.ts';
import { policyRule } from '../policy-rule.ts';
import { atPath, templateString } from '../go-values.ts';
import type { GroveRelease } from './release.ts';

const all = ['create', 'get', 'list', 'watch', 'delete', 'deletecollection', 'patch', 'update'];
const kinds = ['podcliquesets', 'podcliques', 'podcliquescalinggroups'].flatMap((kind) => [kind, `${kind}/status`]);

const workloads = [policyRule('scheduler.grove.io', ['podgangs'], all), policyRule('grove.io', kinds, all)];
const nodes = policyRule('', ['nodes'], ['get', 'list', 'watch']);
const children = policyRule('', ['pods', 'pods/status', 'serviceaccounts', 'services', 'secrets'], all);
const webhooks = policyRule(
  'admissionregistration.k8s.io',
  ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'],
  ['get', 'list', 'watch', 'update'],
);
const events = policyRule('', ['events'], ['create', 'get', 'list', 'watch', 'patch']);
const roles = policyRule('rbac.authorization.k8s.io', ['roles', 'rolebindings'], ['create', 'get', 'list', 'watch', 'delete']);
const autoscalers = policyRule(
  'autoscaling',
  ['horizontalpodautoscalers'],
  ['create', 'get', 'list', 'delete', 'deletecollection', 'patch', 'update', 'watch'],
);

/** Rules of the original ClusterRole, which repeats Secrets. */
const originalRules: readonly JsonObject[] = [
  ...workloads,
  nodes,
  children,
  policyRule('', ['secrets'], ['create', 'get', 'list', 'patch', 'delete', 'watch', 'update']),
  webhooks,
  events,
  policyRule('', ['secrets'], ['create', 'get', 'list', 'patch', 'delete', 'watch']),
  roles,
  autoscalers,
];

// Setting an owner reference may need the right to update the owner's finalizers, as on OpenShift:
// https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#ownerreferencespermissionenforcement
const owners = policyRule(
  'grove.io',
  ['podcliquesets', 'podcliques', 'podcliquescalinggroups'].map((kind) => `${kind}/finalizers`),
  ['update'],
);

/** The same rights without repetition, and the right to set owner references. */
const plainRules: readonly JsonObject[] = [...workloads, owners, nodes, children, webhooks, events, roles, autoscalers];

/** The operator's account, its role and its binding. */
export function accessObjects({ values, labels, context }: GroveRelease): {
  readonly account: JsonObject;
  readonly role: JsonObject;
  readonly binding: JsonObject;
} {
  const [account, role] = ['serviceAccount.name', 'clusterRole.name'].map((path) => templateString(atPath(values, path)));
  const apiGroup = 'rbac.authorization.k8s.io';
  return {
    account: {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: account, labels: labels('serviceAccount') },
      automountServiceAccountToken: atPath(values, 'serviceAccount.automount'),
    },
    role: {
      apiVersion: `${apiGroup}/v1`,
      kind: 'ClusterRole',
      metadata: { name: role, labels: labels('clusterRole') },
      rules: context.switches['least-privilege'] ? plainRules : originalRules,
    },
    binding: {
      apiVersion: `${apiGroup}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: templateString(atPath(values, 'clusterRoleBinding.name')), labels: labels('clusterRoleBinding') },
      roleRef: { apiGroup, kind: 'ClusterRole', name: role },
      subjects: [{ kind: 'ServiceAccount', name: account, namespace: context.namespace }],
    },
  };
}
