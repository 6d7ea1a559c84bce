import { createHash } from 'node:crypto';
import { byteOrder, isObject } from '../json/index.ts';

/** The hash of objects that have no spec. */
export const hashWithoutSpec = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';

/** What an object was last applied with: lower-case hex SHA-256 of the canonical text of its spec. */
export function specHash(spec: unknown): string {
  return textHash(canonicalText(spec));
}

/** The hash of a canonical text. */
export function textHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Compact JSON as Go writes it: keys in byte order, lists of objects by name, HTML characters escaped. */
export function canonicalText(value: unknown): string {
  const text = write(value, undefined);
  // Where surrogates occur, the order of UTF-16 units is not the order of bytes.
  const exact = /[\ud800-\udfff]/.test(text) ? write(value, byteOrder) : text;
  return /[<>&\u2028\u2029]/.test(exact) ? exact.replace(/[<>&\u2028\u2029]/g, escape) : exact;
}

/** Nothing stands for the order of UTF-16 units, which is native and fast. */
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
  let text = '';
  for (const key of keys) {
    const member: unknown = (value as Readonly<Record<string, unknown>>)[key];
    text += `${text === '' ? '' : ','}${quote(key)}:${write(member, order)}`;
  }
  return `{${text}}`;
}

/** Sorting takes memory also where nothing moves. */
function isSorted(keys: readonly string[]): boolean {
  return keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') <= key);
}

const special = /["\\\u0000-\u001f\ud800-\udfff]/;

function quote(key: string): string {
  return special.test(key) ? JSON.stringify(key) : `"${key}"`;
}

function writeList(items: readonly unknown[], order: Order): string {
  if (typeof items[0] === 'string') return JSON.stringify(items);
  let text = '';
  for (const item of isObject(items[0]) ? byName(items, order) : items)
    text += text === '' ? write(item, order) : `,${write(item, order)}`;
  return `[${text}]`;
}

/** Objects that both have a name go by it, others by their first key; equal ones keep their places. */
function byName(items: readonly unknown[], order: Order): readonly unknown[] {
  const compare = order ?? unitOrder;
  const inOrder = items.every((item, index) => index === 0 || compareItems(items[index - 1], item, compare) <= 0);
  if (inOrder) return items;
  return items.length > insertionLimit ? items.toSorted((a, b) => compareItems(a, b, compare)) : inserted(items, compare);
}

/** Up to this length Go's stable sort inserts item by item. */
const insertionLimit = 20;

/**
 * Inserts item by item, as Go's sort.SliceStable does for short slices. Where only some items have a name the order is not transitive, so the
 * result depends on the algorithm.
 */
function inserted(items: readonly unknown[], compare: (a: string, b: string) => number): readonly unknown[] {
  const sorted: unknown[] = [];
  for (const item of items) {
    let at = sorted.length;
    while (at > 0 && compareItems(item, sorted[at - 1], compare) < 0) at--;
    sorted.splice(at, 0, item);
  }
  return sorted;
}

function unitOrder(a: string, b: string): number {
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
