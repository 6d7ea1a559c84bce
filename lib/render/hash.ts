import { createHash } from 'node:crypto';
import { byteOrder } from './wire/byte-order.ts';

/** The hash of objects that have no spec. */
export const hashWithoutSpec = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';

/** What an object was last applied with: lower-case hex SHA-256 of the canonical text of its spec. */
export function specHash(spec: unknown): string {
  return createHash('sha256').update(canonicalText(spec)).digest('hex');
}

/** Compact JSON as Go writes it: keys in byte order, lists of objects by name, HTML characters escaped. */
export function canonicalText(value: unknown): string {
  const text = write(value, unitOrder);
  // Beyond this point the order of UTF-16 units is no longer the order of bytes.
  const exact = /[\ud800-\udfff]/.test(text) ? write(value, byteOrder) : text;
  return /[<>&\u2028\u2029]/.test(exact) ? exact.replace(/[<>&\u2028\u2029]/g, escape) : exact;
}

type Order = (a: string, b: string) => number;
const unitOrder: Order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function write(value: unknown, order: Order): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'bigint') return String(Number(value));
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return writeList(value, order);
  const keys = Object.keys(value).sort(order);
  let text = '';
  for (const key of keys) {
    const member: unknown = (value as Readonly<Record<string, unknown>>)[key];
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${write(member, order)}`;
  }
  return `{${text}}`;
}

function writeList(items: readonly unknown[], order: Order): string {
  const sorted = items.length > 1 && isObject(items[0]) ? items.toSorted((a, b) => byName(a, b, order)) : items;
  let text = '';
  for (const item of sorted) text += text === '' ? write(item, order) : `,${write(item, order)}`;
  return `[${text}]`;
}

function byName(a: unknown, b: unknown, order: Order): number {
  if (!isObject(a) || !isObject(b)) return 0;
  const x = a['name'];
  const y = b['name'];
  if (typeof x === 'string' && typeof y === 'string') return order(x, y);
  const first = Object.keys(a).sort(order)[0];
  const other = Object.keys(b).sort(order)[0];
  return first === undefined || other === undefined ? 0 : order(first, other);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
