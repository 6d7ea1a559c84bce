/**
 * How the original's typed structs turn a stored resource back into JSON. Reading a resource and writing it again is not a copy: zero values
 * of plain fields vanish, some members appear even when empty, quantities take their canonical form. Hashes depend on all of it.
 */
import { isList, isObject, type Json, type JsonObject, setKey, sortedKeys } from '../../json/index.ts';
import { canonicalQuantity } from './canonical-quantity.ts';

/** Writes one member; `undefined` leaves it out. The value is never null. */
type Write = (value: Json) => Json | undefined;

/** One member of a struct: how a given value is written, and what stands for an absent one. */
export interface Field {
  readonly write: Write;
  readonly absent?: () => Json;
  /** The struct of an object, or of each object of a list. */
  readonly struct?: Shape;
  /** The default of the schema that stands for the zero value. */
  readonly standard?: string;
}

/** The members of a struct, in the order they are written; `T` is what it reads as. */
export interface Shape<T = unknown> {
  readonly fields: readonly (readonly [string, Field])[];
  /** Never there; says what `rewrite` returns. */
  readonly reads?: T;
}

/** A struct from its members. */
export function shape(fields: Readonly<Record<string, Field>>): Shape<never> {
  return { fields: Object.entries(fields) };
}

/** A stored value, which its schema has checked, read into a struct and written again. */
export function rewrite<T>(struct: Shape<T>, value: unknown): T {
  return written(struct, objectOf(value)) as T;
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function written({ fields }: Shape, source: JsonObject): JsonObject {
  const out: Record<string, Json> = {};
  for (const [key, field] of fields) {
    const given = source[key];
    const member = given === undefined || given === null ? field.absent?.() : field.write(given);
    if (member !== undefined) out[key] = member;
  }
  return out;
}

/** Members in the order a struct writes them; those that are undefined are left out. */
export function inOrder<T extends object>({ fields }: Shape, members: T): T {
  const out: Partial<T> = {};
  for (const [name] of fields) {
    const key = name as keyof T;
    if (members[key] !== undefined) out[key] = members[key];
  }
  return out as T;
}

const isZero = (value: Json): boolean => value === '' || value === 0 || value === false;
const nonEmpty = <T extends Json>(value: T): T | undefined => (Object.keys(value as object).length === 0 ? undefined : value);

/** A plain scalar: its zero value counts as absent. */
export const plain: Field = { write: (value) => (isZero(value) ? undefined : value) };

/**
 * A string with a default in the schema. Written empty it is absent, and since the operator writes a resource once (its finalizer) before
 * it renders it, the default is back by then.
 */
export const refilled = (standard: string): Field => ({
  standard,
  write: (value) => (isZero(value) ? standard : value),
});

/** An optional scalar: written as given, also zero. */
export const optional: Field = { write: (value) => value };

/** An optional scalar that is written as null when absent. */
export const nullable: Field = { write: (value) => value, absent: () => null };

/** A string that is always written. */
export const text: Field = { write: (value) => value, absent: () => '' };

/** A number or port that is always written. */
export const number: Field = { write: (value) => value, absent: () => 0 };

/** An amount that may be absent. */
export const quantity: Field = { write: amount };

/** An amount that is always written. */
export const quantityValue: Field = { write: amount, absent: () => '0' };

/** A list of scalars; empty counts as absent. */
export const scalars: Field = { write: (value) => (isList(value) && value.length > 0 ? [...value] : undefined) };

/** A list of scalars without that rule: absent is null. */
export const scalarsOrNull: Field = { write: (value) => (isList(value) ? [...value] : null), absent: () => null };

/** A map of strings; empty counts as absent. */
export const stringMap: Field = { write: (value) => nonEmpty(mapValues(value, (entry) => entry)) };

/** A map of amounts; empty counts as absent. */
export const quantities: Field = { write: (value) => nonEmpty(mapValues(value, amount)) };

/** An object that may be absent; an empty one stays. */
export const pointer = (fields: Shape): Field => ({ struct: fields, write: (value) => written(fields, objectOf(value)) });

/** An object that is always written. */
export const struct = (fields: Shape): Field => ({
  struct: fields,
  write: (value) => written(fields, objectOf(value)),
  absent: () => written(fields, {}),
});

/** A list of objects; empty counts as absent. */
export const list = (fields: Shape): Field => ({
  struct: fields,
  write: (value) =>
    Array.isArray(value) && value.length > 0 ? value.map((item: Json) => written(fields, objectOf(item))) : undefined,
});

/** A list of objects without that rule: absent is null, empty stays empty. */
export const listOrNull = (fields: Shape): Field => ({
  struct: fields,
  write: (value) => (isList(value) ? value.map((item) => written(fields, objectOf(item))) : null),
  absent: () => null,
});

function amount(value: Json): Json {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return value;
  const canonical = canonicalQuantity(String(value));
  return typeof canonical === 'string' ? canonical : value;
}

function mapValues(value: Json, write: (entry: Json) => Json): JsonObject {
  const out: Record<string, Json> = {};
  if (isObject(value)) for (const key of sortedKeys(value)) setKey(out, key, write(value[key] ?? ''));
  return out;
}
