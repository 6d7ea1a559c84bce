import { showValue } from '../manifest/index.ts';
import { byteOrder, type Json, type Path } from '../json/index.ts';

/** The error types of `field.Error` in k8s.io/apimachinery, and the prefix of their messages. */
const prefixes = {
  required: 'Required value',
  invalid: 'Invalid value',
  duplicate: 'Duplicate value',
  unsupported: 'Unsupported value',
  forbidden: 'Forbidden',
  notFound: 'Not found',
  tooLong: 'Too long',
  tooMany: 'Too many',
} as const;

type FieldErrorType = keyof typeof prefixes;

/** One error that the API server reports about a field of an object. */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: Path;
  /** The message of the API server, without the field path. */
  readonly message: string;
}

/** Collects the errors of one object. */
export class FieldErrors {
  readonly errors: FieldError[] = [];

  required(field: Path, detail = ''): void {
    this.#add('required', field, detail);
  }
  forbidden(field: Path, detail: string): void {
    this.#add('forbidden', field, detail);
  }
  invalid(field: Path, value: Json | undefined, detail: string): void {
    this.#add('invalid', field, detail, value);
  }
  duplicate(field: Path, value: Json | undefined): void {
    this.#add('duplicate', field, '', value);
  }
  notFound(field: Path, value: Json | undefined): void {
    this.#add('notFound', field, '', value);
  }
  tooLong(field: Path, limit: number): void {
    this.#add('tooLong', field, `may not be more than ${limit} bytes`);
  }
  unsupported(field: Path, value: Json | undefined, allowed: readonly string[]): void {
    this.#add(
      'unsupported',
      field,
      `supported values: ${allowed
        .toSorted(byteOrder)
        .map((v) => JSON.stringify(v))
        .join(', ')}`,
      value,
    );
  }
  /** Adds one invalid-value error for each reason. */
  each(reasons: readonly string[], field: Path, value: Json | undefined): void {
    for (const reason of reasons) this.invalid(field, value, reason);
  }

  #add(type: FieldErrorType, field: Path, detail: string, value?: Json): void {
    const shown = value === undefined ? '' : `: ${typeof value === 'bigint' ? showValue(value) : JSON.stringify(value)}`;
    this.errors.push({ type, field, message: `${prefixes[type]}${shown}${detail === '' ? '' : `: ${detail}`}` });
  }
}
