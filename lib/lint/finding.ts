import type { Json, Path } from '../json/index.ts';

/** The severity of a finding: an error prevents a deployment from working, a warning deserves a review. */
export type Severity = 'error' | 'warning';

/** One change of a manifest at a field path. */
export type Edit =
  | { readonly op: 'set'; readonly path: Path; readonly value: Json }
  | { readonly op: 'remove'; readonly path: Path }
  | { readonly op: 'rename'; readonly path: Path; readonly to: string };

/** A change that `lint --fix` can make without asking the user. */
export interface Fix {
  readonly description: string;
  readonly edits: readonly Edit[];
}

/** One problem that lint reports in a manifest. */
export interface Finding {
  readonly id: string;
  readonly severity: Severity;
  readonly path: Path;
  /** The problem, the value found, the values allowed and the change to make. It does not repeat the path. */
  readonly message: string;
  readonly fix?: Fix;
}

/** What a rule reports at one field path. `lintResource` adds the id and composes the message. */
export interface Draft {
  readonly path: Path;
  /** The problem, such as `must be a multiple of the GPUs per node`. */
  readonly problem: string;
  /** The value found. */
  readonly found?: string;
  /** The values allowed, unless the problem states them. */
  readonly allowed?: string;
  /** The change to make, such as `set replicas to 1`. */
  readonly change: string;
  /** Overrides the severity of the rule in this case. */
  readonly severity?: Severity;
  readonly fix?: Fix;
}

/** Composes the message of a draft. */
export function draftMessage(draft: Draft): string {
  const found = draft.found === undefined ? '' : `, got ${draft.found}`;
  const allowed = draft.allowed === undefined ? '' : `; allowed: ${draft.allowed}`;
  return `${draft.problem}${found}${allowed}; ${draft.change}`;
}

/** Quotes a value for a message. */
export function quote(value: string): string {
  return JSON.stringify(value);
}
