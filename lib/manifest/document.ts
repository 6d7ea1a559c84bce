import type { Json, Path } from '../json/index.ts';

/** A place in a source text, counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** What can be wrong with a text before anything is known about its meaning. */
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

/** One problem of a text (line 0 where it is about the whole file): `error` where kubectl cannot read it either, `warning` where kubectl reads it, but probably not as the author meant. */
export interface SourceIssue extends Position {
  readonly file: string;
  readonly code: SourceIssueCode;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** One object of a manifest as kubectl reads it, with the way back to its source. */
export interface ManifestDocument {
  readonly file: string;
  readonly value: Json;
  /** Where the value at a path is written, or its nearest ancestor that is. */
  position(path: Path): Position;
}

/** A text read into documents, with everything that was wrong with it. */
export interface Manifests {
  readonly documents: readonly ManifestDocument[];
  readonly issues: readonly SourceIssue[];
}

/** Bounds that no real manifest reaches; they keep hostile input from taking time and memory. */
interface Limits {
  /** Characters of a YAML text. */
  readonly yamlSize: number;
  /** Characters of a JSON text. */
  readonly jsonSize: number;
  /** Maps and lists inside each other. */
  readonly depth: number;
  /** Problems reported for one file. */
  readonly issues: number;
}

/** The bounds in force. */
export const limits: Limits = { yamlSize: 16 << 20, jsonSize: 64 << 20, depth: 1000, issues: 1000 };

/** Tells a reader's problem by its offset; the caller knows file and lines. */
export type Report = (offset: number, code: SourceIssueCode, severity: SourceIssue['severity'], message: string) => void;

/** One value read from a text: its data, and the offset at which a path is written. */
export interface ReadValue {
  readonly value: Json;
  readonly offset: (path: Path) => number;
}
