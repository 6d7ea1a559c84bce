/** The number of values of a flag: none, one, one or more, or at most one. */
type Arity = 'none' | 'one' | 'many' | 'optional';

/** The flags of a program. */
export interface FlagTable {
  readonly program: string;
  readonly flags: ReadonlyMap<string, Arity>;
  /** Whether `--no-x` negates `--x`. */
  readonly negatable: boolean;
  /** Whether `_` and `-` are interchangeable in the name of a flag. */
  readonly underscores: boolean;
}

/** Builds a table from lists of flag names, written without their dashes. */
export function defineFlags(
  program: string,
  lists: {
    readonly none?: string;
    readonly one?: string;
    readonly many?: string;
    readonly optional?: string;
    readonly aliases?: Readonly<Record<string, Arity>>;
  },
  options: { readonly negatable?: boolean; readonly underscores?: boolean } = {},
): FlagTable {
  const flags = new Map<string, Arity>(Object.entries(lists.aliases ?? {}));
  for (const arity of ['none', 'one', 'many', 'optional'] as const)
    for (const name of (lists[arity] ?? '').split(/\s+/).filter((n) => n !== '')) flags.set(`--${name}`, arity);
  return { program, flags, negatable: options.negatable ?? false, underscores: options.underscores ?? false };
}

/** The arity of a flag; undefined when the program does not have it. */
export function arityOf(table: FlagTable, flag: string): Arity | undefined {
  const name = table.underscores ? flag.replaceAll('_', '-') : flag;
  const known = table.flags.get(name);
  if (known !== undefined || !table.negatable || !name.startsWith('--no-')) return known;
  return table.flags.has(`--${name.slice(5)}`) ? 'none' : undefined;
}

/** Edit distance, or `limit` if it is that or more. */
function distance(a: string, b: string, limit: number): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)));
    if (next.every((cost) => cost >= limit)) return limit;
    row = next;
  }
  return Math.min(row[b.length] ?? 0, limit);
}

/** The known flag with the smallest edit distance to an unknown one, if the distance suggests a misspelling. */
export function nearestFlag(table: FlagTable, flag: string): string | undefined {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(flag.length / 5)) + 1;
  for (const known of table.flags.keys()) {
    const d = Math.abs(known.length - flag.length) < least ? distance(flag, known, least) : least;
    if (d < least) [best, least] = [known, d];
  }
  return best;
}
