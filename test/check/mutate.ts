import { constantFrom, nat, oneof, record, type Arbitrary } from 'fast-check';
import { isObject, type Json, type JsonObject, type Path } from '../../lib/json/index.ts';

/** One change of a document: where it is made, and what is changed. */
export interface Mutation {
  /** Index of the place in the document, modulo the number of places. */
  readonly place: number;
  readonly change: 'remove' | 'misspell' | 'add' | { readonly value: Json };
}

/** Values that are wrong almost everywhere, and right in some places. */
const values: readonly Json[] = [
  '',
  '1',
  'two',
  '64GB',
  '2 cores',
  '1e1.5',
  'A_B',
  'x'.repeat(300),
  0,
  1,
  -1,
  1.5,
  2 ** 40,
  true,
  [],
  {},
  [{}],
  { name: 'x' },
  'nvidia.com/v1beta1',
  'nvidia.com/v1',
  'apps/v1',
  'DynamoGraphDeploymnt',
];

/** Any change. */
export const mutation: Arbitrary<Mutation> = record({
  place: nat({ max: 10_000 }),
  change: oneof(
    constantFrom<'remove' | 'misspell' | 'add'>('remove', 'misspell', 'add'),
    constantFrom(...values).map((value) => ({ value })),
    constantFrom(...values).map((value) => ({ value })),
  ),
});

function placesOf(value: Json | undefined, path: Path = []): readonly Path[] {
  const entries: readonly (readonly [string | number, Json | undefined])[] = Array.isArray(value)
    ? [...(value as readonly Json[]).entries()]
    : isObject(value)
      ? Object.entries(value)
      : [];
  return entries.flatMap(([key, member]) => [[...path, key], ...placesOf(member, [...path, key])]);
}

function edit(value: Json, [key, ...rest]: Path, change: Mutation['change']): Json {
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    if (rest.length > 0) return items.map((item, i) => (i === key ? edit(item, rest, change) : item));
    if (typeof change === 'object') return items.map((item, i) => (i === key ? change.value : item));
    return change === 'remove' ? items.filter((_, i) => i !== key) : [...items, items[Number(key)] ?? null];
  }
  if (!isObject(value) || key === undefined) return value;
  const entries = Object.entries(value).flatMap(([name, member]): readonly (readonly [string, Json])[] => {
    if (name !== key || member === undefined) return member === undefined ? [] : [[name, member]];
    if (rest.length > 0) return [[name, edit(member, rest, change)]];
    if (typeof change === 'object') return [[name, change.value]];
    if (change === 'remove') return [];
    if (change === 'add')
      return [
        [name, member],
        [`${name}Extra`, member],
      ];
    return [[name.length > 2 ? `${name.slice(0, -2)}${name.slice(-1)}` : `${name}x`, member]];
  });
  return Object.fromEntries(entries);
}

/** A document with one change made after the other. */
export function mutate(document: JsonObject, mutations: readonly Mutation[]): JsonObject {
  let changed: Json = document;
  for (const { place, change } of mutations) {
    const places = placesOf(changed);
    const path = places[place % Math.max(1, places.length)];
    if (path !== undefined) changed = edit(changed, path, change);
  }
  return isObject(changed) ? changed : document;
}
