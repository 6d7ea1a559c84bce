import { stringAt, type Json, type JsonObject } from '../json/index.ts';
import { controllerOf, keyOf, ownersOf, uidOf } from './metadata.ts';

/**
 * Whose an object is: the parent's, nobody's (so that the parent may adopt it), that of the parent's own parent or child (which hand objects
 * over when a graph changes its orchestrator), that of a deleted resource of the parent's name (which the garbage collector removes), or
 * somebody else's.
 */
type Ownership = 'own' | 'free' | 'parents' | 'childs' | 'predecessors' | 'foreign';

/** Whose a live object is, seen from a resource that controls objects with the given uids. */
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

/** Whether two owner references name a resource of the same kind and name; which uid they give does not matter. */
function isNamesake(a: Json, b: Json | undefined): boolean {
  return ['apiVersion', 'kind', 'name'].every((field) => stringAt(a, field) === stringAt(b, field));
}

/** An object, unless it is left over from a deleted resource of the parent's name: that is as good as gone. */
export function unlessLeftOver(live: JsonObject | undefined, parent: JsonObject): JsonObject | undefined {
  return live !== undefined && ownershipOf(live, parent, new Set()) === 'predecessors' ? undefined : live;
}

/** Whether an object may be deleted by a resource: it controls it. */
export function controls(parent: JsonObject, live: JsonObject): boolean {
  return stringAt(controllerOf(live), 'uid') === uidOf(parent);
}

/** What is wrong with an object that somebody else controls. */
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
