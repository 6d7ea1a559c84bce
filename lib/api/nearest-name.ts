/** Edits that turn one text into another: insert, delete, replace, or swap neighbours. Stops counting above `most`. */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
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
  return row[b.length] ?? most + 1;
}

/** The known name that a mistyped one most likely meant, if any is near enough. */
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

/** The question that an error about an unknown name ends with, if a known name is near enough. */
export function didYouMean(name: string, known: Iterable<string>): string | undefined {
  const near = nearestName(name, known);
  return near === undefined ? undefined : `did you mean ${near}`;
}

/**
 * Whether a name of several words is another one with a single slip: one letter more, less, other or swapped in one word of four letters or more.
 * Names that count (`cache-1`) or tell short parts apart (`team-a`) are different names.
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
