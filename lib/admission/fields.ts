import { isObject, type Json, type JsonObject } from '../json/index.ts';

const nothing: JsonObject = {};

/** An own member of an object; `undefined` for anything else, null included. */
export function member(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? (value[key] ?? undefined) : undefined;
}

/** A member that is an object, if it is one. */
export function objectAt(value: Json | undefined, key: string): JsonObject | undefined {
  const found = member(value, key);
  return isObject(found) ? found : undefined;
}

/** A member that is an object, else an empty one. */
export function objectOrEmpty(value: Json | undefined, key: string): JsonObject {
  return objectAt(value, key) ?? nothing;
}

/** A member that is a string, else the empty string, as Go's zero value. */
export function textAt(value: Json | undefined, key: string): string {
  const found = member(value, key);
  return typeof found === 'string' ? found : '';
}

/** A member that is a whole number; a `bigint` is compared as the nearest double. */
export function numberAt(value: Json | undefined, key: string): number | undefined {
  const found = member(value, key);
  return typeof found === 'number' || typeof found === 'bigint' ? Number(found) : undefined;
}

/** Whether a member is `true`. */
export function isTrue(value: Json | undefined, key: string): boolean {
  return member(value, key) === true;
}

/** A member that is a list, else an empty one. */
export function listAt(value: Json | undefined, key: string): readonly Json[] {
  const found = member(value, key);
  return Array.isArray(found) ? found : [];
}
