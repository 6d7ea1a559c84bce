import { createHash } from 'node:crypto';
import { byteOrder, isObject } from '../json/index.ts';

/** The hash of objects without a spec: the SHA-256 of `{}`. */
export const hashWithoutSpec = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';

/** The value of the last-applied-hash annotation: the SHA-256 of the canonical JSON of a spec, in lower-case hex. */
export function specHash(spec: unknown): string {
  return sha256Hex(canonicalText(spec));
}

/** The SHA-256 of a string in lower-case hex. */
export function sha256Hex(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

/**
 * The canonical JSON that hashes are computed from: compact, keys in byte order, lists of objects sorted by name, and `<`, `>`, `&`, U+2028 and
 * U+2029 escaped as in https://pkg.go.dev/encoding/json#Marshal.
 */
export function canonicalText(value: unknown): string {
  const json = write(value, undefined);
  // With surrogates, the order of UTF-16 code units differs from the order of UTF-8 bytes.
  const exact = /[\ud800-\udfff]/.test(json) ? write(value, byteOrder) : json;
  return /[<>&\u2028\u2029]/.test(exact) ? exact.replace(/[<>&\u2028\u2029]/g, escape) : exact;
}

/** A comparison of keys; undefined for the order of UTF-16 code units, which is native and fast. */
type Order = ((a: string, b: string) => number) | undefined;

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function write(value: unknown, order: Order): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'bigint') return String(Number(value));
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return writeList(value, order);
  const keys = Object.keys(value);
  if (order !== undefined || !isSorted(keys)) keys.sort(order);
  let json = '';
  for (const key of keys) {
    const member: unknown = (value as Readonly<Record<string, unknown>>)[key];
    json += `${json === '' ? '' : ','}${quote(key)}:${write(member, order)}`;
  }
  return `{${json}}`;
}

/** Checked before sorting, since a sort allocates memory even when keys are in order. */
function isSorted(keys: readonly string[]): boolean {
  return keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') <= key);
}

const special = /["\\\u0000-\u001f\ud800-\udfff]/;

function quote(key: string): string {
  return special.test(key) ? JSON.stringify(key) : `"${key}"`;
}

function writeList(items: readonly unknown[], order: Order): string {
  if (typeof items[0] === 'string') return JSON.stringify(items);
  let json = '';
  for (const item of isObject(items[0]) ? byName(items, order) : items)
    json += json === '' ? write(item, order) : `,${write(item, order)}`;
  return `[${json}]`;
}

/** Sorts objects by `name`, or by their first key if either has no name. The sort is stable. */
function byName(items: readonly unknown[], order: Order): readonly unknown[] {
  const compare = order ?? codeUnitOrder;
  const inOrder = items.every((item, index) => index === 0 || compareItems(items[index - 1], item, compare) <= 0);
  if (inOrder) return items;
  return items.length > insertionLimit ? items.toSorted((a, b) => compareItems(a, b, compare)) : insertionSort(items, compare);
}

/** Up to this length `sort.SliceStable` of Go is an insertion sort. */
const insertionLimit = 20;

/**
 * Sorts by insertion, as `sort.SliceStable` does for short slices. If only some items have a name the order is not transitive, so the result
 * depends on the algorithm.
 */
function insertionSort(items: readonly unknown[], compare: (a: string, b: string) => number): readonly unknown[] {
  const sorted: unknown[] = [];
  for (const item of items) {
    let at = sorted.length;
    while (at > 0 && compareItems(item, sorted[at - 1], compare) < 0) at--;
    sorted.splice(at, 0, item);
  }
  return sorted;
}

function codeUnitOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareItems(a: unknown, b: unknown, compare: (a: string, b: string) => number): number {
  if (!isObject(a) || !isObject(b)) return 0;
  const x = a['name'];
  const y = b['name'];
  if (typeof x === 'string' && typeof y === 'string') return compare(x, y);
  const first = Object.keys(a).sort(compare)[0];
  const other = Object.keys(b).sort(compare)[0];
  return first === undefined || other === undefined ? 0 : compare(first, other);
}
