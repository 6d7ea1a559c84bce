import type { Path } from '../api/path.ts';

/** Why something cannot be rendered. The path is relative to the component. */
export interface Problem {
  readonly code: string;
  readonly path: Path;
  /** The original's leaf text. */
  readonly message: string;
  /** What the original writes in front of the leaf, up to the function that renders the component. */
  readonly prefix?: string;
}

/** A rendered value, or every reason why there is none. */
export type Outcome<T> = { readonly value: T } | { readonly problems: readonly Problem[] };

/** A single reason. */
export function problem(code: string, path: Path, message: string, prefix = ''): { readonly problems: readonly Problem[] } {
  return { problems: [{ code, path, message, prefix }] };
}
