import type { OwnerReference, KubernetesObject, NamedObjectMeta } from '../api/index.ts';
import { type Path, setKey, sortedKeys, withoutNulls } from '../json/index.ts';
import { canonicalText, hashWithoutSpec, sha256Hex } from './spec-hash.ts';
import { annotation } from './label-keys.ts';
import type { Level, ObjectReference, RenderedObject, RenderableResource } from './result.ts';

/** A map of labels or annotations. */
export type StringMap = Readonly<Record<string, string>>;

/** An object before its owner and namespace are set. */
export interface ChildObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly labels?: StringMap;
  readonly annotations?: StringMap;
  /** `spec` and other top-level fields. Null fields are part of the hash but are not written. */
  readonly body: object;
}

/** The owner of an object, and the user's resource it is rendered from. */
export interface Parent {
  readonly source: RenderableResource;
  readonly namespace: string;
  readonly owner: ObjectReference & { readonly uid: string };
}

/** An owned object that the operator updates when its parent changes; annotated with the hash and generation of the last apply. */
export function ownedChild(parent: Parent, level: Level, origin: Path, child: ChildObject): RenderedObject {
  const spec: unknown = 'spec' in child.body ? child.body.spec : undefined;
  const json = spec === undefined ? undefined : canonicalText(spec);
  const hash = json === undefined ? hashWithoutSpec : sha256Hex(json);
  const annotations = mergeStringMaps(child.annotations, { [annotation.generation]: '1', [annotation.hash]: hash });
  // Searching the JSON string for `null` is fast. A match inside a string value only causes a needless copy.
  const sent = json?.includes(':null') ? { ...child, body: withoutNulls(child.body) } : child;
  return assemble(parent, level, origin, sent, annotations, [ownerReference(parent.owner)]);
}

/** An owned object that is created once and never updated, such as a PersistentVolumeClaim. */
export function createOnceChild(parent: Parent, level: Level, origin: Path, child: ChildObject): RenderedObject {
  return assemble(parent, level, origin, child, child.annotations, [ownerReference(parent.owner)]);
}

/** An object without owner, which outlives the resource it is created for. */
export function unownedChild(parent: Parent, level: Level, origin: Path, child: ChildObject): RenderedObject {
  return assemble(parent, level, origin, child, child.annotations, undefined);
}

function assemble(
  parent: Parent,
  level: Level,
  origin: Path,
  child: ChildObject,
  annotations: StringMap | undefined,
  ownerReferences: readonly OwnerReference[] | undefined,
): RenderedObject {
  const metadata: NamedObjectMeta = {
    name: child.name,
    namespace: parent.namespace,
    ...(child.labels && { labels: { ...child.labels } }),
    ...(annotations && { annotations }),
    ...(ownerReferences && { ownerReferences }),
  };
  const object: KubernetesObject = { apiVersion: child.apiVersion, kind: child.kind, metadata, ...child.body };
  const { apiVersion, kind, name } = parent.owner;
  const owner = ownerReferences && { apiVersion, kind, name, namespace: parent.namespace };
  return { object, owner, level, origin, source: parent.source };
}

function ownerReference({ apiVersion, kind, name, uid }: Parent['owner']): OwnerReference {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** Merges maps; later maps override earlier ones, and keys are in byte order. Returns undefined when the result is empty. */
export function mergeStringMaps(...maps: readonly (StringMap | undefined)[]): StringMap | undefined {
  const merged: Record<string, string> = {};
  for (const map of maps) if (map !== undefined) for (const key of Object.keys(map)) setKey(merged, key, map[key] ?? '');
  const keys = sortedKeys(merged);
  if (keys.length === 0) return undefined;
  const out: Record<string, string> = {};
  for (const key of keys) setKey(out, key, merged[key] ?? '');
  return out;
}
