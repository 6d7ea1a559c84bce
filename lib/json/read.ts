import { isList, isObject, type Json, type JsonObject } from './json.ts';

/** A value that may be missing. */
type Maybe = Json | undefined;

/** A key of an object or an index of a list. */
type Key = string | number;

/** The value at a sequence of keys; undefined if one of them is missing or null, or its parent is neither an object nor a list. */
export function valueAt(value: Maybe, ...keys: readonly Key[]): Maybe {
  let found: Maybe = value;
  for (const key of keys) {
    if (typeof key === 'number') found = isList(found) ? found[key] : undefined;
    else found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
    if (found === undefined || found === null) return undefined;
  }
  return found ?? undefined;
}

/** The object at keys, if there is one. */
export function findObject(value: Maybe, ...keys: readonly Key[]): JsonObject | undefined {
  const found = valueAt(value, ...keys);
  return isObject(found) ? found : undefined;
}

/** The string at keys, if there is one. */
export function findString(value: Maybe, ...keys: readonly Key[]): string | undefined {
  const found = valueAt(value, ...keys);
  return typeof found === 'string' ? found : undefined;
}

/** The number at keys, if there is one; a `bigint` becomes the nearest double. */
export function findNumber(value: Maybe, ...keys: readonly Key[]): number | undefined {
  const found = valueAt(value, ...keys);
  return typeof found === 'number' || typeof found === 'bigint' ? Number(found) : undefined;
}

/** The integer at keys, written as a number or as a string of digits, if there is one. */
export function findCount(value: Maybe, ...keys: readonly Key[]): number | undefined {
  const found = valueAt(value, ...keys);
  if (typeof found === 'number' && Number.isInteger(found)) return found;
  return typeof found === 'string' && /^\d{1,9}$/.test(found) ? Number(found) : undefined;
}

/** The object at keys, else an empty one. */
export function objectAt(value: Maybe, ...keys: readonly Key[]): JsonObject {
  return findObject(value, ...keys) ?? {};
}

/** The string at keys, else an empty one. */
export function stringAt(value: Maybe, ...keys: readonly Key[]): string {
  return findString(value, ...keys) ?? '';
}

/** The list at keys, else an empty one. */
export function listAt(value: Maybe, ...keys: readonly Key[]): readonly Json[] {
  const found = valueAt(value, ...keys);
  return isList(found) ? found : [];
}

/** The objects in the list at keys; items of other types are skipped. */
export function objectsAt(value: Maybe, ...keys: readonly Key[]): readonly JsonObject[] {
  return listAt(value, ...keys).filter(isObject);
}

/** The object at keys as a map of strings; a value of another type becomes an empty string. */
export function stringMapAt(value: Maybe, ...keys: readonly Key[]): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(objectAt(value, ...keys)).map(([key, member]) => [key, stringAt(member)]));
}

/** Whether the value at keys is `true`. */
export function isTrueAt(value: Maybe, ...keys: readonly Key[]): boolean {
  return valueAt(value, ...keys) === true;
}
