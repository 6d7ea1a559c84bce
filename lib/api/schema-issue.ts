import type { Issue } from './issue.ts';
import { formatPath, type Json, type Path } from '../json/index.ts';

/** Why the API server rejects a field, as in `status.details.causes[].reason` of its answer. */
export type CauseReason =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueTypeInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueDuplicate';

/** One entry of `status.details.causes` in the API server's answer. */
export interface Cause {
  /** The field as the API server writes it; duplicates have map keys in brackets, `spec.services[decode].envs[1]`. */
  readonly field: string;
  readonly reason: CauseReason;
}

/** A problem for which the API server rejects an object. */
export interface SchemaIssue extends Issue {
  /** The causes that the API server reports; empty if it cannot decode the object and answers 400. */
  readonly causes: readonly Cause[];
}

/** An issue with one cause, at the field that the path names. */
export function schemaIssue(path: Path, code: string, reason: CauseReason, message: string): SchemaIssue {
  return { path, code, message, causes: [{ field: formatPath(path), reason }] };
}

/** An issue that prevents the API server from decoding the object. */
export function decodeIssue(path: Path, message: string): SchemaIssue {
  return { path, code: 'type', message, causes: [] };
}

/** Formats a value for a message: short, on one line. */
export function shown(value: Json | undefined): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  if (typeof value !== 'string') return `${value}`;
  const json = JSON.stringify(value);
  return json.length <= 80 ? json : `${json.slice(0, 77)}..."`;
}
