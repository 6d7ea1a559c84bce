import type { Issue } from '../api/index.ts';
import type { PartResult } from './part.ts';

/** What the checks of a part find in its values. */
export interface CheckedPart {
  readonly issues: readonly Issue[];
  readonly warnings: readonly Issue[];
  /** Whether the values leave nothing to render from. */
  readonly isHopeless: boolean;
}

/** What a part comes to after its checks. With issues it has no objects, but drafts of them, in which more may be wrong. */
export function renderChecked({ issues, warnings, isHopeless }: CheckedPart, render: () => PartResult): PartResult {
  if (isHopeless) return { objects: [], issues, warnings };
  const { objects, ...found } = render();
  const all = { issues: [...issues, ...found.issues], warnings: [...warnings, ...found.warnings] };
  return issues.length > 0 ? { objects: [], drafts: objects, ...all } : { objects, ...all };
}
