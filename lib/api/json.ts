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

/** Sets a member of an object under construction; `__proto__` is a key like any other and touches no prototype. */
export function setKey(target: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__') Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}
