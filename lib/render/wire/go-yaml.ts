import { isList, isObject, type Json, type JsonObject } from '../../json/index.ts';
import { naturalOrder } from './natural-order.ts';
import { doubleQuoted, literalBlock, plainScalar, resolvesToOther, singleQuoted } from './yaml-scalar.ts';

/**
 * YAML as the original operator writes it into a ConfigMap or an argument: keys in natural order, lists not indented, plain scalars where possible,
 * long lines folded.
 */
export function goYaml(value: JsonObject): string {
  return `${block(value, 0, 0).slice(1)}\n`;
}

/** The YAML after a key or dash; `column` is where a scalar begins. */
function block(value: Json, indent: number, column: number): string {
  if (isList(value)) return value.length === 0 ? ' []' : value.map((item) => listItem(item, indent)).join('');
  if (!isObject(value)) return ` ${scalar(value, indent, column)}`;
  const keys = Object.keys(value).sort(naturalOrder);
  return keys.length === 0
    ? ' {}'
    : keys.map((key) => `\n${' '.repeat(indent)}${member(key, value[key] ?? null, indent)}`).join('');
}

function member(key: string, value: Json, indent: number): string {
  const name = stringScalar(key, 0, 0, false);
  // The items of a list have the indentation of its key.
  return `${name}:${block(value, isList(value) ? indent : indent + 2, indent + name.length + 2)}`;
}

function listItem(item: Json, indent: number): string {
  const inner = block(item, indent + 2, indent + 2);
  const nested = typeof item === 'object' && item !== null && Object.keys(item).length > 0;
  return `\n${' '.repeat(indent)}-${nested ? inner.replace(/^\n */, ' ') : inner}`;
}

function scalar(value: string | number | bigint | boolean | null, indent: number, column: number): string {
  if (typeof value === 'string') return stringScalar(value, indent, column, true);
  return typeof value === 'number' || typeof value === 'bigint' ? float(Number(value)) : String(value);
}

/** A number as Go writes it: 64-bit integers as digits, others as `strconv.FormatFloat(value, 'g', -1, 64)`. */
function float(value: number): string {
  if (Number.isInteger(value) && value < 2 ** 64 && value >= -(2 ** 63)) return String(value);
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  // `FormatFloat` uses an exponent below 1e-4 and from 1e6.
  if (Number(exponent) >= -4 && Number(exponent) < 6) return String(value);
  return `${digits}e${exponent.replace(/^([+-])(\d)$/, '$10$2')}`;
}

function stringScalar(value: string, indent: number, column: number, isValue: boolean): string {
  if (isValue && value.includes('\n') && isPrintable(value) && !/ $| \n/.test(value)) return literalBlock(value, indent);
  const fold = isValue ? { indent, column } : undefined;
  if (resolvesToOther(value) || value.includes('\n') || !isPrintable(value)) return doubleQuoted(value, fold);
  if (isPlain(value)) return plainScalar(value, fold);
  return singleQuoted(value, fold);
}

function isPrintable(value: string): boolean {
  return !/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\ud800-\udfff\ufeff\ufffe\uffff]/.test(value);
}

function isPlain(value: string): boolean {
  return (
    !/^[-?:](\s|$)/.test(value) &&
    !/^[,[\]{}#&*!|>'"%@`]/.test(value) &&
    !/^---|^\.\.\./.test(value) &&
    !/^ | $/.test(value) &&
    !/:(\s|$)| #/.test(value)
  );
}
