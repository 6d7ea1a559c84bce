import { char, isLineEnd, isWhite } from './yaml-characters.ts';
import { YamlError } from './yaml-error.ts';
import type { YamlSource } from './yaml-source.ts';

/** Line ends between two lines of one scalar. */
interface Fold {
  /** The folded form: a space, or a line end for each empty line. */
  readonly text: string;
  /** The line ends after the first one. */
  readonly emptyLines: string;
}

/** Moves from the end of a line past empty lines to the next content; rejects tabs before the column `indent`. */
export function readFold(source: YamlSource, indent: number): Fold {
  const first = source.enterLine();
  let emptyLines = '';
  for (;;) {
    for (let code = source.peek(); isWhite(code); code = source.peek()) {
      if (code === char.tab && source.column < indent) throw new YamlError(source.at, 'a tab cannot indent; use spaces');
      source.at++;
    }
    if (!isLineEnd(source.peek())) break;
    emptyLines += source.enterLine();
  }
  source.beginContent();
  // Only line feeds fold; YAML 1.1 keeps the Unicode line and paragraph separators.
  return { text: first === '\n' ? emptyLines || ' ' : first + emptyLines, emptyLines };
}
