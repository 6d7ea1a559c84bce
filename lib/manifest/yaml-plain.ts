import { char, isGap, isLineEnd, isWhite } from './yaml-characters.ts';
import { readFold } from './yaml-fold.ts';
import type { YamlSource } from './yaml-source.ts';

/** The style around a scalar: inside brackets or braces (`flow`) more characters are indicators. */
export type Style = 'block' | 'flow';

const flowIndicators: ReadonlySet<number> = new Set([
  char.comma,
  char.question,
  char.openBracket,
  char.closeBracket,
  char.openBrace,
  char.closeBrace,
]);

const neverFirst: ReadonlySet<number> = new Set(Array.from(',[]{}#&*!|>\'"%@`', (character) => character.charCodeAt(0)));

/** Whether a plain (unquoted) scalar can begin here. */
export function isPlainStart(source: YamlSource, style: Style): boolean {
  const code = source.peek();
  if (isGap(code) || neverFirst.has(code)) return false;
  if (code === char.dash) return !isGap(source.peek(1));
  if (code === char.colon || code === char.question) return style === 'block' && !isGap(source.peek(1));
  return true;
}

/** Reads a plain scalar and moves to the content after it. Continuation lines begin at the column `indent` or beyond. */
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

/** Reads the part of a plain scalar that is on this line, without trailing whitespace. */
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
