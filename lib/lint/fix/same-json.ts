import { isObject, type Json } from '../../json/index.ts';

/** Whether two plain values are equal, whatever the order of their keys. */
export function isSameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    const [left, right] = [a as readonly Json[], b as readonly Json[]];
    return left.length === right.length && left.every((item, i) => isSameJson(item, right[i]));
  }
  if (!isObject(a) || !isObject(b)) return Object.is(a, b);
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSameJson(a[key], b[key]));
}
