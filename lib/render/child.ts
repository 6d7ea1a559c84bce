import type { OwnerReference } from '../api/index.ts';
import { type Path, setKey, sortedKeys } from '../json/index.ts';
import { canonicalText, hashWithoutSpec, textHash } from './spec-hash.ts';
import { annotation } from './label-keys.ts';
import type { KubernetesObject, Level, ObjectMeta, ObjectReference, RenderedObject, Source } from './result.ts';

/** A map of labels or annotations. */
export type StringMap = Readonly<Record<string, string>>;

/** What an object is besides its owner: kind, metadata and the members below them. */
export interface ChildObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly labels?: StringMap;
  readonly annotations?: StringMap;
  /** `spec` and other top-level members; null members are hashed but not written. */
  readonly body: object;
}

/** Who an object hangs on and where it comes from. */
export interface Parent {
  readonly source: Source;
  readonly namespace: string;
  readonly owner: ObjectReference & { readonly uid: string };
}

/** An object the operator keeps in step with its parent: owned, with the hash and generation it was applied with. */
export function ownedChild(parent: Parent, level: Level, origin: Path, child: ChildObject): RenderedObject {
  const spec: unknown = 'spec' in child.body ? child.body.spec : undefined;
  const text = spec === undefined ? undefined : canonicalText(spec);
  const hash = text === undefined ? hashWithoutSpec : textHash(text);
  const annotations = mergeStringMaps(child.annotations, { [annotation.generation]: '1', [annotation.hash]: hash });
  // A search for `null` in the JSON text is fast. A string value that holds the word only costs a needless copy.
  const sent = text?.includes(':null') ? { ...child, body: withoutNulls(child.body) } : child;
  return assemble(parent, level, origin, sent, annotations, [ownerReference(parent.owner)]);
}

/** An object that belongs to its parent but is made once and never compared, such as a claim. */
export function createOnceChild(parent: Parent, level: Level, origin: Path, child: ChildObject): RenderedObject {
  return assemble(parent, level, origin, child, child.annotations, [ownerReference(parent.owner)]);
}

/** An object that outlives the resource it was made for. */
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
  const metadata: ObjectMeta = {
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

/** Several maps as one in byte order, later ones winning; nothing where all are empty. */
export function mergeStringMaps(...maps: readonly (StringMap | undefined)[]): StringMap | undefined {
  const joined: Record<string, string> = {};
  for (const map of maps) if (map !== undefined) for (const key of Object.keys(map)) setKey(joined, key, map[key] ?? '');
  const keys = sortedKeys(joined);
  if (keys.length === 0) return undefined;
  const out: Record<string, string> = {};
  for (const key of keys) setKey(out, key, joined[key] ?? '');
  return out;
}

/** A value without null members; what has none is not copied. */
export function withoutNulls<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => withoutNulls(item));
    return items.every((item, index) => item === value[index]) ? value : (items as T);
  }
  const out: Record<string, unknown> = {};
  let same = true;
  for (const key of Object.keys(value)) {
    const member: unknown = value[key as keyof T];
    const kept = withoutNulls(member);
    if (kept !== null) out[key] = kept;
    same &&= kept === member && kept !== null;
  }
  return same ? value : (out as T);
}
