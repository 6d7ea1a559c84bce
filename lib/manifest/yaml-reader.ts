import type { ReadValue, ReportIssue } from './document.ts';
import { Converter } from './yaml-convert.ts';
import { parseDocument } from './yaml-document.ts';
import { YamlError } from './yaml-error.ts';
import { OffsetFinder } from './yaml-offset.ts';

/** Characters that YAML does not allow (`c-printable` in YAML 1.1). */
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/g;
/** Whitespace as in Go's `unicode.IsSpace` (with U+0085, without U+FEFF), then a comment or nothing. */
const separatorEnd = /^(?:[^\S\ufeff]|\u0085)*(?:#|$)/;
const separator = /---([^\n]*)/g;

/** Reads the documents of a YAML file from an offset on, as kubectl does; a document that cannot be read is reported and skipped. */
export function readYaml(content: string, from: number, report: ReportIssue): readonly ReadValue[] {
  const text = endLine(content);
  forbidden.lastIndex = from;
  const control = forbidden.exec(text);
  if (control) {
    const code = text.charCodeAt(control.index).toString(16).padStart(4, '0');
    report(control.index, 'syntax', 'error', `the control character U+${code.toUpperCase()} is not allowed`);
    return [];
  }
  const values: ReadValue[] = [];
  for (const { start, end } of chunks(text, from, report)) {
    const read = readDocument(text, start, end, report);
    if (read) values.push(read);
  }
  return values;
}

/**
 * Adds the line end that kubectl's line reader gives to the last line. It strips a carriage return before every line feed of the file but keeps one
 * at the end of the file, so a second one is added for `YamlSource` to strip.
 */
function endLine(text: string): string {
  if (text.endsWith('\n')) return text;
  return text.endsWith('\r') ? `${text}\r\n` : `${text}\n`;
}

interface Chunk {
  readonly start: number;
  readonly end: number;
}

/** kubectl splits a file at lines that begin with `---` before it parses any document. */
function* chunks(text: string, from: number, report: ReportIssue): Generator<Chunk> {
  let start = from;
  separator.lastIndex = from;
  for (const { index, 0: line, 1: rest = '' } of text.matchAll(separator)) {
    if (index > from && text[index - 1] !== '\n') continue;
    if (!separatorEnd.test(rest)) {
      if (index > start) yield { start, end: index };
      report(index, 'syntax', 'error', 'kubectl accepts only a comment after "---" on the same line');
      return;
    }
    // The parser reads a separator at the start of a document.
    if (index === start) continue;
    yield { start, end: index };
    start = Math.min(index + line.length + 1, text.length);
  }
  if (start < text.length) yield { start, end: text.length };
}

function readDocument(text: string, start: number, end: number, report: ReportIssue): ReadValue | undefined {
  try {
    const { root, rest } = parseDocument(text, start, end);
    if (rest !== undefined)
      report(rest, 'syntax', 'warning', 'kubectl ignores the content from here on; start the next document with "---"');
    if (!root) return undefined;
    const converter = new Converter(report);
    const value = converter.convert(root);
    if (value === undefined) return undefined;
    const finder = new OffsetFinder(root, converter.anchors);
    return { value, offset: (path) => finder.find(path) };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    report(error.offset, error.code, 'error', error.message);
    return undefined;
  }
}
