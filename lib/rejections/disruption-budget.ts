import { type Json, type JsonObject, objectAt } from '../json/index.ts';
import type { FieldErrors } from './field-errors.ts';
import { checkLabelSelector } from './metadata.ts';

/** Checks a PodDisruptionBudget's spec. */
export function checkDisruptionBudget(object: JsonObject, errors: FieldErrors): void {
  const spec = objectAt(object, 'spec');
  const { minAvailable, maxUnavailable } = spec;
  if (minAvailable !== undefined && maxUnavailable !== undefined)
    errors.invalid(['spec'], spec, 'minAvailable and maxUnavailable cannot be both set');
  for (const key of ['minAvailable', 'maxUnavailable']) {
    const reason = countError(spec[key]);
    if (reason !== undefined) errors.invalid(['spec', key], spec[key], reason);
  }
  checkLabelSelector(spec['selector'], ['spec', 'selector'], errors);
}

function countError(value: Json | undefined): string | undefined {
  if (typeof value === 'string') {
    if (!/^[0-9]+%$/.test(value)) return "must be a number, or a percentage such as '50%'";
    return Number(value.slice(0, -1)) > 100 ? 'must not be greater than 100%' : undefined;
  }
  return typeof value === 'number' && value < 0 ? 'must be greater than or equal to 0' : undefined;
}
