import { findNumber, listAt, stringAt, type JsonObject } from '../../json/index.ts';
import { annotation } from '../../render/index.ts';
import type { ChildSync } from '../child.ts';
import { conditionOf, statusOf } from '../condition.ts';
import { annotationsOf, generationOf, keyOf } from '../metadata.ts';

/** Seconds for which a changed LeaderWorkerSet counts as not ready while its status does not change. */
export const settleSeconds = 15;

/** Whether a LeaderWorkerSet is rolled out. `now` is for deciding whether its status may be older than the last change. */
function isLeaderWorkerSetReady(set: JsonObject, now: string): boolean {
  const desired = findNumber(set, 'spec', 'replicas') ?? 1;
  if (desired === 0) return true;
  const status = statusOf(set);
  const count = (field: string): number => findNumber(status, field) ?? 0;
  return (
    count('readyReplicas') >= desired &&
    count('updatedReplicas') === count('replicas') &&
    stringAt(conditionOf(status, 'UpdateInProgress'), 'status') !== 'True' &&
    stringAt(conditionOf(status, 'Available'), 'status') === 'True' &&
    !isBehind(set, now)
  );
}

/** Whether the status may be older than the spec. Releases of LeaderWorkerSet before 0.7 have no `observedGeneration`. */
function isBehind(set: JsonObject, now: string): boolean {
  const observed = findNumber(statusOf(set), 'observedGeneration');
  if (observed !== undefined) return observed < generationOf(set);
  const written = lastWritten(set);
  if (written === undefined || annotationsOf(set)[annotation.generation] === '1') return false;
  const moved = listAt(statusOf(set), 'conditions').map((condition) => stringAt(condition, 'lastTransitionTime'));
  return !moved.some((time) => time !== '' && Date.parse(time) >= written) && Date.parse(now) - written < settleSeconds * 1000;
}

/** When the operator last wrote the object, from `metadata.managedFields`. */
function lastWritten(set: JsonObject): number | undefined {
  const times = listAt(set, 'metadata', 'managedFields')
    .filter((entry) => stringAt(entry, 'manager') === 'manager' && stringAt(entry, 'subresource') === '')
    .map((entry) => Date.parse(stringAt(entry, 'time')))
    .filter((time) => !Number.isNaN(time));
  return times.length === 0 ? undefined : Math.max(...times);
}

/** Whether a LeaderWorkerSet is ready after this pass. */
export function isSyncedLeaderWorkerSetReady({ live, state }: ChildSync, now: string): boolean {
  return state === 'same' && live !== undefined && isLeaderWorkerSetReady(live, now);
}

/** Replica counts over all LeaderWorkerSets of a component; nothing where it has none. */
export function leaderWorkerSetReplicas(sets: readonly ChildSync[]): JsonObject | undefined {
  const [first] = sets;
  if (first === undefined) return undefined;
  const sum = (field: string): number =>
    sets.reduce((total, { live, state }) => {
      const status = live === undefined || state === 'created' ? {} : statusOf(live);
      return total + (findNumber(status, field) ?? 0);
    }, 0);
  return {
    componentKind: 'LeaderWorkerSet',
    componentName: keyOf(first.desired).name,
    replicas: sum('replicas'),
    updatedReplicas: sum('updatedReplicas'),
    readyReplicas: sum('readyReplicas'),
  };
}
