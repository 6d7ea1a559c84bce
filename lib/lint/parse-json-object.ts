import { isObject, type Json, type JsonObject } from '../json/index.ts';

/** The object a text of JSON holds; undefined when it holds none. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
