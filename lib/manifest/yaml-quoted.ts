import { char, isLineEnd, isWhite } from './yaml-characters.ts';
import { YamlError } from './yaml-error.ts';
import { readFold } from './yaml-fold.ts';
import type { YamlSource } from './yaml-source.ts';

const escapes: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['a', '\x07'],
  ['b', '\b'],
  ['t', '\t'],
  ['\t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\x1b'],
  [' ', ' '],
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['N', '\x85'],
  ['_', '\xa0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
]);

const hexDigits: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

/** Reads a scalar in single or double quotes from its opening quote, on one line or several. */
export function readQuoted(source: YamlSource): string {
  const start = source.at;
  const quote = source.peek();
  const isDouble = quote === char.doubleQuote;
  let text = '';
  source.at++;
  for (;;) {
    text += readRun(source, quote, isDouble);
    const code = source.peek();
    if (code === char.none) throw new YamlError(start, 'the closing quote is missing');
    if (isLineEnd(code)) {
      text += readFold(source, 0).text;
      rejectMarker(source);
    } else if (code === char.backslash) {
      text += readEscape(source);
    } else if (!isDouble && source.peek(1) === quote) {
      text += "'";
      source.at += 2;
    } else {
      source.at++;
      return text;
    }
  }
}

/** Reads up to the next quote, escape or line end, without the whitespace before a line end. */
function readRun(source: YamlSource, quote: number, isDouble: boolean): string {
  const { text, end, at: start } = source;
  let at = start;
  for (; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === quote || (isDouble && code === char.backslash) || isLineEnd(code)) break;
  }
  source.at = at;
  let runEnd = at;
  if (isLineEnd(source.peek())) while (runEnd > start && isWhite(text.charCodeAt(runEnd - 1))) runEnd--;
  return text.slice(start, runEnd);
}

function readEscape(source: YamlSource): string {
  const start = source.at++;
  if (isLineEnd(source.peek())) {
    const { emptyLines } = readFold(source, 0);
    rejectMarker(source);
    return emptyLines;
  }
  const name = String.fromCodePoint(source.text.codePointAt(source.at) ?? 0);
  source.at += name.length;
  const known = escapes.get(name);
  if (known !== undefined) return known;
  const length = hexDigits.get(name);
  if (length === undefined) throw new YamlError(start, `unknown escape \\${name} in a quoted string`);
  return readCodePoint(source, start, length);
}

function readCodePoint(source: YamlSource, start: number, length: number): string {
  const digits = source.text.slice(source.at, Math.min(source.at + length, source.end));
  if (digits.length < length || !/^[0-9a-fA-F]+$/.test(digits))
    throw new YamlError(start, `this escape needs ${length} hexadecimal digits`);
  source.at += length;
  const code = Number.parseInt(digits, 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
    throw new YamlError(
      start,
      `the escape ${source.text.slice(start, source.at)} is not a Unicode character; write the character itself`,
    );
  return String.fromCodePoint(code);
}

function rejectMarker(source: YamlSource): void {
  if (source.isMarker(char.dot) || source.isMarker(char.dash))
    throw new YamlError(source.at, 'this line ends the document inside a quoted string; indent it');
}
