import { groupOf, type KubernetesObject } from '../api/index.ts';
import { stringAt, type JsonObject } from '../json/index.ts';
import { isModelServiceName } from '../render/index.ts';
import { syncChild, updateChild, type ChildSync, type Keeper } from './child.ts';
import { kinds } from './kinds.ts';
import { controllerOf, isDeleting, keyOf, metadataPatch, ownersOf, uidOf } from './metadata.ts';
import { controls } from './ownership.ts';
import type { PlannedWrite } from './plan.ts';
import type { Reader } from './reader.ts';

/**
 * The Service of a base model is shared by all resources that serve the model. The first one is its controller; the others are added as owners, so
 * that the garbage collector keeps it until the last of them is deleted.
 * https://kubernetes.io/docs/concepts/architecture/garbage-collection/#owners-dependents
 */
export function syncModelService(desired: KubernetesObject, live: JsonObject | undefined, keeper: Keeper): ChildSync {
  if (live === undefined || isDeleting(live) || !isShared(live)) return syncChild(desired, live, keeper);
  if (controls(keeper.parent, live)) return updateChild(desired, live, keeper, false);
  if (owns(keeper.parent, live)) return { desired, live, state: 'same', steps: [] };
  const { kind, name } = keyOf(keeper.parent);
  const apiVersion = stringAt(keeper.parent, 'apiVersion');
  const owners = [...ownersOf(live), { apiVersion, kind, name, uid: uidOf(keeper.parent) }];
  return { desired, live, state: 'same', steps: [ownersChange(live, owners, keeper.chain)] };
}

/** Services of models that a resource owns without controlling them. */
export function coOwnedModelServices(parent: JsonObject, reader: Reader): readonly JsonObject[] {
  const owned = reader.list(kinds.service, keyOf(parent).namespace, { coOwnerUid: uidOf(parent) });
  return owned.filter((live) => isModelService(live));
}

/** Whether an object is the Service of a base model. */
export function isModelService(object: JsonObject): boolean {
  const { kind, name } = keyOf(object);
  return kind === kinds.service.kind && isModelServiceName(name);
}

/** The write for a model's Service that a resource no longer needs: remove its owner reference, or delete the Service if no other owner is left. */
export function releaseModelService(live: JsonObject, parent: JsonObject, chain: string): readonly PlannedWrite[] {
  const others = ownersOf(live).filter((owner) => stringAt(owner, 'uid') !== uidOf(parent));
  if (others.length > 0) return ownersChange(live, others, chain);
  const { kind, name } = keyOf(live);
  return [{ write: { verb: 'delete', target: keyOf(live), uid: uidOf(live) }, chain, told: { verb: 'Delete', kind, name } }];
}

function ownersChange(live: JsonObject, owners: ReturnType<typeof ownersOf>, chain: string): readonly PlannedWrite[] {
  const { kind, name } = keyOf(live);
  return metadataPatch(live, { owners }).map((write) => ({ write, chain, told: { verb: 'Update', kind, name } }));
}

function owns(parent: JsonObject, live: JsonObject): boolean {
  return ownersOf(live).some((owner) => stringAt(owner, 'uid') === uidOf(parent));
}

/** Whether a Dynamo resource controls the Service, as both this operator and the original create it. */
function isShared(live: JsonObject): boolean {
  const controller = controllerOf(live);
  return controller !== undefined && groupOf(stringAt(controller, 'apiVersion')) === 'nvidia.com';
}
