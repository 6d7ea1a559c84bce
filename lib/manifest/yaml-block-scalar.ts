import { char, isLineEnd, isWhite } from './yaml-characters.ts';
import { YamlError } from './yaml-error.ts';
import type { YamlSource } from './yaml-source.ts';

interface Header {
  readonly folded: boolean;
  /** The chomping indicator: keeps one line end after the last line, none (`-`) or all (`+`). */
  readonly ending: 'one' | 'none' | 'all';
  /** The indentation indicator: columns beyond the parent's indentation, if given. */
  readonly indent: number | undefined;
}

/** Reads a block scalar from its `|` or `>`. `outer` is the column of its parent, -1 for the value of a document. */
export function readBlockScalar(source: YamlSource, outer: number): string {
  const header = readHeader(source);
  const leading = header.indent === undefined ? findIndent(source, outer) : undefined;
  const indent = leading?.indent ?? Math.max(outer, 0) + (header.indent ?? 0);
  let text = '';
  /** Line ends since the last line with content. */
  let ends = leading?.ends ?? readEmptyLines(source, indent);
  let wasIndented = true;
  while (source.column === indent && !source.isAtEnd) {
    const isIndented = isWhite(source.peek());
    const folds = header.folded && !wasIndented && !isIndented && ends.startsWith('\n');
    text += folds ? ends.slice(1) || ' ' : ends;
    wasIndented = isIndented;
    const start = source.at;
    source.skipLine();
    text += source.text.slice(start, source.at);
    ends = source.isAtEnd ? '' : source.enterLine();
    ends += readEmptyLines(source, indent);
  }
  source.beginContent();
  return text + endingOf(header, text, ends);
}

function endingOf({ ending }: Header, text: string, ends: string): string {
  if (ending === 'all') return ends;
  return ending === 'none' || text === '' ? '' : ends.slice(0, 1);
}

function readHeader(source: YamlSource): Header {
  const folded = source.peek() === char.greater;
  source.at++;
  let ending: Header['ending'] | undefined;
  let indent: number | undefined;
  for (;;) {
    const code = source.peek();
    if (ending === undefined && (code === char.plus || code === char.dash)) ending = code === char.plus ? 'all' : 'none';
    else if (indent === undefined && code > char.zero && code <= char.nine) indent = code - char.zero;
    else break;
    source.at++;
  }
  source.skipWhite();
  if (source.peek() === char.hash) source.skipLine();
  if (!source.isAtEnd && !isLineEnd(source.peek()))
    throw new YamlError(
      source.at,
      'a block scalar begins on the next line; only +, - and an indentation of 1 to 9 may follow | or >',
    );
  if (!source.isAtEnd) source.enterLine();
  return { folded, ending: ending ?? 'one', indent };
}

/** Skips leading empty lines. The longest of them or the first line with content determines the indentation. */
function findIndent(source: YamlSource, outer: number): { readonly indent: number; readonly ends: string } {
  let ends = '';
  let indent = Math.max(outer + 1, 1);
  for (;;) {
    source.skipSpaces(Infinity);
    if (source.peek() === char.tab) throw new YamlError(source.at, 'a tab cannot indent; use spaces');
    indent = Math.max(indent, source.column);
    if (!isLineEnd(source.peek())) return { indent, ends };
    ends += source.enterLine();
  }
}

/** Skips empty lines and the indentation of the line after them; returns their line ends. */
function readEmptyLines(source: YamlSource, indent: number): string {
  let ends = '';
  for (;;) {
    source.skipSpaces(indent - source.column);
    if (source.peek() === char.tab && source.column < indent) throw new YamlError(source.at, 'a tab cannot indent; use spaces');
    if (!isLineEnd(source.peek())) return ends;
    ends += source.enterLine();
  }
}
