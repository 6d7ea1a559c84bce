/** Edit distance: insertions, deletions, replacements and swaps of neighbours. Returns `limit + 1` if the lengths differ by more than `limit`. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      next.push(cost);
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? limit + 1;
}

/** The known name that a misspelled one most likely means, if one is similar enough. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > 100) return undefined;
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let least = Math.min(3, Math.max(1, Math.floor(name.length / 3))) + 1;
  for (const candidate of known) {
    const edits = distance(wanted, candidate.toLowerCase(), least - 1);
    if (edits < least) [best, least] = [candidate, edits];
  }
  return best;
}

/** The suggestion at the end of an error about an unknown name, if a known name is similar enough. */
export function didYouMean(name: string, known: Iterable<string>): string | undefined {
  const near = nearestName(name, known);
  return near === undefined ? undefined : `did you mean ${near}`;
}

/**
 * Whether two names differ by one typing error: a character added, omitted, replaced or swapped in one word of at least four characters. Names that
 * differ in digits (`cache-1`) or in a shorter word (`team-a`) are distinct.
 */
export function isMisspelling(name: string, other: string): boolean {
  const [words, others] = [name.split(/[-._]/), other.split(/[-._]/)];
  if (words.length !== others.length || name.length > 253) return false;
  const pairs = words.map((word, i) => [word, others[i] ?? ''] as const).filter(([a, b]) => a !== b);
  const [[a, b] = ['', '']] = pairs;
  const withoutDigits = (word: string): string => word.replaceAll(/\d/g, '');
  return (
    pairs.length === 1 && Math.min(a.length, b.length) >= 4 && withoutDigits(a) !== withoutDigits(b) && distance(a, b, 1) === 1
  );
}
