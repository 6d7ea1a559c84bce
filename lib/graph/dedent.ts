/**
 * Template tag for a string of several lines that is indented like the code around it. Removes the indentation: that of the closing backtick and two
 * columns more. Of escape sequences, only those of a backtick and of `${` are replaced.
 */
export function dedent(strings: TemplateStringsArray): string {
  const raw = (strings.raw[0] ?? '').replaceAll('\\`', '`').replaceAll('\\${', '${');
  const lines = raw.split('\n').slice(1);
  const margin = (lines.pop() ?? '').length + 2;
  return lines.map((line) => `${line.slice(margin)}\n`).join('');
}

/** Whether `dedent` can express a string: it ends with a line break and contains nothing that the tag would change. */
export function canDedent(value: string): boolean {
  if (!value.endsWith('\n') || value.includes('\\`') || value.includes('\\${')) return false;
  // Invisible characters are more readable as escapes, and trailing spaces of a blank line would be lost.
  return !/[^\n\x20-\x7e\u00a1-\ud7ff]/.test(value) && !/^ +$/m.test(value);
}
