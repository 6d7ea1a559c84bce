import { isList, isObject, type Json } from '../json/index.ts';

/** Whether two values are the same JSON: the order of keys and members without a value do not count. */
export function jsonEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, index) => jsonEqual(item, b[index]));
  if (!isObject(a) || !isObject(b)) return typeof a === 'bigint' || typeof b === 'bigint' ? sameNumber(a, b) : false;
  let size = 0;
  for (const key of Object.keys(a)) {
    if (a[key] === undefined) continue;
    if (!Object.hasOwn(b, key) || !jsonEqual(a[key], b[key])) return false;
    size++;
  }
  return size === Object.keys(b).reduce((count, key) => (b[key] === undefined ? count : count + 1), 0);
}

function sameNumber(a: Json | undefined, b: Json | undefined): boolean {
  const isNumber = (value: Json | undefined): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';
  return isNumber(a) && isNumber(b) && BigInt(a) === BigInt(b);
}
