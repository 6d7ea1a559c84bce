import type { Issue } from '../api/index.ts';
import type { PartResult } from './part.ts';

/** The result of checking the values of a part. */
export interface CheckedPart {
  readonly issues: readonly Issue[];
  readonly warnings: readonly Issue[];
  /** Whether nothing can be rendered from the values. */
  readonly isUnrenderable: boolean;
}

/** Renders a part after its checks. With issues the result has no objects, but drafts of them, in which further issues are looked for. */
export function renderChecked({ issues, warnings, isUnrenderable }: CheckedPart, render: () => PartResult): PartResult {
  if (isUnrenderable) return { objects: [], issues, warnings };
  const { objects, ...found } = render();
  const all = { issues: [...issues, ...found.issues], warnings: [...warnings, ...found.warnings] };
  return issues.length > 0 ? { objects: [], drafts: objects, ...all } : { objects, ...all };
}
