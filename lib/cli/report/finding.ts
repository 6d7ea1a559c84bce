import type { LocatedFinding } from '../../check/index.ts';

/** A finding about a manifest, ready to print in any format. */
export type Finding = Omit<LocatedFinding, 'stage'>;

/** The findings of a run, and how many objects and files were checked. */
export interface Report {
  readonly findings: readonly Finding[];
  /** How many objects were checked. */
  readonly objects: number;
  /** How many objects of other kinds were skipped. */
  readonly passedBy: number;
  readonly files: number;
}

/** Sorts findings by file, line and column; findings of one position keep their order. */
export function sortFindings(findings: readonly Finding[], files: readonly string[]): readonly Finding[] {
  const rank = new Map(files.map((file, index) => [file, index]));
  const rankOf = (finding: Finding): number => rank.get(finding.file) ?? -1;
  return findings.toSorted((a, b) => rankOf(a) - rankOf(b) || a.line - b.line || a.column - b.column);
}

/** A number with its noun: `1 error`, `2 warnings`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
