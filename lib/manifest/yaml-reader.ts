import type { ReadValue, Report } from './document.ts';
import { Converter } from './yaml-convert.ts';
import { parseDocument } from './yaml-document.ts';
import { YamlError } from './yaml-error.ts';
import { OffsetFinder } from './yaml-offset.ts';

/** Characters YAML has no place for. */
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/g;
/** Nothing or a comment, after white space as Go has it: with U+0085, without U+FEFF. */
const separatorEnd = /^(?:[^\S\ufeff]|\u0085)*(?:#|$)/;
const separator = /---([^\n]*)/g;

/** Reads the documents of a YAML text from an offset on as kubectl does; a document that cannot be read is reported and left out. */
export function readYaml(given: string, from: number, report: Report): readonly ReadValue[] {
  const text = endLine(given);
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

/** kubectl reads lines, so that the last one always ends; a carriage return there is none of those it takes from line ends. */
function endLine(text: string): string {
  if (text.endsWith('\n')) return text;
  return text.endsWith('\r') ? `${text}\r\n` : `${text}\n`;
}

interface Chunk {
  readonly start: number;
  readonly end: number;
}

/** kubectl cuts the text at lines that begin with `---` before it parses any of it. */
function* chunks(text: string, from: number, report: Report): Generator<Chunk> {
  let start = from;
  separator.lastIndex = from;
  for (const { index, 0: line, 1: rest = '' } of text.matchAll(separator)) {
    if (index > from && text[index - 1] !== '\n') continue;
    if (!separatorEnd.test(rest)) {
      if (index > start) yield { start, end: index };
      report(index, 'syntax', 'error', 'only a comment may follow "---" on its line: kubectl refuses such a separator');
      return;
    }
    // A separator before anything else is left to the parser.
    if (index === start) continue;
    yield { start, end: index };
    start = Math.min(index + line.length + 1, text.length);
  }
  if (start < text.length) yield { start, end: text.length };
}

function readDocument(text: string, start: number, end: number, report: Report): ReadValue | undefined {
  try {
    const { root, rest } = parseDocument(text, start, end);
    if (rest !== undefined)
      report(rest, 'syntax', 'warning', 'kubectl ignores what follows here; start the next document with "---"');
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
