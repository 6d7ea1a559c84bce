import { didYouMean, type Issue, type ValidationError } from '../api/index.ts';
import { formatPath, isObject, resolvePointer, type Json, type JsonObject, type Path } from '../json/index.ts';
import { stringifyJson } from '../manifest/index.ts';
import { validateValues } from './generated/validator.js';
import { atPath } from './go-values.ts';
import { laterValueWarning } from './later-values.ts';
import { fillIn } from './merge.ts';
import type { ValuesSchema } from './part.ts';
import { parts } from './parts.ts';
import { valuesSchema } from './values-schema.ts';

/** Result of checking a tree of values against the schema. */
interface CheckedValues {
  /** Maps or lists instead of scalars, or the reverse: nothing can be rendered. */
  readonly structure: readonly Issue[];
  /** Scalars of the wrong type, out of range, or not among the allowed values. */
  readonly scalars: readonly Issue[];
  /** Unknown keys, keys that nothing reads, and numbers that are not printed as written. */
  readonly warnings: readonly Issue[];
}

const typeNames: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  array: 'a list',
  object: 'a map',
};

function formatValue(value: unknown): string {
  const json =
    JSON.stringify(value, (_key, member: unknown) => (typeof member === 'bigint' ? String(member) : member)) ?? 'nothing';
  return json.length > 80 ? `${json.slice(0, 80)}...` : json;
}

/** Types a failed `type` check allows. */
function allowedTypes(error: ValidationError): readonly string[] {
  const given = error.params['type'];
  return Array.isArray(given) ? given.map(String) : String(given).split(',');
}

function hint(allowed: readonly string[], value: unknown): string {
  if (allowed.includes('boolean') && (value === 'true' || value === 'false')) return '; remove the quotes';
  if (allowed.includes('array') && value === '[]') return '; on the command line use --set-json for an empty list';
  return '';
}

function message(error: ValidationError, value: Json | undefined): string {
  if (error.keyword === 'enum') {
    const allowed = error.params['allowedValues'];
    return `must be one of ${(Array.isArray(allowed) ? allowed.filter((v) => v !== null) : []).join(', ')}, got ${formatValue(value)}`;
  }
  if (error.keyword === 'type') {
    const allowed = allowedTypes(error).filter((t) => t !== 'null');
    return `must be ${allowed.map((t) => typeNames[t] ?? t).join(' or ')}, got ${formatValue(value)}${hint(allowed, value)}`;
  }
  if (error.keyword === 'pattern') return `must be a whole number, got ${formatValue(value)}`;
  return `must be ${error.keyword === 'minimum' ? 'at least' : 'at most'} ${formatValue(error.params['limit'])}, got ${formatValue(value)}`;
}

/** Whether the value or an allowed type is a map or a list, which makes templates fail. */
function isStructural(error: ValidationError, value: Json | undefined): boolean {
  if (error.keyword !== 'type') return false;
  const allowed = allowedTypes(error);
  return typeof value === 'object' || allowed.includes('object') || allowed.includes('array');
}

/** Finds keys not in the schema, and unquoted numbers in string fields whose printed form may differ from the source (`1.10` becomes `1.1`). */
function walk(value: Json | undefined, schema: ValuesSchema, path: Path, found: Issue[]): void {
  if (
    typeof value === 'number' &&
    schema.type?.includes('string') &&
    !schema.type.includes('integer') &&
    (!Number.isInteger(value) || Math.abs(value) >= 1e6)
  )
    found.push({
      path,
      code: 'quote_number',
      message: `is read as the number ${value}, which may not be what was written; put it in quotes`,
    });
  if (Array.isArray(value) && schema.items) {
    const items = schema.items;
    (value as readonly Json[]).forEach((item, index) => walk(item, items, [...path, index], found));
  }
  if (!isObject(value)) return;
  for (const [key, child] of Object.entries(value)) {
    const known = schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    if (known) walk(child, known, [...path, key], found);
    else if (typeof schema.additionalProperties === 'object') walk(child, schema.additionalProperties, [...path, key], found);
    else if (schema.properties && schema.additionalProperties === undefined)
      found.push(unknownKey([...path, key], schema.properties));
  }
}

function unknownKey(path: Path, properties: Readonly<Record<string, ValuesSchema>>): Issue {
  const later = laterValueWarning(path);
  if (later !== undefined) return { path, code: 'later_chart', message: later };
  const key = String(path.at(-1));
  const suggestion = didYouMean(key, Object.keys(properties));
  const operatorKeys = parts.find((part) => part.key === 'dynamo-operator')?.schema.properties ?? {};
  const misplaced = path.length === 1 && Object.hasOwn(operatorKeys, key);
  const advice = misplaced ? `; did you mean dynamo-operator.${key}?` : suggestion === undefined ? '' : `; ${suggestion}?`;
  return { path, code: 'unknown_key', message: `is not a known value and has no effect${advice}` };
}

function deadValues(values: JsonObject): readonly Issue[] {
  return parts.flatMap((part) => {
    const defaults = fillIn(part.platformDefaults, part.defaults);
    return Object.entries(part.dead).flatMap(([path, advice]) => {
      const given = atPath(values[part.key], path);
      // A copy of the original's values file holds dead values at their defaults.
      if (given === undefined || given === null || stringifyJson(given) === stringifyJson(atPath(defaults, path) ?? null))
        return [];
      return [{ path: [part.key, ...path.split('.')], code: 'dead_value', message: `has no effect; ${advice}` }];
    });
  });
}

/** Checks the user's merged values against the schema. */
export function checkValues(values: JsonObject): CheckedValues {
  const errors = validateValues(values) ? [] : (validateValues.errors ?? []);
  const structure: Issue[] = [];
  const scalars: Issue[] = [];
  for (const error of errors) {
    const { path, value } = resolvePointer(values, error.instancePath);
    const issue = { path, code: error.keyword === 'type' ? 'wrong_type' : error.keyword, message: message(error, value) };
    (isStructural(error, value) ? structure : scalars).push(issue);
  }
  const warnings: Issue[] = [];
  walk(values, valuesSchema(), [], warnings);
  const dead = deadValues(values);
  const deadPaths = new Set(dead.map(({ path }) => formatPath(path)));
  return { structure, scalars, warnings: [...warnings.filter(({ path }) => !deadPaths.has(formatPath(path))), ...dead] };
}
