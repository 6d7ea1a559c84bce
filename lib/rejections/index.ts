/** Predicts what the API server rejects: its validation of built-in kinds, for the kinds and fields that this package renders. Pure. */
export { checkObject, refusedFields } from './check-object.ts';
export type { FieldError } from './field-errors.ts';
