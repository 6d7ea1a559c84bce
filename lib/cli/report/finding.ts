import type { LocatedFinding } from '../../check/index.ts';

/** One thing to tell about a manifest, ready to be printed in any format. */
export type Finding = Omit<LocatedFinding, 'stage'>;

/** A run's findings and what was looked at. */
export interface Report {
  readonly findings: readonly Finding[];
  /** How many objects were checked. */
  readonly objects: number;
  /** How many objects of other kinds were passed by. */
  readonly passedBy: number;
  readonly files: number;
}

/** Findings in the order of files, lines and columns; those of one place keep theirs. */
export function sortFindings(findings: readonly Finding[], files: readonly string[]): readonly Finding[] {
  const rank = new Map(files.map((file, index) => [file, index]));
  const place = (finding: Finding): number => rank.get(finding.file) ?? -1;
  return findings.toSorted((a, b) => place(a) - place(b) || a.line - b.line || a.column - b.column);
}

/** Counts in words: `1 error`, `2 warnings`. */
export function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}
