import { type Issue, kinds, parseDuration, type Schema } from '../api/index.ts';
import { isObject, type Json, type JsonObject, type Path, stringAt, valueAt } from '../json/index.ts';
import { isQuantity } from './quantity-syntax.ts';

const specs: ReadonlyMap<string, Schema> = new Map(kinds.map((kind) => [kind.kind, kind.spec]));
/** Fields the schema calls strings and the operator reads as durations. */
const durations: ReadonlySet<string | number> = new Set(['metricsStalenessThreshold']);

/** Values that the schema admits and the operator cannot read: numbers too wide, quantities and durations out of form. */
export function checkDecoding(object: JsonObject): readonly Issue[] {
  const schema = specs.get(stringAt(object, 'kind'));
  const spec = valueAt(object, 'spec');
  const issues: Issue[] = [];
  if (schema && spec !== undefined) visit(schema, spec, ['spec'], issues);
  return issues;
}

function visit(schema: Schema, value: Json, path: Path, issues: Issue[]): void {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items) value.forEach((item: Json, index) => visit(items, item, [...path, index], issues));
  } else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      const field =
        schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : schema.additionalProperties;
      if (field && inner !== undefined && inner !== null) visit(field, inner, [...path, key], issues);
    }
  } else {
    const problem = checkScalar(schema, value, path);
    if (problem) issues.push({ path, ...problem });
  }
}

function checkScalar(schema: Schema, value: Json, path: Path): { readonly code: string; readonly message: string } | undefined {
  if (schema.intOrString && schema.pattern !== undefined) {
    if (isQuantity(value)) return undefined;
    return {
      code: 'invalid_quantity',
      message: `not a quantity that Kubernetes reads: ${shown(value)}; an exponent must be a whole number`,
    };
  }
  if (typeof value === 'number' || typeof value === 'bigint') return checkWidth(schema, value);
  if (typeof value === 'string' && durations.has(path.at(-1) ?? '') && parseDuration(value) === undefined)
    return {
      code: 'invalid_duration',
      message: `not a duration: ${shown(value)}; write a number with a unit, such as 5s or 1m30s`,
    };
  return undefined;
}

function checkWidth(schema: Schema, value: number | bigint): { readonly code: string; readonly message: string } | undefined {
  const bits = schema.intOrString || schema.format === 'int32' ? 32 : schema.type === 'integer' ? 64 : 0;
  if (bits === 0 || (value >= -(2 ** (bits - 1)) && value < 2 ** (bits - 1))) return undefined;
  return { code: 'out_of_range', message: `${value} does not fit into ${bits} bits` };
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
