import { isList, isObject, type Json } from './json.ts';
import { setKey } from './set-key.ts';

/**
 * Compares strings as Go does, by their UTF-8 bytes (https://go.dev/ref/spec#Comparison_operators). The sort order of all of lib, except for YAML
 * that must equal the original operator's (`naturalOrder`).
 */
export function byteOrder(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return utf8Rank(x) - utf8Rank(y);
  }
  return a.length - b.length;
}

/** UTF-8 sorts characters outside the Basic Multilingual Plane last; in UTF-16 their surrogates come before U+E000. */
function utf8Rank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}

const surrogate = /[\ud800-\udfff]/;

/** The keys of an object in byte order. The native sort gives the same order unless a key has surrogates. */
export function sortedKeys(object: object): string[] {
  const keys = Object.keys(object);
  if (keys.length < 2) return keys;
  keys.sort();
  return keys.some((key) => surrogate.test(key)) ? keys.sort(byteOrder) : keys;
}

/** The members of an object in byte order of their keys. */
export function sortedEntries<T>(object: Readonly<Record<string, T>>): (readonly [string, T])[] {
  return sortedKeys(object).flatMap((key) => {
    const member = object[key];
    return member === undefined ? [] : [[key, member] as const];
  });
}

/** A value whose objects, at every depth, have their keys in byte order. */
export function sortedDeep(value: Json): Json {
  if (isList(value)) return value.map(sortedDeep);
  if (!isObject(value)) return value;
  const sorted: Record<string, Json> = {};
  for (const [key, member] of sortedEntries(value)) if (member !== undefined) setKey(sorted, key, sortedDeep(member));
  return sorted;
}
