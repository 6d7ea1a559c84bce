/** Quotes a word for a POSIX shell, only where it must. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Joins words into a command line for a POSIX shell. */
export function shellJoin(words: readonly string[]): string {
  return words.map(shellQuote).join(' ');
}
