/** What the API server will refuse of what the renderer makes: its own validation for the fields that can be reached, pure. */
export { checkObject, predictRejections, type Rejection } from './predict-rejections.ts';
export type { FieldError } from './field-errors.ts';
