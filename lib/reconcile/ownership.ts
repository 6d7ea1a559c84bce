import { stringAt, type Json, type JsonObject } from '../json/index.ts';
import { controllerOf, keyOf, ownersOf, uidOf } from './metadata.ts';

/**
 * Who controls an object: the parent; nobody (the parent may adopt it); the parent's own parent or child (they hand objects over when a graph
 * changes its orchestrator); a deleted resource with the parent's name (the garbage collector removes the object); or somebody else.
 */
type Ownership = 'own' | 'free' | 'parents' | 'childs' | 'predecessors' | 'foreign';

/** Who controls a live object, seen from a parent that controls the objects with the given uids. */
export function ownershipOf(live: JsonObject, parent: JsonObject, controlledUids: ReadonlySet<string>): Ownership {
  const controller = controllerOf(live);
  if (controller === undefined) return 'free';
  const uid = stringAt(controller, 'uid');
  if (uid === uidOf(parent)) return 'own';
  const grandparent = controllerOf(parent);
  if (uid === stringAt(grandparent, 'uid')) return 'parents';
  if (controlledUids.has(uid)) return 'childs';
  return isNamesake(controller, { ...keyOf(parent) }) || isNamesake(controller, grandparent) ? 'predecessors' : 'foreign';
}

/** Whether two references have the same API version, kind and name; their uids may differ. */
function isNamesake(a: Json, b: Json | undefined): boolean {
  return ['apiVersion', 'kind', 'name'].every((field) => stringAt(a, field) === stringAt(b, field));
}

/** An object, or undefined if a deleted resource with the parent's name controls it: the garbage collector removes it soon. */
export function unlessLeftOver(live: JsonObject | undefined, parent: JsonObject): JsonObject | undefined {
  return live !== undefined && ownershipOf(live, parent, new Set()) === 'predecessors' ? undefined : live;
}

/** Whether a resource controls an object, and so may delete it. */
export function controls(parent: JsonObject, live: JsonObject): boolean {
  return stringAt(controllerOf(live), 'uid') === uidOf(parent);
}

/** The error about an object that a foreign owner controls. */
export function foreignOwner(live: JsonObject): string {
  const { kind, name } = keyOf(live);
  const controller = controllerOf(live);
  const owner = `${stringAt(controller, 'kind')} "${stringAt(controller, 'name')}"`;
  return `${kind} "${name}" is controlled by ${owner}: rename or remove it, or rename this resource`;
}

/** Owner references with the parent as controller in place of any other. */
export function controlledBy(live: JsonObject, reference: Json): readonly Json[] {
  const controller = controllerOf(live);
  const uid = stringAt(reference, 'uid');
  return [...ownersOf(live).filter((owner) => owner !== controller && stringAt(owner, 'uid') !== uid), reference];
}
