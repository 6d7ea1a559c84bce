import type { Json, Path } from '../json/index.ts';

/** How much a finding matters: an error stops a deployment from working, a warning deserves a look. */
export type Severity = 'error' | 'warning';

/** One change to a manifest, by path. */
export type Edit =
  | { readonly op: 'set'; readonly path: Path; readonly value: Json }
  | { readonly op: 'remove'; readonly path: Path }
  | { readonly op: 'rename'; readonly path: Path; readonly to: string };

/** A repair that is safe to make without asking: what it does and how. */
export interface Fix {
  readonly description: string;
  readonly edits: readonly Edit[];
}

/** One fact about a user's manifest worth telling: which rule, where, what to change. */
export interface Finding {
  readonly id: string;
  readonly severity: Severity;
  readonly path: Path;
  /** What is wrong, the value found, what is allowed, what to change. No path in it. */
  readonly message: string;
  readonly fix?: Fix;
}

/** What a rule says about one place; the engine adds the id and words the message. */
export interface Draft {
  readonly path: Path;
  /** What is wrong, as in `must be a multiple of the GPUs per node`. */
  readonly problem: string;
  /** The value found. */
  readonly found?: string;
  /** The values allowed, where the problem does not say them. */
  readonly allowed?: string;
  /** What to change, as in `set replicas to 1`. */
  readonly change: string;
  /** Given where one case of a rule weighs less than the rule itself. */
  readonly severity?: Severity;
  readonly fix?: Fix;
}

/** Words a draft the same way for every rule. */
export function wordDraft(draft: Draft): string {
  const found = draft.found === undefined ? '' : `, got ${draft.found}`;
  const allowed = draft.allowed === undefined ? '' : `; allowed: ${draft.allowed}`;
  return `${draft.problem}${found}${allowed}; ${draft.change}`;
}

/** Quotes a value for a message. */
export function quote(value: string): string {
  return JSON.stringify(value);
}
