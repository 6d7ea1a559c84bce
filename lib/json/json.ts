/** Plain data as JSON knows it; integers beyond 2^53 are `bigint` so that no digit is lost. */
export type Json = string | number | bigint | boolean | null | readonly Json[] | JsonObject;

/** A JSON object with string keys. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** Whether a value is a JSON object: neither a list nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a list. `Array.isArray` alone does not narrow a readonly list of JSON. */
export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}
