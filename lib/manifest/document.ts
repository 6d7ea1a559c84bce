import type { Json, Path } from '../json/index.ts';

/** A position in a file, counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Problems of a file that are found before its objects are interpreted. */
export type SourceIssueCode =
  | 'unreadable'
  | 'empty'
  | 'not_a_list'
  | 'syntax'
  | 'encoding'
  | 'too_large'
  | 'too_deep'
  | 'too_many_aliases'
  | 'duplicate_key'
  | 'invalid_key'
  | 'invalid_value'
  | 'number_too_large'
  | 'template';

/**
 * One problem of a file; line 0 if it concerns the whole file. An `error` is something that kubectl cannot read either, a `warning` something
 * that kubectl reads, but probably not as the author meant.
 */
export interface SourceIssue extends Position {
  readonly file: string;
  readonly code: SourceIssueCode;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** One object of a manifest as kubectl reads it, with its positions in the file. */
export interface ManifestDocument {
  readonly file: string;
  readonly value: Json;
  /** The position of the value at a path, or of its nearest ancestor that exists. */
  position(path: Path): Position;
}

/** The documents of a file and all problems found in it. */
export interface Manifests {
  readonly documents: readonly ManifestDocument[];
  readonly issues: readonly SourceIssue[];
}

/** Limits that no real manifest reaches; they bound time and memory for hostile input. */
interface Limits {
  /** Characters in a YAML file. */
  readonly yamlSize: number;
  /** Characters in a JSON file. */
  readonly jsonSize: number;
  /** Nesting of maps and lists. */
  readonly depth: number;
  /** Problems reported per file. */
  readonly issues: number;
}

/** The limits in force. */
export const limits: Limits = { yamlSize: 16 << 20, jsonSize: 64 << 20, depth: 1000, issues: 1000 };

/** Reports a problem at an offset; the callee adds file and line. */
export type ReportIssue = (offset: number, code: SourceIssueCode, severity: SourceIssue['severity'], message: string) => void;

/** One value of a file, and a function that returns the offset of a path in it. */
export interface ReadValue {
  readonly value: Json;
  readonly offset: (path: Path) => number;
}
