import type { Path } from '../json/index.ts';
import type { RenderIssue } from './result.ts';

/** A reason why a component cannot be rendered. The path is relative to the component. */
export interface Problem {
  readonly code: string;
  readonly path: Path;
  /** The innermost error message of the original operator. */
  readonly message: string;
  /** The part of the original operator's error chain between `step` and the message. */
  readonly prefix?: string;
  /** The value found and what to change; appended to the message for users. */
  readonly advice?: string;
}

/** A rendered value, or all reasons why it cannot be rendered. */
export type Outcome<T> = { readonly value: T } | { readonly problems: readonly Problem[] };

/** An outcome with a single problem. */
export function problem(code: string, path: Path, message: string, advice = ''): { readonly problems: readonly Problem[] } {
  return { problems: [{ code, path, message, advice }] };
}

/** Converts a problem of the component at `base` to an issue of its resource; `step` starts the error chain of the original operator. */
export function toIssue(base: Path, { code, path, message, prefix = '', advice = '' }: Problem, step: string): RenderIssue {
  return { path: [...base, ...path], code, message: `${message}${advice}`, chain: `${step}${prefix}${message}` };
}
