import type { Path } from '../json/index.ts';
import type { RenderIssue } from './result.ts';

/** Why something cannot be rendered. The path is relative to the component. */
export interface Problem {
  readonly code: string;
  readonly path: Path;
  /** The original's innermost error text. */
  readonly message: string;
  /** What the original writes in front of it, up to the function that renders the component. */
  readonly prefix?: string;
  /** What the user should know besides: the value found, what to change. Follows the message. */
  readonly advice?: string;
}

/** A rendered value, or every reason why there is none. */
export type Outcome<T> = { readonly value: T } | { readonly problems: readonly Problem[] };

/** A single reason. */
export function problem(code: string, path: Path, message: string, advice = ''): { readonly problems: readonly Problem[] } {
  return { problems: [{ code, path, message, advice }] };
}

/** A reason as an issue of the resource that holds the component at `base`; `step` is what the original was doing. */
export function toIssue(base: Path, { code, path, message, prefix = '', advice = '' }: Problem, step: string): RenderIssue {
  return { path: [...base, ...path], code, message: `${message}${advice}`, chain: `${step}${prefix}${message}` };
}
