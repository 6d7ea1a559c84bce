import type { KubernetesObject } from '../../api/index.ts';
import { isObject, type Json } from '../../json/index.ts';

/** Whether two versions of an object differ in nothing but the version. */
export function sameButVersion(a: KubernetesObject, b: KubernetesObject): boolean {
  return equal(a, b, 'metadata');
}

function equal(a: Json | undefined, b: Json | undefined, versionedMember?: string): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => {
    if (key === versionedMember) return equalMetadata(a[key], b[key]);
    return equal(a[key], b[key]);
  });
}

function equalMetadata(a: Json | undefined, b: Json | undefined): boolean {
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key === 'resourceVersion' || equal(a[key], b[key]));
}
