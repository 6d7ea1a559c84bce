import { isQuantity } from '../admission/index.ts';
import { didYouMean, kindOf, type Schema } from '../api/index.ts';
import { isList, isObject, type Json, type JsonObject, type Path } from '../json/index.ts';
import type { FieldError } from './field-errors.ts';
import { objectSchemas } from './object-schemas.ts';

/** The largest values of Go's integer types; beyond `MAX_SAFE_INTEGER` a number is no longer exact. */
const limits = { int32: 2_147_483_647, int64: Number.MAX_SAFE_INTEGER } as const;

/**
 * The errors the API server returns when it decodes an object of a built-in kind: values of a wrong type, and unknown fields. Unknown fields are
 * errors because `kubectl` requests strict field validation: https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation
 */
export function decodeObject(object: JsonObject): readonly FieldError[] {
  const schema = objectSchemas.get(kindOf(object));
  const errors: FieldError[] = [];
  if (schema !== undefined) decode(object, schema, [], errors);
  return errors;
}

function decode(value: Json | undefined, schema: Schema, path: Path, errors: FieldError[]): void {
  // `encoding/json` leaves a field unset when its value is null: https://pkg.go.dev/encoding/json#Unmarshal
  if (value === null || value === undefined) return;
  const expected = typeMismatch(value, schema);
  if (expected !== undefined) {
    errors.push({ type: 'invalid', field: path, message: `Invalid value: ${JSON.stringify(value)}: must be ${expected}` });
    return;
  }
  if (isList(value)) {
    const { items = {} } = schema;
    for (const [index, item] of value.entries()) decode(item, items, [...path, index], errors);
  } else if (isObject(value)) decodeFields(value, schema, path, errors);
}

function decodeFields(value: JsonObject, schema: Schema, path: Path, errors: FieldError[]): void {
  const { properties, additionalProperties } = schema;
  for (const [key, child] of Object.entries(value)) {
    const known = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    if (known !== undefined) decode(child, known, [...path, key], errors);
    else if (properties !== undefined && schema.preserveUnknown !== true) {
      const suggestion = didYouMean(key, Object.keys(properties));
      const message = `unknown field${suggestion === undefined ? '' : `, ${suggestion}?`}`;
      errors.push({ type: 'invalid', field: [...path, key], message });
    }
  }
}

/** The type that a value should have; `undefined` when it has that type. */
function typeMismatch(value: Json, { type, format, intOrString, pattern }: Schema): string | undefined {
  if (intOrString === true) {
    if (pattern !== undefined) return isQuantity(value) ? undefined : 'a quantity such as 500m or 2Gi';
    return typeof value === 'string' || fitsLimit(value, limits.int32) ? undefined : 'a whole number or a string';
  }
  switch (type) {
    case 'string':
      if (typeof value !== 'string') return 'a string; put it in quotes';
      return format === 'byte' && !decodesAsBase64(value) ? 'base64' : undefined;
    case 'integer':
      return fitsLimit(value, format === 'int32' ? limits.int32 : limits.int64) ? undefined : 'a whole number';
    case 'number':
      return typeof value === 'number' ? undefined : 'a number';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'true or false';
    case 'array':
      return isList(value) ? undefined : 'a list';
    case 'object':
      return isObject(value) ? undefined : 'a map';
    case undefined:
      return undefined;
  }
}

function fitsLimit(value: Json, limit: number): boolean {
  if (typeof value === 'bigint') return limit === limits.int64;
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= limit + 1;
}

// As `base64.StdEncoding` decodes: groups of four characters with padding; \r and \n are ignored. https://pkg.go.dev/encoding/base64#Encoding.Decode
function decodesAsBase64(value: string): boolean {
  const characters = value.replaceAll(/[\r\n]/g, '');
  return characters.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(characters);
}
