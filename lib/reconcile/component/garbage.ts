import type { JsonObject } from '../../json/index.ts';
import { deletion, type ChildSync } from '../child.ts';
import { kinds } from '../kinds.ts';
import { isDeleting, keyOf } from '../metadata.ts';
import { isModelService, releaseModelService } from '../model-service.ts';
import { ownedObjects } from '../owned-objects.ts';
import { controls } from '../ownership.ts';
import type { Step } from '../plan.ts';
import type { Reader } from '../reader.ts';
import type { ObjectKind, Snapshot } from '../snapshot.ts';

const owned: readonly ObjectKind[] = [
  kinds.deployment,
  kinds.leaderWorkerSet,
  kinds.podGroup,
  kinds.service,
  kinds.ingress,
  kinds.virtualService,
];

/** Everything a component controls, and the Services of models it shares. */
export function ownedByComponent(snapshot: Snapshot, reader: Reader): readonly JsonObject[] {
  return ownedObjects(owned, snapshot, reader);
}

/** Removes what a component has and no longer wants; a workload of another kind only when its successor is ready. */
export function componentGarbage(
  { resource }: Snapshot,
  children: readonly JsonObject[],
  syncs: readonly ChildSync[],
  ready: boolean,
): readonly Step[] {
  const key = (object: JsonObject): string => `${keyOf(object).kind}/${keyOf(object).name}`;
  const wanted = new Set(syncs.map(({ desired }) => key(desired)));
  const runsSets = !syncs.some(({ desired }) => desired.kind === kinds.deployment.kind);
  const { name } = keyOf(resource);
  const isPredecessor = (object: JsonObject): boolean => {
    const { kind } = keyOf(object);
    if (kind === kinds.deployment.kind) return runsSets && keyOf(object).name === name;
    return (kind === kinds.leaderWorkerSet.kind || kind === kinds.podGroup.kind) && !runsSets;
  };
  const garbage = children.filter(
    (object) =>
      (controls(resource, object) || isModelService(object)) &&
      !isDeleting(object) &&
      !wanted.has(key(object)) &&
      (ready || !isPredecessor(object)),
  );
  const isGroup = (object: JsonObject): boolean => keyOf(object).kind === kinds.podGroup.kind;
  const remove = (objects: readonly JsonObject[]): Step =>
    objects.flatMap((object) =>
      isModelService(object)
        ? releaseModelService(object, resource, '')
        : [deletion(object, keyOf(object).kind === kinds.leaderWorkerSet.kind ? setChain : '')],
    );
  return [remove(garbage.filter((object) => !isGroup(object))), remove(garbage.filter(isGroup))];
}

const setChain = 'failed to reconcile the resources: failed to delete the LeaderWorkerSet: ';
