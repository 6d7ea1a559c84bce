import { char, isGap, isLineEnd, isWhite } from './yaml-characters.ts';
import { readFold } from './yaml-fold.ts';
import type { YamlSource } from './yaml-source.ts';

/** Where a text stands: inside brackets or braces some more characters end or begin something. */
export type Style = 'block' | 'flow';

const flowIndicators: ReadonlySet<number> = new Set([
  char.comma,
  char.question,
  char.openBracket,
  char.closeBracket,
  char.openBrace,
  char.closeBrace,
]);

const neverFirst: ReadonlySet<number> = new Set(Array.from(',[]{}#&*!|>\'"%@`', (text) => text.charCodeAt(0)));

/** Whether unquoted text can begin here. */
export function isPlainStart(source: YamlSource, style: Style): boolean {
  const code = source.peek();
  if (isGap(code) || neverFirst.has(code)) return false;
  if (code === char.dash) return !isGap(source.peek(1));
  if (code === char.colon || code === char.question) return style === 'block' && !isGap(source.peek(1));
  return true;
}

/** Reads unquoted text and goes to the content after it. Its further lines begin at the column `indent` or later. */
export function readPlain(source: YamlSource, indent: number, style: Style): string {
  let text = '';
  let fold = '';
  for (;;) {
    const line = readPlainLine(source, style);
    if (line === '') return text;
    text += fold + line;
    if (!isLineEnd(source.peek())) return text;
    fold = readFold(source, indent).text;
    const over = source.isDocumentOver || source.peek() === char.hash || (style === 'block' && source.column < indent);
    if (over) return text;
  }
}

/** Reads the rest of a line as far as it is unquoted text, without the white space after it. */
function readPlainLine(source: YamlSource, style: Style): string {
  const { text, end, at: start } = source;
  let at = start;
  let contentEnd = start;
  for (; at < end; at++) {
    const code = text.charCodeAt(at);
    if (isWhite(code)) continue;
    if (isLineEnd(code)) break;
    if (code === char.colon && (at + 1 >= end || isGap(text.charCodeAt(at + 1)))) break;
    if (code === char.hash && at > contentEnd) break;
    if (style === 'flow' && flowIndicators.has(code)) break;
    contentEnd = at + 1;
  }
  source.at = at;
  return text.slice(start, contentEnd);
}
