import type { ValidationError } from './generated/validators.js';
import { formatPath, isObject, parsePointer, type Json, type Path } from '../json/index.ts';
import { quantityPattern } from './schema/dsl.ts';
import { shown, type Cause, type CauseReason, type SchemaIssue } from './schema-issue.ts';

interface Wording {
  readonly code: string;
  readonly reason: CauseReason;
  readonly message: (params: Readonly<Record<string, unknown>>, value: Json | undefined) => string;
}

const articles: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  'integer or string': 'an integer or a string',
};

/** How a person would most likely mend a value of the wrong type. */
function mend(type: string, value: Json | undefined): string {
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return ': put it in quotes';
  if (type === 'boolean' && (value === 'true' || value === 'false')) return ': remove the quotes';
  if ((type === 'integer' || type === 'number') && typeof value === 'string' && /^-?[0-9]+$/.test(value))
    return ': remove the quotes';
  return '';
}

function wrongType(params: Readonly<Record<string, unknown>>, value: Json | undefined): string {
  // A text with a format is compiled as `string,array`; to people it is a string.
  const type = Array.isArray(params['type']) ? 'string' : String(params['type']);
  return `must be ${articles[type] ?? type}, got ${shown(value)}${mend(type, value)}`;
}

function wrongPattern(params: Readonly<Record<string, unknown>>, value: Json | undefined): string {
  if (params['pattern'] === quantityPattern) return `must be a quantity such as 500m or 2Gi, got ${shown(value)}`;
  return `must match ${String(params['pattern'])}, got ${shown(value)}`;
}

const formatNames: Readonly<Record<string, string>> = { byte: 'base64', 'date-time': 'a time such as 2026-01-31T12:00:00Z' };

const wordings: Readonly<Record<string, Wording>> = {
  type: { code: 'type', reason: 'FieldValueTypeInvalid', message: wrongType },
  numeric: { code: 'type', reason: 'FieldValueTypeInvalid', message: wrongType },
  format: {
    code: 'format',
    reason: 'FieldValueTypeInvalid',
    message: ({ format }, value) => `must be ${formatNames[String(format)] ?? String(format)}, got ${shown(value)}`,
  },
  required: { code: 'required', reason: 'FieldValueRequired', message: () => 'is required' },
  enum: {
    code: 'enum',
    reason: 'FieldValueNotSupported',
    message: ({ allowedValues }, value) => `must be one of ${String(allowedValues).replaceAll(',', ', ')}, got ${shown(value)}`,
  },
  least: {
    code: 'minimum',
    reason: 'FieldValueInvalid',
    message: ({ limit }, value) => `must be ${String(limit)} or more, got ${shown(value)}`,
  },
  maxLength: {
    code: 'too_long',
    reason: 'FieldValueTooLong',
    message: ({ limit }, value) =>
      `must have at most ${String(limit)} characters, got ${typeof value === 'string' ? Array.from(value).length : ''}`,
  },
  minLength: {
    code: 'too_short',
    reason: 'FieldValueInvalid',
    message: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${String(limit)} characters`),
  },
  pattern: { code: 'pattern', reason: 'FieldValueInvalid', message: wrongPattern },
  maxItems: {
    code: 'too_many',
    reason: 'FieldValueTooMany',
    message: ({ limit }, value) => `must have at most ${String(limit)} entries, got ${Array.isArray(value) ? value.length : ''}`,
  },
  maxProperties: {
    code: 'too_many',
    reason: 'FieldValueTooMany',
    message: ({ limit }, value) =>
      `must have at most ${String(limit)} entries, got ${isObject(value) ? Object.keys(value).length : ''}`,
  },
};

/** Follows a JSON pointer; tells list indexes from map keys by the value they lead through. */
function resolve(root: Json, pointer: string): { readonly path: Path; readonly value: Json | undefined } {
  const path: (string | number)[] = [];
  let value: Json | undefined = root;
  for (const key of parsePointer(pointer) ?? []) {
    path.push(Array.isArray(value) ? Number(key) : key);
    value = Array.isArray(value) ? value[Number(key)] : isObject(value) ? value[key] : undefined;
  }
  return { path, value };
}

/** The first of these to fail hides the rest: the API server looks no further in a text that is too long or too short. */
const inOrder = ['maxLength', 'minLength', 'pattern'];

/** Words a validator's errors: one issue per field, with every cause that the API server would name. */
export function issuesOf(errors: readonly ValidationError[], root: Json): readonly SchemaIssue[] {
  const issues = new Map<string, SchemaIssue & { readonly causes: Cause[]; readonly keywords: string[] }>();
  for (const { instancePath, keyword, params } of errors) {
    const wording = wordings[keyword];
    if (wording === undefined) throw new Error(`no wording for the keyword ${keyword}`);
    const { path: parent, value } = resolve(root, instancePath);
    const path = keyword === 'required' ? [...parent, String(params['missingProperty'])] : parent;
    const cause: Cause = { field: formatPath(path), reason: wording.reason };
    const place = JSON.stringify(path);
    const known = issues.get(place);
    if (known === undefined) {
      issues.set(place, {
        path,
        code: wording.code,
        message: wording.message(params, value),
        causes: [cause],
        keywords: [keyword],
      });
    } else if (!known.keywords.some((earlier) => inOrder.includes(earlier) && inOrder.includes(keyword))) {
      known.causes.push(cause);
      known.keywords.push(keyword);
    }
  }
  return [...issues.values()].map(({ path, code, message, causes }) => ({ path, code, message, causes }));
}
