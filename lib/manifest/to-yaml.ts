import { isObject, printable, printableLines, trimEndOf, type Json, type JsonObject } from '../json/index.ts';
import { resolvePlain } from './scalar.ts';

/** Writes YAML that parsers of 1.1 and 1.2 read as the same data; ends with a line break. */
export function toYaml(value: Json): string {
  if (Array.isArray(value) && value.length > 0) return list(value, '');
  if (isObject(value) && hasMembers(value)) return map(value, '');
  return `${inline(value, '')}\n`;
}

/** Writes several documents with `---` between them. */
export function toYamlDocuments(values: readonly Json[]): string {
  return values.map(toYaml).join('---\n');
}

function hasMembers(value: JsonObject): boolean {
  return Object.values(value).some((member) => member !== undefined);
}

function map(value: JsonObject, indent: string): string {
  let text = '';
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) text += `${text === '' ? '' : indent}${string(key)}:${below(member, indent)}`;
  }
  return text;
}

/** What follows a colon: a nested block on the next lines, or a scalar on the same. */
function below(value: Json, indent: string): string {
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

/** A whole number keeps no exponent below 1e21; beyond it YAML 1.1 wants a dot before the exponent. */
function number(value: number): string {
  const text = String(Object.is(value, -0) ? 0 : value);
  return text.includes('e') && !text.includes('.') ? text.replace('e', '.0e') : text;
}

const plain = /^[A-Za-z0-9_./+\-$%^&*(){}[\]<>=@;,?!|~\\'"`: #]+$/;
const plainStart = /^[A-Za-z0-9_./$(\\^+;<=~-]/;
const plainTrouble = /: |:$| #|^[-?:](?: |$)|^---|^\.\.\.| $|^<<$|^=$/;
/** Strings that some parser takes for a number, a date or a time of day. */
const numberLike = /^[-+]?\.?[0-9]|^[-+._]+$/;
const words = /^(?:y|yes|n|no|true|false|on|off|null|~|[-+]?\.(?:inf|nan))$/i;

function string(text: string): string {
  const bare =
    plain.test(text) &&
    plainStart.test(text) &&
    !plainTrouble.test(text) &&
    !words.test(text) &&
    (!numberLike.test(text) || wordy(text)) &&
    resolvePlain(text).type === 'str';
  return bare ? text : quote(text);
}

/** Starts with a digit and yet is a string for every YAML parser: it has letters that no number or date has, as image tags and addresses do. */
function wordy(text: string): boolean {
  return /[G-Zg-z/@]/.test(text.replace(/[xXoOtTzZ]/g, '')) && !/^[-+]?0[xXoObB]/.test(text);
}

const nonCharacter = /[\ud800-\udfff\ufffe\uffff]/gu;

function quote(text: string): string {
  return printable(JSON.stringify(text)).replace(nonCharacter, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function isUnprintable(text: string): boolean {
  return printableLines(text) !== text || /[\ud800-\udfff\ufffe\uffff]/u.test(text);
}

/** A text of several lines as a literal block; `undefined` where a block cannot say it. */
function block(text: string, indent: string): string | undefined {
  if (!text.includes('\n') || isUnprintable(text) || /^[ \n]|\t|[ ]$|[ ]\n/.test(text)) return undefined;
  const body = trimEndOf(text, '\n');
  if (body === '') return undefined;
  const trailing = text.length - body.length;
  const chomp = trailing === 0 ? '-' : trailing === 1 ? '' : '+';
  const lines = body.split('\n').map((line) => (line === '' ? '' : `${indent}${line}`));
  return `|${chomp}\n${lines.join('\n')}${'\n'.repeat(Math.max(0, trailing - 1))}`;
}
