/** Quotes an argument for a POSIX shell if necessary. */
export function shellQuote(arg: string): string {
  return /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`;
}

/** Joins arguments into a command line for a POSIX shell. */
export function shellJoin(args: readonly string[]): string {
  return args.map(shellQuote).join(' ');
}
