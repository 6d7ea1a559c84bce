import type { KubernetesObject } from '../../api/index.ts';
/** Which objects of a kind a look-up selects. Store and dependency index find them by terms such as `controller=uid`. */

/**
 * Which objects to select: those that an object controls, those that it owns without controlling them, those with all of these labels, Secrets of a
 * type, or those with a value in an index of their kind.
 */
export type Select =
  | { readonly controllerUid: string }
  | { readonly coOwnerUid: string }
  | { readonly labels: Readonly<Record<string, string>> }
  | { readonly secretType: string }
  | { readonly index: string; readonly value: string };

/** An index of one kind: returns the values under which an object is found. */
type IndexFunction = (object: KubernetesObject) => readonly string[];

/** The index that look-ups by `secretType` need. */
export const secretIndexes: Readonly<Record<string, IndexFunction>> = {
  type: ({ type }) => (typeof type === 'string' ? [type] : []),
};

/** How objects of a kind are indexed. */
export interface Indexing {
  /** Label keys that are looked up often. */
  readonly labels?: readonly string[];
  /** Indexes by name. */
  readonly indexes?: Readonly<Record<string, IndexFunction>>;
}

/** The term of an object another one controls. */
const controllerTerm = (uid: string): string => `controller=${uid}`;
/** The term of an object another one owns but does not control. */
const coOwnerTerm = (uid: string): string => `co-owner=${uid}`;
/** The term of a label. */
const labelTerm = (key: string, value: string): string => `label ${key}=${value}`;
/** The term of an index of a kind's own. */
const indexTerm = (index: string, value: string): string => `index ${index}=${value}`;

/** The terms of a selection: a selected object has all of them. No terms select every object. */
export function termsOf(select: Select): readonly string[] {
  if ('controllerUid' in select) return [controllerTerm(select.controllerUid)];
  if ('coOwnerUid' in select) return [coOwnerTerm(select.coOwnerUid)];
  if ('secretType' in select) return [indexTerm('type', select.secretType)];
  if ('index' in select) return [indexTerm(select.index, select.value)];
  return Object.entries(select.labels)
    .map(([key, value]) => labelTerm(key, value))
    .sort();
}

/** All terms an object has. */
export function termsOfObject(object: KubernetesObject, { indexes = {} }: Indexing): readonly string[] {
  const labels = Object.entries(object.metadata.labels ?? {}).map(([key, value]) => labelTerm(key, value));
  return [...ownTerms(object, indexes), ...labels];
}

/** The terms an object is kept under: its controller, the labels that are looked up often, the indexes of its kind. */
export function indexedTerms(object: KubernetesObject, { labels: keys = [], indexes = {} }: Indexing): readonly string[] {
  const labels = object.metadata.labels ?? {};
  const labelled = keys.flatMap((key) => (labels[key] === undefined ? [] : [labelTerm(key, labels[key])]));
  return [...ownTerms(object, indexes), ...labelled];
}

/** Whether terms of that form are kept for every object. */
export function isIndexed(term: string, { labels: keys = [] }: Indexing): boolean {
  return !term.startsWith('label ') || keys.some((key) => term.startsWith(`label ${key}=`));
}

function ownTerms(object: KubernetesObject, indexes: Readonly<Record<string, IndexFunction>>): readonly string[] {
  const owners = (object.metadata.ownerReferences ?? []).map(({ uid, controller }) =>
    controller === true ? controllerTerm(uid) : coOwnerTerm(uid),
  );
  return [...owners, ...Object.entries(indexes).flatMap(([name, index]) => index(object).map((value) => indexTerm(name, value)))];
}
