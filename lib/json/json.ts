/** A JSON value. Integers beyond 2^53 are `bigint`, which keeps every digit. */
export type Json = string | number | bigint | boolean | null | readonly Json[] | JsonObject;

/** A JSON object with string keys. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** Whether a value is a JSON object, not a list or null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a list. `Array.isArray` alone does not narrow a readonly list of JSON. */
export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}
