import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';

/** A function that templates call. */
export type TemplateFunction = (...given: readonly unknown[]) => unknown;

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(`no list: ${JSON.stringify(value)}`);
  return value;
}

function mapOf(value: unknown): Readonly<Record<string, unknown>> {
  if (!isMap(value)) throw new Error(`no map: ${JSON.stringify(value)}`);
  return value;
}

function stringOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error(`no string: ${JSON.stringify(value)}`);
  return value;
}

/** What Go's `if` takes for true. */
export function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isMap(value) ? Object.keys(value).length > 0 : Boolean(value);
}

/** How a template prints a value. */
export function print(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `eq` fails on values of different types, as Go's does. */
function equal(a: unknown, b: unknown): boolean {
  if (a === undefined || a === null || b === undefined || b === null) return (a ?? null) === (b ?? null);
  if (typeof a !== typeof b || typeof a === 'object')
    throw new Error(`cannot compare ${JSON.stringify(a)} with ${JSON.stringify(b)}`);
  return a === b;
}

const number = (value: unknown): number => (value === undefined || value === null || value === '' ? 0 : Number(value));
const whole = (value: unknown): number => Math.trunc(number(value));

/** `%s` takes no numbers and `%d` no strings: Go would print `%!s(int=1)`. */
function format(pattern: string, values: readonly unknown[]): string {
  const left = [...values];
  const text = pattern.replaceAll(/%(%|s|d|v|q|\.9f)/g, (_, verb: string) => {
    if (verb === '%') return '%';
    const value = left.shift();
    if (verb === 's') return stringOf(value);
    if (verb === 'q') return JSON.stringify(stringOf(value));
    if (verb === 'v') return print(value);
    if (typeof value !== 'number') throw new Error(`%${verb} of ${JSON.stringify(value)}`);
    return verb === 'd' ? String(value) : value.toFixed(9);
  });
  if (left.length > 0) throw new Error(`printf ${pattern} was given ${values.length} values`);
  return text;
}

function merge(into: unknown, from: unknown): unknown {
  if (!isMap(into) || !isMap(from)) return from;
  return Object.fromEntries([
    ...Object.entries(into).filter(([key]) => !Object.hasOwn(from, key)),
    ...Object.entries(from).map(([key, value]) => [key, merge(into[key], value)]),
  ]);
}

const kindOf = (value: unknown): string => (typeof value === 'boolean' ? 'bool' : Array.isArray(value) ? 'slice' : typeof value);
const pattern = (text: unknown, flags = ''): RegExp => new RegExp(stringOf(text), flags);
const indent = (by: unknown, text: unknown): string => stringOf(text).replaceAll(/^/gm, ' '.repeat(number(by)));

/** Go's own functions, and those of sprig and helm that the chart uses; the value of a pipeline comes last. */
export const functions: Readonly<Record<string, TemplateFunction>> = {
  not: (value) => !isTrue(value),
  eq: equal,
  ne: (a, b) => !equal(a, b),
  lt: (a, b) => number(a) < number(b),
  le: (a, b) => number(a) <= number(b),
  gt: (a, b) => number(a) > number(b),
  ge: (a, b) => number(a) >= number(b),
  len: (value) => (typeof value === 'string' ? Buffer.byteLength(value) : listOf(value).length),
  index: (value, key) => (typeof key === 'number' ? listOf(value)[key] : mapOf(value)[stringOf(key)]),
  printf: (text, ...values) => format(stringOf(text), values),
  fail: (message) => {
    throw new Error(stringOf(message));
  },
  default: (standard, value) => (isTrue(value) ? value : standard),
  coalesce: (...values) => values.find((value) => isTrue(value)),
  ternary: (yes, no, test) => (test === true ? yes : no),
  kindIs: (kind, value) => kindOf(value) === kind,
  toString: (value: unknown) => (value === undefined || value === null ? '<nil>' : print(value)),
  int: whole,
  int64: whole,
  float64: number,
  add: (...values) => values.reduce<number>((sum, value) => sum + whole(value), 0),
  mul: (...values) => values.reduce<number>((product, value) => product * whole(value), 1),
  mulf: (...values) => values.reduce<number>((product, value) => product * number(value), 1),
  until: (count) => Array.from({ length: number(count) }, (_, i) => i),
  quote: (value) => (value === undefined || value === null ? '' : JSON.stringify(print(value))),
  lower: (text) => stringOf(text).toLowerCase(),
  trunc: (length, text) => stringOf(text).slice(0, number(length)),
  contains: (part, text) => stringOf(text).includes(stringOf(part)),
  hasPrefix: (part, text) => stringOf(text).startsWith(stringOf(part)),
  hasSuffix: (part, text) => stringOf(text).endsWith(stringOf(part)),
  trimPrefix: (part, text) => (stringOf(text).startsWith(stringOf(part)) ? stringOf(text).slice(stringOf(part).length) : text),
  trimSuffix: (part, text) =>
    stringOf(text).endsWith(stringOf(part)) ? stringOf(text).slice(0, stringOf(text).length - stringOf(part).length) : text,
  splitList: (separator, text) => stringOf(text).split(stringOf(separator)),
  regexMatch: (expression, text) => pattern(expression).test(stringOf(text)),
  regexFind: (expression, text) => pattern(expression).exec(stringOf(text))?.[0] ?? '',
  regexFindAll: (expression, text) => stringOf(text).match(pattern(expression, 'g')) ?? [],
  regexReplaceAll: (expression, text, by) => stringOf(text).replaceAll(pattern(expression, 'g'), stringOf(by)),
  list: (...values) => values,
  first: (list) => listOf(list)[0],
  append: (list, value) => [...listOf(list), value],
  concat: (...lists) => lists.flatMap(listOf),
  uniq: (list) => listOf(list).filter((value, i, all) => all.findIndex((other) => isDeepStrictEqual(other, value)) === i),
  dict: (...values) => Object.fromEntries(values.flatMap((key, i) => (i % 2 === 0 ? [[stringOf(key), values[i + 1]]] : []))),
  get: (map, key) => mapOf(map)[stringOf(key)] ?? '',
  hasKey: (map, key) => Object.hasOwn(mapOf(map), stringOf(key)),
  deepCopy: (value) => structuredClone(value),
  mergeOverwrite: (into, ...from) => from.reduce(merge, into),
  toYaml: (value) => stringify(value, { lineWidth: 0 }).trimEnd(),
  toJson: (value) => JSON.stringify(value),
  fromJson: (text) => mapOf(JSON.parse(stringOf(text))),
  fromJsonArray: (text) => listOf(JSON.parse(stringOf(text))),
  nindent: (by, text) => `\n${indent(by, text)}`,
  b64enc: (text) => Buffer.from(stringOf(text)).toString('base64'),
  sha256sum: (text) => createHash('sha256').update(stringOf(text)).digest('hex'),
};
