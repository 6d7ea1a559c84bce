/**
 * Rewrites a stored resource as the Go structs of the original operator decode and encode it. The result is not a copy: zero values of `omitempty`
 * fields disappear, some fields are written even when empty, and quantities become canonical. Hashes depend on all of this.
 * https://pkg.go.dev/encoding/json#Marshal
 */
import { isList, isObject, type Json, type JsonObject, setKey, sortedKeys } from '../../json/index.ts';
import { canonicalQuantity } from './canonical-quantity.ts';

/** Encodes the value of a field; `undefined` omits the field. The value is never null. */
type Write = (value: Json) => Json | undefined;

/** One field of a struct: how its value is encoded, and what is written when it is absent. */
export interface Field {
  readonly write: Write;
  readonly absent?: () => Json;
  /** The struct of an object, or of each item of a list. */
  readonly struct?: Shape;
  /** The default of the schema, which replaces the zero value. */
  readonly schemaDefault?: string;
}

/** The fields of a struct, in the order in which they are written; `T` is the type of the rewritten value. */
export interface Shape<T = unknown> {
  readonly fields: readonly (readonly [string, Field])[];
  /** Never set; carries the type that `rewrite` returns. */
  readonly reads?: T;
}

/** Defines a struct by its fields. */
export function shape(fields: Readonly<Record<string, Field>>): Shape<never> {
  return { fields: Object.entries(fields) };
}

/** Decodes a value that is valid by its schema into a struct and encodes it again. */
export function rewrite<T>(struct: Shape<T>, value: unknown): T {
  return encode(struct, objectOf(value)) as T;
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function encode({ fields }: Shape, source: JsonObject): JsonObject {
  const out: Record<string, Json> = {};
  for (const [key, field] of fields) {
    const given = source[key];
    const member = given === undefined || given === null ? field.absent?.() : field.write(given);
    if (member !== undefined) out[key] = member;
  }
  return out;
}

/** Sorts fields in the order of a struct; undefined ones are omitted. */
export function sortFields<T extends object>({ fields }: Shape, members: T): T {
  const out: Partial<T> = {};
  for (const [name] of fields) {
    const key = name as keyof T;
    if (members[key] !== undefined) out[key] = members[key];
  }
  return out as T;
}

const isZero = (value: Json): boolean => value === '' || value === 0 || value === false;
const nonEmpty = <T extends Json>(value: T): T | undefined => (Object.keys(value as object).length === 0 ? undefined : value);

/** A scalar with `omitempty`: its zero value is omitted. */
export const plain: Field = { write: (value) => (isZero(value) ? undefined : value) };

/**
 * A string with `omitempty` and a default in the CRD schema. An empty value is rendered as the default: the operator updates the resource to add its
 * finalizer before it renders, which omits the empty value, and the API server sets the default.
 */
export const defaulted = (schemaDefault: string): Field => ({
  schemaDefault,
  write: (value) => (isZero(value) ? schemaDefault : value),
});

/** A pointer to a scalar with `omitempty`: zero values are written. */
export const optional: Field = { write: (value) => value };

/** A pointer to a scalar without `omitempty`: null when absent. */
export const nullable: Field = { write: (value) => value, absent: () => null };

/** A string without `omitempty`: always written. */
export const string: Field = { write: (value) => value, absent: () => '' };

/** A number or port without `omitempty`: always written. */
export const number: Field = { write: (value) => value, absent: () => 0 };

/** A pointer to a quantity with `omitempty`. */
export const quantity: Field = { write: canonical };

/** A quantity that is not a pointer: always written. */
export const plainQuantity: Field = { write: canonical, absent: () => '0' };

/** A list of scalars with `omitempty`: an empty list is omitted. */
export const scalars: Field = { write: (value) => (isList(value) && value.length > 0 ? [...value] : undefined) };

/** A list of scalars without `omitempty`: null when absent. */
export const scalarsOrNull: Field = { write: (value) => (isList(value) ? [...value] : null), absent: () => null };

/** A map of strings with `omitempty`: an empty map is omitted. */
export const stringMap: Field = { write: (value) => nonEmpty(mapValues(value, (entry) => entry)) };

/** A map of quantities with `omitempty`: an empty map is omitted. */
export const quantities: Field = { write: (value) => nonEmpty(mapValues(value, canonical)) };

/** A pointer to a struct with `omitempty`: omitted when nil, but an empty struct is written as `{}`. */
export const pointer = (fields: Shape): Field => ({ struct: fields, write: (value) => encode(fields, objectOf(value)) });

/** A struct that is not a pointer: always written. */
export const struct = (fields: Shape): Field => ({
  struct: fields,
  write: (value) => encode(fields, objectOf(value)),
  absent: () => encode(fields, {}),
});

/** A list of structs with `omitempty`: an empty list is omitted. */
export const list = (fields: Shape): Field => ({
  struct: fields,
  write: (value) =>
    Array.isArray(value) && value.length > 0 ? value.map((item: Json) => encode(fields, objectOf(item))) : undefined,
});

/** A list of structs without `omitempty`: null when absent, and an empty list is written. */
export const listOrNull = (fields: Shape): Field => ({
  struct: fields,
  write: (value) => (isList(value) ? value.map((item) => encode(fields, objectOf(item))) : null),
  absent: () => null,
});

function canonical(value: Json): Json {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return value;
  const quantity = canonicalQuantity(String(value));
  return typeof quantity === 'string' ? quantity : value;
}

function mapValues(value: Json, write: (entry: Json) => Json): JsonObject {
  const out: Record<string, Json> = {};
  if (isObject(value)) for (const key of sortedKeys(value)) setKey(out, key, write(value[key] ?? ''));
  return out;
}
