/**
 * Characters that a terminal, a log or an editor acts on instead of showing them: the control characters C0, DEL and C1, the separators of lines and
 * paragraphs, the marks that change the direction of text (Unicode TR 36, section 2.8), and the byte order mark. The only home of that rule.
 */
const controls = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const controlsInLines = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const names: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escape(character: string): string {
  return names[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A text that is shown as one line: control characters as JSON and YAML escape them. */
export function printable(text: string): string {
  return text.replace(controls, escape);
}

/** As `printable`, for a text of several lines: line feeds and tabs stay. */
export function printableLines(text: string): string {
  return text.replace(controlsInLines, escape);
}
