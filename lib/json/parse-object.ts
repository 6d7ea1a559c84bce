import { isObject, type Json, type JsonObject } from './json.ts';

/** Parses a JSON object; undefined when the string is not one. */
export function parseJsonObject(json: string): JsonObject | undefined {
  try {
    const value = JSON.parse(json) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
