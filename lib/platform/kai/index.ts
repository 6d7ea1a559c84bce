/** KAI, the scheduler for gangs of pods: from the block `kai-scheduler` of the values to its objects. Its CRDs are a prerequisite. */
import type { Issue } from '../../api/index.ts';
import type { JsonObject } from '../../json/index.ts';
import type { PlatformContext } from '../platform-context.ts';
import { atPath, templateString, truthy } from '../go-values.ts';
import { missingBlocks } from '../needed-blocks.ts';
import type { Part, PartResult } from '../part.ts';
import { plainObject } from '../plain-object.ts';
import { kaiConfig } from './config.ts';
import { defaults, platformDefaults } from './defaults.ts';
import { policies } from './policies.ts';
import { containerSettings, podSettings, type KaiRelease } from './pods.ts';
import { bindings, crdManagerRules, podCliqueSetRules, roles } from './rbac.ts';
import { dead, schema } from './schema.ts';
import { binderObjects, operatorObjects, schedulerObjects } from './workload.ts';

export { queues } from './queues.ts';

const neededBlocks = [
  'global global.resourceReservation operator operator.image podgroupcontroller podgroupcontroller.image binder binder.image binder.ports',
  'binder.resourceReservationImage scheduler scheduler.image scheduler.ports admission admission.image admission.ports',
  'queuecontroller queuecontroller.image nodescaleadjuster nodescaleadjuster.image crdupgrader crdupgrader.image',
];

const priorities = { train: 50, 'build-preemptible': 75, build: 100, inference: 125 } as const;
const rbac = 'rbac.authorization.k8s.io';

function priorityClasses(): readonly JsonObject[] {
  return Object.entries(priorities).map(([name, value]) => ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name },
    value,
  }));
}

function clusterRole(name: string, rules: readonly JsonObject[], metadata: JsonObject = {}): JsonObject {
  return { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name, ...metadata }, rules };
}

function binding(kind: string, metadata: JsonObject, role: string, account: string, namespace: string): JsonObject {
  return {
    apiVersion: `${rbac}/v1`,
    kind,
    metadata,
    subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
  };
}

function accessObjects({ context }: KaiRelease): readonly JsonObject[] {
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

/** Namespace and account of the pods that hold shared GPUs, and the namespace of those that ask for nodes. */
function reservationObjects({ values }: KaiRelease): readonly JsonObject[] {
  const namespace = templateString(atPath(values, 'global.resourceReservation.namespace'));
  const account = templateString(atPath(values, 'global.resourceReservation.serviceAccount'));
  const keep = { annotations: { 'helm.sh/resource-policy': 'keep' } };
  const scaling = templateString(atPath(values, 'nodescaleadjuster.scalingPodNamespace'));
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, ...keep } },
    ...(truthy(atPath(values, 'global.clusterAutoscaling'))
      ? [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: scaling } }]
      : []),
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account, namespace } },
    binding('RoleBinding', { name: 'kai-resource-reservation', namespace }, 'kai-resource-reservation', account, namespace),
  ];
}

/** The hook that installs CRDs before everything else; without hooks they are a prerequisite. */
function hookObjects(kai: KaiRelease): readonly JsonObject[] {
  if (kai.context.switches['no-hooks']) return [];
  const name = 'kai-scheduler-crd-manager';
  const hook = (weight: string, policy: string): JsonObject => ({
    annotations: {
      'helm.sh/hook': 'pre-install,pre-upgrade',
      'helm.sh/hook-weight': weight,
      'helm.sh/hook-delete-policy': policy,
    },
  });
  const early = hook('-1', 'hook-succeeded,before-hook-creation');
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, ...early } },
    clusterRole(name, crdManagerRules, early),
    binding('ClusterRoleBinding', { name, ...early }, name, name, kai.context.namespace),
    {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'crd-upgrader', ...hook('2', 'hook-succeeded') },
      spec: {
        template: {
          spec: {
            serviceAccountName: name,
            ...podSettings(kai),
            containers: [{ name: 'upgrader', ...containerSettings(kai, 'crdupgrader', false) }],
            restartPolicy: 'OnFailure',
          },
        },
      },
    },
  ];
}

function check(values: JsonObject): readonly Issue[] {
  const missing = missingBlocks('kai-scheduler', values, neededBlocks);
  const refused: readonly Issue[] = truthy(atPath(values, 'podgroupcontroller.resources'))
    ? [
        {
          path: ['kai-scheduler', 'podgroupcontroller', 'resources'],
          code: 'unsupported',
          message: 'must be empty: version v0.9.4 of KAI cannot be rendered with it',
        },
      ]
    : [];
  return [...missing, ...refused];
}

function render(values: JsonObject, context: PlatformContext): PartResult {
  const issues: Issue[] = [...check(values)];
  if (issues.length > 0) return { objects: [], issues, warnings: [] };
  const kai: KaiRelease = { values, context };
  const documents = [
    ...policies(kai),
    ...priorityClasses(),
    ...reservationObjects(kai),
    ...accessObjects(kai),
    ...operatorObjects(kai),
    ...binderObjects(kai),
    ...schedulerObjects(kai),
    kaiConfig(kai),
    ...hookObjects(kai),
  ];
  const objects = documents.flatMap((document) => plainObject(document, ['kai-scheduler'], issues) ?? []);
  return { objects, issues, warnings: [] };
}

/** KAI as a part of the platform. */
export const kai: Part = { key: 'kai-scheduler', defaults, platformDefaults, schema, dead, render };
