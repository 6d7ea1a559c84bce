import { isList, isObject, setKey, type Json } from '../../lib/json/index.ts';

/** How many names of keys and strings a value holds. */
export function countStrings(value: Json): number {
  if (typeof value === 'string') return 1;
  if (isList(value)) return value.reduce((sum: number, item) => sum + countStrings(item), 0);
  if (!isObject(value)) return 0;
  return Object.values(value).reduce((sum: number, member) => sum + 1 + countStrings(member ?? null), 0);
}

/** A copy of a value in which the names and strings at some positions are changed; positions count keys and strings from the front. */
export function changeStrings(value: Json, positions: ReadonlySet<number>, change: (text: string) => string): Json {
  let at = 0;
  const visit = (part: Json): Json => {
    if (typeof part === 'string') return positions.has(at++) ? change(part) : part;
    if (isList(part)) return part.map(visit);
    if (!isObject(part)) return part;
    const copy: Record<string, Json> = {};
    for (const [key, member] of Object.entries(part)) {
      const name = positions.has(at++) ? change(key) : key;
      if (member !== undefined) setKey(copy, name, visit(member));
    }
    return copy;
  };
  return visit(value);
}
