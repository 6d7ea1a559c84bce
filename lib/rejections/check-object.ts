import { kindOf } from '../api/index.ts';
import { isList, isObject, isWithin, type Json, type JsonObject, objectAt, type Path } from '../json/index.ts';
import { decodeObject } from './decode-object.ts';
import { FieldErrors, type FieldError } from './field-errors.ts';
import { kindChecks } from './kinds.ts';
import { checkMetadata } from './metadata.ts';
import { checkDnsSubdomain } from './names.ts';

/** What the API server will say against a plain object; nothing when it accepts it. */
export function checkObject(object: JsonObject): readonly FieldError[] {
  const errors = new FieldErrors();
  const checks = kindChecks[kindOf(object)];
  checkMetadata(object, checks?.name ?? checkDnsSubdomain, errors);
  checks?.check?.(object, errors);
  return errors.errors;
}

/** What the API server refuses of a plain object: what it cannot read, and what it will find wrong with the rest once it can. */
export function refusedFields(object: JsonObject): readonly FieldError[] {
  const unreadable = decodeObject(object);
  if (unreadable.length === 0) return checkObject(object);
  const left = unreadable.map(({ field }) => leftOut(field));
  const rest = checkObject(left.reduce<JsonObject>((kept, field) => objectAt(without(kept, field)), object));
  return [...unreadable, ...rest.filter(({ field }) => !left.some((gone) => isWithin(field, gone)))];
}

/** What to leave out with an unreadable field: of a list that holds an unreadable item the whole, so that no other item moves. */
function leftOut(field: Path): Path {
  return typeof field.at(-1) === 'number' ? field.slice(0, -1) : field;
}

function without(value: Json | undefined, [key, ...rest]: Path): Json | undefined {
  if (isList(value)) return value.map((item, index) => (index === key ? (without(item, rest) ?? null) : item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      if (name !== key) return [[name, inner] as const];
      return rest.length === 0 ? [] : [[name, without(inner, rest)] as const];
    }),
  );
}
