import { findNumber, isTrueAt, objectAt, stringAt, type JsonObject } from '../../json/index.ts';
import type { ChildSync } from '../child.ts';
import { conditionOf, statusOf } from '../condition.ts';
import { generationOf, keyOf } from '../metadata.ts';

/** Whether a Deployment is rolled out: every replica is updated and available, and no old one is left. */
function isDeploymentReady(deployment: JsonObject): boolean {
  const spec = objectAt(deployment, 'spec');
  const status = statusOf(deployment);
  const desired = findNumber(spec, 'replicas') ?? 1;
  if (isTrueAt(spec, 'paused')) return false;
  if (desired === 0) return true;
  const count = (field: string): number => findNumber(status, field) ?? 0;
  return (
    count('observedGeneration') >= generationOf(deployment) &&
    count('updatedReplicas') >= desired &&
    count('availableReplicas') >= desired &&
    count('replicas') === desired &&
    stringAt(conditionOf(status, 'Available'), 'status') === 'True'
  );
}

/** Whether a Deployment is ready after this pass. One that was just written is not, unless it has zero replicas. */
export function isSyncedDeploymentReady({ desired, live, state }: ChildSync): boolean {
  if (live === undefined || state === 'created' || state === 'respecified')
    return (findNumber(desired, 'spec', 'replicas') ?? 1) === 0;
  return state === 'same' && isDeploymentReady(live);
}

/** Replica counts of a Deployment, as a component's status shows them. */
export function deploymentReplicas({ desired, live, state }: ChildSync): JsonObject {
  const status = live === undefined || state === 'created' ? {} : statusOf(live);
  const count = (field: string): number => findNumber(status, field) ?? 0;
  return {
    componentKind: 'Deployment',
    componentName: keyOf(desired).name,
    replicas: count('replicas'),
    updatedReplicas: count('updatedReplicas'),
    readyReplicas: count('readyReplicas'),
    availableReplicas: count('availableReplicas'),
  };
}
