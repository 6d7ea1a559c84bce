import type { Path } from '../api/path.ts';
import { hashWithoutSpec, specHash } from './hash.ts';
import { annotation } from './keys.ts';
import type { KubernetesObject, Level, ObjectMeta, ObjectReference, OwnerReference, Rendered, Source } from './result.ts';
import { sortedKeys } from './wire/byte-order.ts';

/** A map of labels or annotations. */
export type Texts = Readonly<Record<string, string>>;

/** What an object is besides its owner: kind, metadata and the members below them. */
export interface ChildObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly labels?: Texts;
  readonly annotations?: Texts;
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
export function ownedChild(parent: Parent, level: Level, origin: Path, child: ChildObject): Rendered {
  const spec: unknown = 'spec' in child.body ? child.body.spec : undefined;
  const hash = spec === undefined ? hashWithoutSpec : specHash(spec);
  const annotations = joinTexts(child.annotations, { [annotation.generation]: '1', [annotation.hash]: hash });
  return assemble(parent, level, origin, child, annotations, [ownerReference(parent.owner)]);
}

/** An object that belongs to its parent but is made once and never compared, such as a claim. */
export function claimedChild(parent: Parent, level: Level, origin: Path, child: ChildObject): Rendered {
  return assemble(parent, level, origin, child, child.annotations, [ownerReference(parent.owner)]);
}

/** An object that outlives the resource it was made for. */
export function freeChild(parent: Parent, level: Level, origin: Path, child: ChildObject): Rendered {
  return assemble(parent, level, origin, child, child.annotations, undefined);
}

function assemble(
  parent: Parent,
  level: Level,
  origin: Path,
  child: ChildObject,
  annotations: Texts | undefined,
  ownerReferences: readonly OwnerReference[] | undefined,
): Rendered {
  const metadata: ObjectMeta = {
    name: child.name,
    namespace: parent.namespace,
    ...(child.labels && { labels: child.labels }),
    ...(annotations && { annotations }),
    ...(ownerReferences && { ownerReferences }),
  };
  const object: KubernetesObject = { apiVersion: child.apiVersion, kind: child.kind, metadata, ...child.body };
  const { apiVersion, kind, name } = parent.owner;
  const owner = ownerReferences && { apiVersion, kind, name, namespace: parent.namespace };
  return { object: hasNull(object) ? withoutNulls(object) : object, owner, level, origin, source: parent.source };
}

function ownerReference({ apiVersion, kind, name, uid }: Parent['owner']): OwnerReference {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** Several maps as one in byte order, later ones winning; nothing where all are empty. */
export function joinTexts(...maps: readonly (Texts | undefined)[]): Texts | undefined {
  const joined: Record<string, string> = Object.assign({}, ...maps);
  const keys = sortedKeys(joined);
  if (keys.length === 0) return undefined;
  const out: Record<string, string> = {};
  for (const key of keys) out[key] = joined[key] ?? '';
  return out;
}

function hasNull(value: unknown): boolean {
  if (value === null) return true;
  if (typeof value !== 'object') return false;
  for (const key in value) if (hasNull((value as Readonly<Record<string, unknown>>)[key])) return true;
  return false;
}

function withoutNulls<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => withoutNulls(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => (member === null ? [] : [[key, withoutNulls(member)]])),
  ) as T;
}
