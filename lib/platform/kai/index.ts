/** KAI, the scheduler for gangs of pods: from the block `kai-scheduler` of the values to its objects. Its CRDs are a prerequisite. */
import type { KaiRelease } from './release.ts';
import { hookObjects } from './jobs.ts';
import { accessObjects, binding } from './rbac.ts';
import { checkKai } from './checks.ts';
import type { Issue } from '../../api/index.ts';
import type { Json, JsonObject } from '../../json/index.ts';
import type { PlatformContext } from '../platform-context.ts';
import { renderChecked } from '../checked-part.ts';
import { atPath, templateString, truthy } from '../go-values.ts';
import type { Part, PartResult } from '../part.ts';
import { plainObjects } from '../plain-object.ts';
import { kaiConfig } from './config.ts';
import { defaults, platformDefaults } from './defaults.ts';
import { policies } from './policies.ts';
import { dead, schema } from './schema.ts';
import { binderObjects, operatorObjects, schedulerObjects } from './workload.ts';

export { queues } from './queues.ts';

const priorities = { train: 50, 'build-preemptible': 75, build: 100, inference: 125 } as const;

function priorityClasses(): readonly JsonObject[] {
  return Object.entries(priorities).map(([name, value]) => ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name },
    value,
  }));
}

/** Namespace and account of the pods that reserve shared GPUs, and namespace of the pods that trigger the cluster autoscaler. */
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

function documents(kai: KaiRelease): readonly Json[] {
  return [
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
}

function render(values: JsonObject, context: PlatformContext): PartResult {
  return renderChecked(checkKai(values), () => {
    const issues: Issue[] = [];
    return { objects: plainObjects(documents({ values, context }), ['kai-scheduler'], issues), issues, warnings: [] };
  });
}

/** KAI as a part of the platform. */
export const kai: Part = { key: 'kai-scheduler', defaults, platformDefaults, schema, dead, render };
