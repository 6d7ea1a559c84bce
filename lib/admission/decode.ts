import { type Issue, kinds, parseDuration, type Schema } from '../api/index.ts';
import { isList, isObject, type Json, type JsonObject, type Path, stringAt, valueAt } from '../json/index.ts';
import { isQuantity } from './quantity-syntax.ts';

const specs: ReadonlyMap<string, Schema> = new Map(kinds.map((kind) => [kind.kind, kind.spec]));
/** Fields that are strings in the schema and durations in the operator. */
const durationFields: ReadonlySet<string | number> = new Set(['metricsStalenessThreshold']);

/** Reports values that pass the schema but that the operator cannot decode: integers out of range, malformed quantities and durations. */
export function checkDecoding(object: JsonObject): readonly Issue[] {
  const schema = specs.get(stringAt(object, 'kind'));
  const spec = valueAt(object, 'spec');
  const issues: Issue[] = [];
  if (schema && spec !== undefined) visit(schema, spec, ['spec'], issues);
  return issues;
}

/** `path` is the path of the value; it is extended and restored, and copied only into issues, because this runs for every admission request. */
function visit(schema: Schema, value: Json, path: (string | number)[], issues: Issue[]): void {
  if (isList(value)) {
    if (schema.items) for (const [index, item] of value.entries()) visitMember(schema.items, item, index, path, issues);
  } else if (isObject(value)) {
    const { properties, additionalProperties } = schema;
    for (const key of Object.keys(value)) {
      const field = properties && Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
      const member = value[key];
      if (field && member !== undefined && member !== null) visitMember(field, member, key, path, issues);
    }
  } else {
    const problem = checkScalar(schema, value, path);
    if (problem) issues.push({ path: [...path], ...problem });
  }
}

function visitMember(schema: Schema, value: Json, name: string | number, path: (string | number)[], issues: Issue[]): void {
  path.push(name);
  visit(schema, value, path, issues);
  path.pop();
}

function checkScalar(schema: Schema, value: Json, path: Path): { readonly code: string; readonly message: string } | undefined {
  if (schema.intOrString && schema.pattern !== undefined) {
    if (isQuantity(value)) return undefined;
    return {
      code: 'invalid_quantity',
      message: `must be a quantity whose exponent is a 64-bit integer, such as 1e3, got ${shown(value)}`,
    };
  }
  if (typeof value === 'number' || typeof value === 'bigint') return checkWidth(schema, value);
  if (typeof value === 'string' && durationFields.has(path.at(-1) ?? '') && parseDuration(value) === undefined)
    return {
      code: 'invalid_duration',
      message: `must be a duration such as 5s or 1m30s, got ${shown(value)}`,
    };
  return undefined;
}

function checkWidth(schema: Schema, value: number | bigint): { readonly code: string; readonly message: string } | undefined {
  const bits = schema.intOrString || schema.format === 'int32' ? 32 : schema.type === 'integer' ? 64 : 0;
  if (bits === 0 || (value >= -(2 ** (bits - 1)) && value < 2 ** (bits - 1))) return undefined;
  return { code: 'out_of_range', message: `must fit in ${bits} bits, got ${value}` };
}

function shown(value: Json): string {
  const json = JSON.stringify(value);
  return json.length > 80 ? `${json.slice(0, 77)}...` : json;
}
