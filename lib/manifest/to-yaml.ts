import { isObject, printable, printableLines, trimEndOf, type Json, type JsonObject } from '../json/index.ts';
import { resolvePlain } from './scalar.ts';

/** Serializes a value as YAML that YAML 1.1 and 1.2 parsers read alike; ends with a line feed. */
export function toYaml(value: Json): string {
  if (Array.isArray(value) && value.length > 0) return list(value, '');
  if (isObject(value) && hasMembers(value)) return map(value, '');
  return `${inline(value, '')}\n`;
}

/** Serializes several documents with `---` between them. */
export function toYamlDocuments(values: readonly Json[]): string {
  return values.map(toYaml).join('---\n');
}

function hasMembers(value: JsonObject): boolean {
  return Object.values(value).some((member) => member !== undefined);
}

function map(value: JsonObject, indent: string): string {
  let text = '';
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) text += `${text === '' ? '' : indent}${string(key)}:${afterColon(member, indent)}`;
  }
  return text;
}

/** The value after a colon: a nested block on the next lines, or a scalar on the same line. */
function afterColon(value: Json, indent: string): string {
  const inner = `${indent}  `;
  if (Array.isArray(value) && value.length > 0) return `\n${inner}${list(value, inner)}`;
  if (isObject(value) && hasMembers(value)) return `\n${inner}${map(value, inner)}`;
  return ` ${inline(value, inner)}\n`;
}

function list(value: readonly Json[], indent: string): string {
  const inner = `${indent}  `;
  return value
    .map((item) => {
      if (Array.isArray(item) && item.length > 0) return `- ${list(item, inner)}`;
      if (isObject(item) && hasMembers(item)) return `- ${map(item, inner)}`;
      return `- ${inline(item, inner)}\n`;
    })
    .join(indent);
}

function inline(value: Json, indent: string): string {
  if (typeof value === 'string') return block(value, indent) ?? string(value);
  if (typeof value === 'number') return number(value);
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? '[]' : '{}';
}

/** YAML 1.1 requires a dot before an exponent, which JavaScript omits in `1e+21`. */
function number(value: number): string {
  const text = String(Object.is(value, -0) ? 0 : value);
  return text.includes('e') && !text.includes('.') ? text.replace('e', '.0e') : text;
}

const plain = /^[A-Za-z0-9_./+\-$%^&*(){}[\]<>=@;,?!|~\\'"`: #]+$/;
const plainStart = /^[A-Za-z0-9_./$(\\^+;<=~-]/;
const unsafePlain = /: |:$| #|^[-?:](?: |$)|^---|^\.\.\.| $|^<<$|^=$/;
/** Strings that some YAML parser reads as a number, a date or a time. */
const numberLike = /^[-+]?\.?[0-9]|^[-+._]+$/;
const keyword = /^(?:y|yes|n|no|true|false|on|off|null|~|[-+]?\.(?:inf|nan))$/i;

function string(text: string): string {
  const isPlain =
    plain.test(text) &&
    plainStart.test(text) &&
    !unsafePlain.test(text) &&
    !keyword.test(text) &&
    (!numberLike.test(text) || hasNonNumericLetters(text)) &&
    resolvePlain(text).type === 'str';
  return isPlain ? text : quote(text);
}

/** Whether a string has letters that occur in no number or date, so that every YAML parser reads it as a string: image tags, addresses. */
function hasNonNumericLetters(text: string): boolean {
  return /[G-Zg-z/@]/.test(text.replace(/[xXoOtTzZ]/g, '')) && !/^[-+]?0[xXoObB]/.test(text);
}

const nonCharacter = /[\ud800-\udfff\ufffe\uffff]/gu;

function quote(text: string): string {
  return printable(JSON.stringify(text)).replace(nonCharacter, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function isUnprintable(text: string): boolean {
  return printableLines(text) !== text || /[\ud800-\udfff\ufffe\uffff]/u.test(text);
}

/** A string of several lines as a literal block scalar; undefined if a literal block cannot represent it. */
function block(text: string, indent: string): string | undefined {
  if (!text.includes('\n') || isUnprintable(text) || /^[ \n]|\t|[ ]$|[ ]\n/.test(text)) return undefined;
  const body = trimEndOf(text, '\n');
  if (body === '') return undefined;
  const trailing = text.length - body.length;
  const chomp = trailing === 0 ? '-' : trailing === 1 ? '' : '+';
  const lines = body.split('\n').map((line) => (line === '' ? '' : `${indent}${line}`));
  return `|${chomp}\n${lines.join('\n')}${'\n'.repeat(Math.max(0, trailing - 1))}`;
}
