import {
  escapePointerKey,
  findNumber,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  type PatchOperation,
  stringAt,
  valueAt,
} from '../json/index.ts';
import type { Write } from './decision.ts';
import type { ObjectKey } from './snapshot.ts';

/** The finalizer that keeps a resource until the operator has cleaned up after it. */
export const finalizer = 'nvidia.com/finalizer';

/** The key of an object: its apiVersion, kind, namespace and name. */
export function keyOf(object: JsonObject): ObjectKey {
  const metadata = objectAt(object, 'metadata');
  return {
    apiVersion: stringAt(object, 'apiVersion'),
    kind: stringAt(object, 'kind'),
    namespace: stringAt(metadata, 'namespace'),
    name: stringAt(metadata, 'name'),
  };
}

/** The uid of an object, empty where it has none yet. */
export function uidOf(object: JsonObject): string {
  return stringAt(objectAt(object, 'metadata'), 'uid');
}

/** `metadata.generation`: the API server raises it with every change of the spec. */
export function generationOf(object: JsonObject): number {
  return findNumber(objectAt(object, 'metadata'), 'generation') ?? 0;
}

/** The labels of an object. */
export function labelsOf(object: JsonObject): JsonObject {
  return objectAt(objectAt(object, 'metadata'), 'labels');
}

/** The annotations of an object. */
export function annotationsOf(object: JsonObject): JsonObject {
  return objectAt(objectAt(object, 'metadata'), 'annotations');
}

/** The owner references of an object. */
export function ownersOf(object: JsonObject): readonly Json[] {
  return listAt(objectAt(object, 'metadata'), 'ownerReferences');
}

/** The owner reference of the object that controls this one. */
export function controllerOf(object: JsonObject): Json | undefined {
  return ownersOf(object).find((owner) => objectAt({ owner }, 'owner')['controller'] === true);
}

/** Whether an object is being deleted: it has a deletion timestamp. */
export function isDeleting(object: JsonObject): boolean {
  return stringAt(objectAt(object, 'metadata'), 'deletionTimestamp') !== '';
}

/** Whether the operator's finalizer is on an object. */
export function hasFinalizer(object: JsonObject): boolean {
  return listAt(objectAt(object, 'metadata'), 'finalizers').includes(finalizer);
}

/** What to change in the metadata of an object. */
interface MetadataChange {
  readonly finalizer?: 'add' | 'remove';
  /** Annotations to set; null removes one. */
  readonly annotations?: Readonly<Record<string, string | null>>;
  /** Owner references to have in place of the present ones. */
  readonly owners?: readonly Json[];
}

/** The write that changes metadata, with the resourceVersion as precondition; none where nothing changes. */
export function metadataPatch(object: JsonObject, change: MetadataChange): readonly Write[] {
  const patch = [...finalizerOperations(object, change.finalizer), ...annotationOperations(object, change.annotations ?? {})];
  if (change.owners !== undefined) patch.push({ op: 'add', path: '/metadata/ownerReferences', value: change.owners });
  return patch.length === 0 ? [] : [guardedPatch(object, patch)];
}

/** A JSON Patch that first tests the resourceVersion that the decision was made on. */
export function guardedPatch(object: JsonObject, operations: readonly PatchOperation[]): Write {
  const value = stringAt(objectAt(object, 'metadata'), 'resourceVersion');
  return {
    verb: 'patch',
    target: keyOf(object),
    patch: [{ op: 'test', path: '/metadata/resourceVersion', value }, ...operations],
  };
}

function finalizerOperations(object: JsonObject, wanted: MetadataChange['finalizer']): PatchOperation[] {
  const present = listAt(objectAt(object, 'metadata'), 'finalizers');
  const index = present.indexOf(finalizer);
  if (wanted === 'add' && index < 0)
    return present.length === 0
      ? [{ op: 'add', path: '/metadata/finalizers', value: [finalizer] }]
      : [{ op: 'add', path: '/metadata/finalizers/-', value: finalizer }];
  return wanted === 'remove' && index >= 0 ? [{ op: 'remove', path: `/metadata/finalizers/${index}` }] : [];
}

function annotationOperations(object: JsonObject, wanted: Readonly<Record<string, string | null>>): readonly PatchOperation[] {
  const present = annotationsOf(object);
  const changes = Object.entries(wanted).filter(([key, value]) => (value ?? undefined) !== present[key]);
  if (changes.length === 0) return [];
  // The cache drops annotations that only kubectl reads, so an empty map may hold some in the cluster: it must not be replaced.
  const isAbsent = valueAt(object, 'metadata', 'annotations') === undefined;
  return [
    ...(isAbsent ? [{ op: 'add', path: '/metadata/annotations', value: {} } as const] : []),
    ...changes.map(([key, value]): PatchOperation => {
      const path = `/metadata/annotations/${escapePointerKey(key)}`;
      return value === null ? { op: 'remove', path } : { op: 'add', path, value };
    }),
  ];
}
