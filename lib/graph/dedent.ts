/**
 * A text of several lines, written with the indentation of the code around it: a tag of template literals. The line of the closing backtick says
 * where the code is indented to; the lines of the text are two deeper, and everything but an escaped backtick or `${` is taken as it stands.
 */
export function dedent(strings: TemplateStringsArray): string {
  const raw = (strings.raw[0] ?? '').replaceAll('\\`', '`').replaceAll('\\${', '${');
  const lines = raw.split('\n').slice(1);
  const margin = (lines.pop() ?? '').length + 2;
  return lines.map((line) => `${line.slice(margin)}\n`).join('');
}

/** Whether a text can be written with `dedent`: it ends with a line break and holds nothing that the tag would change. */
export function canDedent(text: string): boolean {
  if (!text.endsWith('\n') || text.includes('\r') || text.includes('\\`') || text.includes('\\${')) return false;
  // What a reader cannot see is better spelled out, and a line of blanks would lose them.
  return !/[^\t\n\x20-\x7e\u00a1-\ud7ff]/.test(text) && !/^[ \t]+$/m.test(text) && !text.includes('\t');
}
