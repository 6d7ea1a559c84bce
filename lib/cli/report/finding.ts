/** One thing to tell about a manifest, ready to be printed in any format. */
export interface Finding {
  /** The file as the user named it. */
  readonly file: string;
  /** Counted from 1; 0 where the finding is about the whole file. */
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning';
  /** Stable name of the rule or of the kind of problem. */
  readonly id: string;
  /** The field, as in `spec.services.Worker.replicas`; empty where there is none. */
  readonly path: string;
  readonly message: string;
  /** The object concerned, if there is one. */
  readonly object?: { readonly kind: string; readonly namespace: string; readonly name: string };
  /** What a rule is about, for formats that list rules. */
  readonly ruleDescription?: string;
}

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
