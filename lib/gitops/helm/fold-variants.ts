import { isList, isObject, type Json, type JsonObject } from '../../json/index.ts';
import { stringifyJson } from '../../manifest/index.ts';
import type { Cases } from './conditions.ts';

/** A value that differs between cases, with equal parts merged. */
export type Folded =
  | { readonly kind: 'literal'; readonly value: Json }
  | { readonly kind: 'map'; readonly entries: readonly (Guarded & { readonly key: string })[] }
  | { readonly kind: 'list'; readonly items: readonly Guarded[] }
  | { readonly kind: 'choice'; readonly options: readonly Guarded[] };

/** A folded value and the cases that contain it. */
export interface Guarded {
  readonly when: Cases;
  readonly node: Folded;
}

/** A value and the cases that have it. */
export interface Variant {
  readonly cases: Cases;
  readonly value: Json;
}

/** Merges variants with equal values. */
export function joinEqual(variants: readonly Variant[]): readonly Variant[] {
  const byJson = new Map<string, Variant>();
  for (const v of variants) {
    const json = stringifyJson(v.value);
    const known = byJson.get(json);
    byJson.set(json, known ? { cases: known.cases | v.cases, value: known.value } : v);
  }
  return [...byJson.values()];
}

const union = (variants: readonly Variant[]): Cases => variants.reduce((all, v) => all | v.cases, 0n);
const isEmpty = (value: Json): boolean =>
  isList(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;

/** Folds the variants of one value. */
export function fold(given: readonly Variant[]): Folded {
  const variants = joinEqual(given);
  const first = variants[0];
  if (variants.length === 1 && first) return { kind: 'literal', value: first.value };
  const empty = variants.filter((v) => isEmpty(v.value));
  const full = variants.filter((v) => !isEmpty(v.value));
  if (empty.length === 0 && full.every((v) => isObject(v.value))) return foldMap(full);
  if (empty.length === 0 && full.every((v) => isList(v.value))) return foldList(full) ?? choice(variants);
  if (empty.length > 0 && full.length > 0)
    return {
      kind: 'choice',
      options: [
        { when: union(full), node: fold(full) },
        ...empty.map((v) => ({ when: v.cases, node: { kind: 'literal' as const, value: v.value } })),
      ],
    };
  return choice(variants);
}

function choice(variants: readonly Variant[]): Folded {
  return { kind: 'choice', options: variants.map((v) => ({ when: v.cases, node: { kind: 'literal', value: v.value } })) };
}

function foldMap(variants: readonly Variant[]): Folded {
  const maps = variants.map((v) => ({ cases: v.cases, value: v.value as JsonObject }));
  const keys = mergeOrder(maps.map((m) => Object.keys(m.value))) ?? [...new Set(maps.flatMap((m) => Object.keys(m.value)))];
  const entries = keys.map((key) => {
    const inside = maps.flatMap((m) => (m.value[key] === undefined ? [] : [{ cases: m.cases, value: m.value[key] }]));
    return { key, when: union(inside), node: fold(inside) };
  });
  return { kind: 'map', entries };
}

/** Key that matches list items of different cases: the name of an item, or the flag that an argument sets. */
function identity(item: Json): string {
  if (typeof item === 'string') return item.startsWith('--') ? (item.split('=')[0] ?? item) : item;
  if (isObject(item))
    for (const key of ['name', 'mountPath', 'containerPort', 'port', 'key'])
      if (item[key] !== undefined && !isObject(item[key])) return `${key}:${stringifyJson(item[key])}`;
  return stringifyJson(item);
}

function numbered(list: readonly Json[]): readonly string[] {
  const seen = new Map<string, number>();
  return list.map((item) => {
    const id = identity(item);
    const count = seen.get(id) ?? 0;
    seen.set(id, count + 1);
    return `${id}#${count}`;
  });
}

function foldList(variants: readonly Variant[]): Folded | undefined {
  const lists = variants.map((v) => ({
    cases: v.cases,
    items: v.value as readonly Json[],
    ids: numbered(v.value as readonly Json[]),
  }));
  const order = mergeOrder(lists.map((l) => l.ids));
  if (order === undefined) return undefined;
  const items = order.map((id) => {
    const inside = lists.flatMap((l) => {
      const item = l.items[l.ids.indexOf(id)];
      return item === undefined ? [] : [{ cases: l.cases, value: item }];
    });
    return { when: union(inside), node: fold(inside) };
  });
  return { kind: 'list', items };
}

/** One order that all lists agree with, or undefined if two lists contradict each other. */
export function mergeOrder(lists: readonly (readonly string[])[]): readonly string[] | undefined {
  const order: string[] = [];
  for (const list of lists)
    for (const [i, id] of list.entries()) {
      if (order.includes(id)) continue;
      const next = list.slice(i + 1).find((later) => order.includes(later));
      const previous = list[i - 1];
      if (previous !== undefined && order.includes(previous)) order.splice(order.indexOf(previous) + 1, 0, id);
      else if (next !== undefined) order.splice(order.indexOf(next), 0, id);
      else order.push(id);
    }
  const agrees = lists.every((list) => list.every((id, i) => i === 0 || order.indexOf(id) > order.indexOf(list[i - 1] ?? '')));
  return agrees ? order : undefined;
}
