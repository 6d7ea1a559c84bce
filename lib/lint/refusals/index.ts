/** What the API server will refuse of what the renderer makes: its own validation for the fields that can be reached, pure. */
export { checkObject, foretellRefusals, type Refusal } from './refusals.ts';
export type { FieldError, FieldErrorType } from './field-errors.ts';
