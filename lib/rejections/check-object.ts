import { kindOf } from '../api/index.ts';
import type { JsonObject } from '../json/index.ts';
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

/** What the API server refuses of a plain object: what it cannot read, else what it finds wrong. */
export function refusedFields(object: JsonObject): readonly FieldError[] {
  const unreadable = decodeObject(object);
  return unreadable.length > 0 ? unreadable : checkObject(object);
}
