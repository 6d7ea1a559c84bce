import { kindOf } from '../api/index.ts';
import { isWithin, type JsonObject, type Path, withoutPaths } from '../json/index.ts';
import { decodeObject } from './decode-object.ts';
import { FieldErrors, type FieldError } from './field-errors.ts';
import { kindChecks } from './kinds.ts';
import { checkMetadata } from './metadata.ts';
import { checkDnsSubdomain } from './names.ts';

/** The validation errors that the API server returns for an object that it can decode; empty when it accepts the object. */
export function checkObject(object: JsonObject): readonly FieldError[] {
  const errors = new FieldErrors();
  const checks = kindChecks[kindOf(object)];
  checkMetadata(object, checks?.name ?? checkDnsSubdomain, errors);
  checks?.check?.(object, errors);
  return errors.errors;
}

/** All errors that the API server returns for an object: decoding errors, and the validation errors that follow once those are fixed. */
export function refusedFields(object: JsonObject): readonly FieldError[] {
  const undecodable = decodeObject(object);
  if (undecodable.length === 0) return checkObject(object);
  const removed = undecodable.map(({ field }) => removablePath(field));
  const decodable = withoutPaths(object, removed);
  const errors = checkObject(decodable).filter(({ field }) => !removed.some((path) => isWithin(field, path)));
  return [...undecodable, ...errors];
}

/** The path to remove for an undecodable field. For a list item it is the whole list, so that the other items keep their index. */
function removablePath(field: Path): Path {
  return typeof field.at(-1) === 'number' ? field.slice(0, -1) : field;
}
