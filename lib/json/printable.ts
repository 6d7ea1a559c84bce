/**
 * Characters that a terminal, log viewer or editor interprets instead of displaying: C0 and C1 control characters, DEL, line and paragraph
 * separators, bidirectional controls ("Bidirectional Text Spoofing", https://www.unicode.org/reports/tr36/), and the byte order mark.
 */
const controls = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const controlsInLines = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escape(character: string): string {
  return shortEscapes[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Escapes control characters as JSON and YAML do, for a string shown on one line. */
export function printable(value: string): string {
  return value.replace(controls, escape);
}

/** As `printable`, for a string of several lines: keeps line feeds and tabs. */
export function printableLines(value: string): string {
  return value.replace(controlsInLines, escape);
}
