import { isObject, type Json, type JsonObject } from '../json/index.ts';

/** Reads the value below an object by keys, or undefined; lint reads manifests that may be of any shape. */
export function read(value: Json | undefined, ...keys: readonly (string | number)[]): Json | undefined {
  let at: Json | undefined = value;
  for (const key of keys) {
    if (typeof key === 'number') at = Array.isArray(at) ? (at as readonly Json[])[key] : undefined;
    else at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
    if (at === undefined || at === null) return undefined;
  }
  return at;
}

/** Reads an object, or an empty one. */
export function readObject(value: Json | undefined, ...keys: readonly (string | number)[]): JsonObject {
  const found = read(value, ...keys);
  return isObject(found) ? found : {};
}

/** Reads a list, or an empty one. */
export function readList(value: Json | undefined, ...keys: readonly (string | number)[]): readonly Json[] {
  const found = read(value, ...keys);
  return Array.isArray(found) ? (found as readonly Json[]) : [];
}

/** Reads a string, or undefined for anything else. */
export function readText(value: Json | undefined, ...keys: readonly (string | number)[]): string | undefined {
  const found = read(value, ...keys);
  return typeof found === 'string' ? found : undefined;
}

/** Reads a whole number given as a number or as its text, or undefined. */
export function readCount(value: Json | undefined, ...keys: readonly (string | number)[]): number | undefined {
  const found = read(value, ...keys);
  if (typeof found === 'number' && Number.isInteger(found)) return found;
  return typeof found === 'string' && /^\d{1,9}$/.test(found) ? Number(found) : undefined;
}

/** The namespace a resource lands in. */
export function namespaceOf(resource: JsonObject, fallback: string): string {
  return readText(resource, 'metadata', 'namespace') || fallback;
}

/** The name of a resource, or an empty string. */
export function nameOf(resource: JsonObject): string {
  return readText(resource, 'metadata', 'name') ?? '';
}

/** A value as text for comparing and showing; maps and lists as JSON. */
export function textOf(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The kind of a resource, or an empty string. */
export function kindOf(resource: JsonObject): string {
  return readText(resource, 'kind') ?? '';
}
