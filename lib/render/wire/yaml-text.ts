import type { Json } from '../../api/json.ts';
import { isObject } from '../../api/json.ts';
import { sortedKeys } from './byte-order.ts';

/** YAML as the original writes it into a ConfigMap or an argument: sorted keys, lists not indented, plain text where it can be. */
export function yamlText(value: Json): string {
  return `${block(value, 0).trimStart()}\n`;
}

function block(value: Json, indent: number): string {
  if (isList(value)) return value.length === 0 ? ' []' : value.map((item) => listItem(item, indent)).join('');
  if (!isObject(value)) return ` ${scalar(value, indent)}`;
  const keys = sortedKeys(value);
  return keys.length === 0
    ? ' {}'
    : keys.map((key) => `\n${' '.repeat(indent)}${member(key, value[key] ?? null, indent)}`).join('');
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function member(key: string, value: Json, indent: number): string {
  // A list sits at the indentation of its key.
  return `${text(key, indent, false)}:${block(value, Array.isArray(value) ? indent : indent + 2)}`;
}

function listItem(item: Json, indent: number): string {
  const pad = `\n${' '.repeat(indent)}-`;
  if (isObject(item) && Object.keys(item).length > 0) return `${pad} ${block(item, indent + 2).trimStart()}`;
  if (Array.isArray(item) && item.length > 0) return `${pad} ${block(item, indent + 2).trimStart()}`;
  return pad + block(item, indent + 2);
}

function scalar(value: string | number | bigint | boolean | null, indent: number): string {
  if (typeof value === 'string') return text(value, indent, true);
  return typeof value === 'number' ? float(value) : String(value);
}

/** As Go writes a parsed number: integers of 64 bits in full, all else with an exponent below 1e-4 and from 1e6 on. */
function float(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) return String(value);
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  if (Number(exponent) >= -4 && Number(exponent) < 6) return String(value);
  return `${digits}e${exponent.replace(/^([+-])(\d)$/, '$10$2')}`;
}

function text(value: string, indent: number, canBeBlock: boolean): string {
  if (canBeBlock && value.includes('\n') && isPrintable(value)) return literal(value, indent);
  if (resolvesToOther(value)) return quoted(value);
  if (!isPrintable(value) || value.includes('\n')) return quoted(value);
  return isPlain(value) ? value : `'${value.replaceAll("'", "''")}'`;
}

function literal(value: string, indent: number): string {
  const tail = value.endsWith('\n') ? (value.endsWith('\n\n') || value === '\n' ? '+' : '') : '-';
  const hint = /^[ \n]/.test(value) ? '2' : '';
  const body = value.replace(/\n$/, '');
  return `|${hint}${tail}\n${body
    .split('\n')
    .map((line) => (line === '' ? '' : `${' '.repeat(indent)}${line}`))
    .join('\n')}`;
}

function quoted(value: string): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const words = new Set(
  ['', '~', 'null', 'y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false', '.nan', '.inf', '+.inf', '-.inf', '<<'].flatMap(
    (word) => [word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)],
  ),
);

/** Whether a parser would read something other than this text: a boolean, null, number or date. */
function resolvesToOther(value: string): boolean {
  return (
    words.has(value) ||
    /^\.(NaN|Inf)$|^[+-]\.Inf$/.test(value) ||
    /^[-+]?(0b[01_]+|0x[0-9a-fA-F_]+|0o?[0-7_]+|[0-9][0-9_]*)$/.test(value) ||
    /^[-+]?(\.[0-9]+|[0-9][0-9_]*(\.[0-9_]*)?)([eE][-+]?[0-9]+)?$/.test(value) ||
    /^[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?$/.test(value) ||
    /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ].*)?$/.test(value)
  );
}

function isPrintable(value: string): boolean {
  // oxlint-disable-next-line no-control-regex -- these are the characters YAML must escape
  return !/[\u0000-\u0008\u000b-\u001f\u007f-\u0084\u0086-\u009f\ufeff\ufffe\uffff]/.test(value);
}

function isPlain(value: string): boolean {
  return (
    !/^[-?:](\s|$)/.test(value) &&
    !/^[,[\]{}#&*!|>'"%@`]/.test(value) &&
    !/^---|^\.\.\./.test(value) &&
    !/^\s|\s$/.test(value) &&
    !/:(\s|$)|\s#|\t/.test(value)
  );
}
