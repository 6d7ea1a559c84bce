/** Grove, the operator that runs multi-node graphs: from the block `grove` of the values to its objects. Its CRDs are a prerequisite. */
import type { Issue } from '../../api/index.ts';
import { type Json, type JsonObject, objectAt } from '../../json/index.ts';
import type { PlatformContext } from '../platform-context.ts';
import { atPath, templateString, truthy } from '../go-values.ts';
import { missingBlocks } from '../needed-blocks.ts';
import type { Part, PartResult } from '../part.ts';
import { plainObject } from '../plain-object.ts';
import { yamlScalar } from '../yaml-scalar.ts';
import { configFile, configMapName } from './config.ts';
import { chartVersion, defaults, platformDefaults } from './defaults.ts';
import { deployment } from './workload.ts';
import { originalRules, plainRules } from './rbac.ts';
import { dead, schema } from './schema.ts';
import { webhookConfiguration } from './webhooks.ts';

const neededBlocks = [
  'image config config.runtimeClientConnection config.leaderElection config.server config.server.webhooks config.server.healthProbes',
  'config.server.metrics config.controllers config.controllers.podCliqueSet config.controllers.podClique config.debugging',
  'config.authorizer serviceAccount deployment service clusterRole clusterRoleBinding priorityClass',
];

/** The Secret the operator writes its certificate into. Flux leaves it alone once it exists, so that no sync wipes the certificate. */
function certificateSecret(labels: JsonObject, context: PlatformContext): JsonObject {
  const once = { 'kustomize.toolkit.fluxcd.io/ssa': 'IfNotPresent' };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'grove-webhook-server-cert', labels, ...(context.switches['no-random-data'] ? { annotations: once } : {}) },
    type: 'kubernetes.io/tls',
    data: { 'tls.crt': '', 'tls.key': '' },
  };
}

function service(values: JsonObject, labels: JsonObject): JsonObject {
  const port = (name: string, path: string): JsonObject => {
    const number = yamlScalar(atPath(values, `config.server.${path}.port`));
    return { name, protocol: 'TCP', port: number, targetPort: number };
  };
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: templateString(atPath(values, 'service.name')), labels },
    spec: {
      type: templateString(atPath(values, 'service.type')),
      selector: objectAt(atPath(values, 'deployment.labels')),
      ports: [port('metrics', 'metrics'), port('webhooks', 'webhooks')],
    },
  };
}

function binding(values: JsonObject, labels: JsonObject, namespace: string): JsonObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: templateString(atPath(values, 'clusterRoleBinding.name')), labels },
    roleRef: {
      apiGroup: 'rbac.authorization.k8s.io',
      kind: 'ClusterRole',
      name: templateString(atPath(values, 'clusterRole.name')),
    },
    subjects: [{ kind: 'ServiceAccount', name: templateString(atPath(values, 'serviceAccount.name')), namespace }],
  };
}

function priorityClass(values: JsonObject): JsonObject {
  return {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: templateString(atPath(values, 'priorityClass.name')) },
    value: yamlScalar(atPath(values, 'priorityClass.value')),
    globalDefault: false,
    description:
      'This class is used to ensure that the grove-operator has a high priority and is not preempted in favor of other pods.',
  };
}

/** What only the secure profile adds: who may reach the operator, and how many replicas may go at once. */
function guards(values: JsonObject, labels: JsonObject, { switches }: PlatformContext): readonly JsonObject[] {
  const podSelector = { matchLabels: objectAt(atPath(values, 'deployment.labels')) };
  const ports = ['webhooks', 'metrics'].map((name) => ({ port: atPath(values, `config.server.${name}.port`), protocol: 'TCP' }));
  const policy = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'grove-operator', labels },
    // the API server, which calls the webhooks, has no label to select it by
    spec: { podSelector, policyTypes: ['Ingress'], ingress: [{ ports }] },
  };
  const budget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'grove-operator', labels },
    spec: { maxUnavailable: 1, selector: podSelector },
  };
  return [
    ...(switches['network-policies'] ? [policy] : []),
    ...(switches['spread-replicas'] && Number(templateString(atPath(values, 'replicaCount'))) > 1 ? [budget] : []),
  ];
}

function documents(values: JsonObject, context: PlatformContext): readonly Json[] {
  const { namespace } = context;
  const common = { chart: `grove-${chartVersion}`, release: context.release };
  const labels = (path: string): JsonObject => ({ ...common, ...objectAt(atPath(values, `${path}.labels`)) });
  const on = (path: string): boolean => truthy(atPath(values, path));
  const file = configFile(values, namespace);
  const configMap = configMapName(file, context.checksum);
  const account = templateString(atPath(values, 'serviceAccount.name'));
  const source = { values, namespace, common };
  return [
    ...guards(values, labels('deployment'), context),
    ...(on('priorityClass.enabled') ? [priorityClass(values)] : []),
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: account, labels: labels('serviceAccount') },
      automountServiceAccountToken: atPath(values, 'serviceAccount.automount'),
    },
    certificateSecret(labels('webhookServerSecret'), context),
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: configMap, labels: labels('configMap') },
      immutable: true,
      data: { 'config.yaml': file },
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: templateString(atPath(values, 'clusterRole.name')), labels: labels('clusterRole') },
      rules: context.switches['least-privilege'] ? plainRules : originalRules,
    },
    binding(values, labels('clusterRoleBinding'), namespace),
    service(values, labels('serviceAccount')),
    deployment({ values, context, labels: labels('deployment'), configMap }),
    webhookConfiguration(source, 'defaulting'),
    webhookConfiguration(source, 'validating'),
    ...(on('config.authorizer.enabled') ? [webhookConfiguration(source, 'authorizer')] : []),
  ];
}

function imageIssues(values: JsonObject): readonly Issue[] {
  const message = 'must not be empty: the image reference would have no meaning; leave the key out to get the default';
  const missing = ['repository', 'tag'].filter((key) => !truthy(atPath(values, 'image', key)));
  return missing.map((key) => ({ path: ['grove', 'image', key], code: 'required', message }));
}

function render(values: JsonObject, context: PlatformContext): PartResult {
  const missing = missingBlocks('grove', values, neededBlocks);
  const issues: Issue[] = missing.length > 0 ? [...missing] : [...imageIssues(values)];
  if (issues.length > 0) return { objects: [], issues, warnings: [] };
  const objects = documents(values, context).flatMap((document) => plainObject(document, ['grove'], issues) ?? []);
  return { objects, issues, warnings: [] };
}

/** Grove as a part of the platform. */
export const grove: Part = { key: 'grove', defaults, platformDefaults, schema, dead, render };
