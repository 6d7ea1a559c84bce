import type { JsonObject } from '../../json/index.ts';

function rule(apiGroup: string, resources: readonly string[], verbs: readonly string[]): JsonObject {
  return { apiGroups: [apiGroup], resources, verbs };
}

const all = ['create', 'get', 'list', 'watch', 'delete', 'deletecollection', 'patch', 'update'];
const kinds = ['podcliquesets', 'podcliques', 'podcliquescalinggroups'].flatMap((kind) => [kind, `${kind}/status`]);

const workloads = [rule('scheduler.grove.io', ['podgangs'], all), rule('grove.io', kinds, all)];
const nodes = rule('', ['nodes'], ['get', 'list', 'watch']);
const children = rule('', ['pods', 'pods/status', 'serviceaccounts', 'services', 'secrets'], all);
const webhooks = rule(
  'admissionregistration.k8s.io',
  ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'],
  ['get', 'list', 'watch', 'update'],
);
const events = rule('', ['events'], ['create', 'get', 'list', 'watch', 'patch']);
const roles = rule('rbac.authorization.k8s.io', ['roles', 'rolebindings'], ['create', 'get', 'list', 'watch', 'delete']);
const autoscalers = rule(
  'autoscaling',
  ['horizontalpodautoscalers'],
  ['create', 'get', 'list', 'delete', 'deletecollection', 'patch', 'update', 'watch'],
);

/** Rules of the operator's ClusterRole, with the original's repetitions of Secrets. */
export const originalRules: readonly JsonObject[] = [
  ...workloads,
  nodes,
  children,
  rule('', ['secrets'], ['create', 'get', 'list', 'patch', 'delete', 'watch', 'update']),
  webhooks,
  events,
  rule('', ['secrets'], ['create', 'get', 'list', 'patch', 'delete', 'watch']),
  roles,
  autoscalers,
];

/** The same rights, each said once. */
export const plainRules: readonly JsonObject[] = [...workloads, nodes, children, webhooks, events, roles, autoscalers];
