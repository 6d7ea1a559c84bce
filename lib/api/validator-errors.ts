import type { ValidationError } from './generated/validators.js';
import { formatPath, isObject, resolvePointer, type Json } from '../json/index.ts';
import { quantityPattern } from './schema/dsl.ts';
import { shown, type Cause, type CauseReason, type SchemaIssue } from './schema-issue.ts';

/** The issue that a failed keyword of the validator becomes. */
interface IssueTemplate {
  readonly code: string;
  readonly reason: CauseReason;
  readonly message: (params: Readonly<Record<string, unknown>>, value: Json | undefined) => string;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  'integer or string': 'an integer or a string',
};

/** A hint for common mistakes with types, such as missing quotes. */
function typeHint(type: string, value: Json | undefined): string {
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return ': put it in quotes';
  if (type === 'boolean' && (value === 'true' || value === 'false')) return ': remove the quotes';
  if ((type === 'integer' || type === 'number') && typeof value === 'string' && /^-?[0-9]+$/.test(value))
    return ': remove the quotes';
  if (type === 'integer' && (typeof value === 'bigint' || Number.isInteger(value))) return ': it has more than 64 bits';
  return '';
}

function wrongType(params: Readonly<Record<string, unknown>>, value: Json | undefined): string {
  // A string with a format is compiled as `string,array`; messages call it a string.
  const type = Array.isArray(params['type']) ? 'string' : String(params['type']);
  return `must be ${typeNames[type] ?? type}, got ${shown(value)}${typeHint(type, value)}`;
}

function wrongPattern(params: Readonly<Record<string, unknown>>, value: Json | undefined): string {
  if (params['pattern'] === quantityPattern) return `must be a quantity such as 500m or 2Gi, got ${shown(value)}`;
  return `must match ${String(params['pattern'])}, got ${shown(value)}`;
}

const formatNames: Readonly<Record<string, string>> = { byte: 'base64', 'date-time': 'a time such as 2026-01-31T12:00:00Z' };

const templates: Readonly<Record<string, IssueTemplate>> = {
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

/** Only the first failed check of these is reported: the API server does not match a pattern if the length is wrong. */
const stringChecks = ['maxLength', 'minLength', 'pattern'];

/** Converts the errors of a validator: one issue per field, with every cause that the API server reports. */
export function issuesOf(errors: readonly ValidationError[], root: Json): readonly SchemaIssue[] {
  const issues = new Map<string, SchemaIssue & { readonly causes: Cause[]; readonly keywords: string[] }>();
  for (const { instancePath, keyword, params } of errors) {
    const template = templates[keyword];
    if (template === undefined) throw new Error(`no issue for the keyword ${keyword} of the validator`);
    const { path: parent, value } = resolvePointer(root, instancePath);
    const path = keyword === 'required' ? [...parent, String(params['missingProperty'])] : parent;
    const cause: Cause = { field: formatPath(path), reason: template.reason };
    const key = JSON.stringify(path);
    const known = issues.get(key);
    if (known === undefined) {
      issues.set(key, {
        path,
        code: template.code,
        message: template.message(params, value),
        causes: [cause],
        keywords: [keyword],
      });
    } else if (!known.keywords.some((earlier) => stringChecks.includes(earlier) && stringChecks.includes(keyword))) {
      known.causes.push(cause);
      known.keywords.push(keyword);
    }
  }
  return [...issues.values()].map(({ path, code, message, causes }) => ({ path, code, message, causes }));
}
