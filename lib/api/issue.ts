import type { Path } from '../json/index.ts';

/** One problem in a user's input: where, which kind of problem, and what to do about it. */
export interface Issue {
  readonly path: Path;
  /** Stable name of the problem, such as `required` or `unknown_field`. */
  readonly code: string;
  /** For the person who wrote the manifest: what is wrong, the value found, what is allowed. No path in it. */
  readonly message: string;
}
