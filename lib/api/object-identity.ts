import { stringAt, type JsonObject } from '../json/index.ts';

/** The kind of an object, or an empty string. */
export function kindOf(object: JsonObject): string {
  return stringAt(object, 'kind');
}

/** The name of an object, or an empty string. */
export function nameOf(object: JsonObject): string {
  return stringAt(object, 'metadata', 'name');
}

/** The namespace of an object, or `fallback` if it has none. */
export function namespaceOf(object: JsonObject, fallback: string): string {
  return stringAt(object, 'metadata', 'namespace') || fallback;
}

/** The API group of an `apiVersion`; empty for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}
