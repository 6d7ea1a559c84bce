import { char, isLineEnd, isWhite } from './yaml-characters.ts';
import { YamlError } from './yaml-error.ts';
import type { YamlSource } from './yaml-source.ts';

/** Line ends between two lines of one text. */
interface Fold {
  /** What they become: a space, or a line end for each empty line. */
  readonly text: string;
  /** The line ends after the first one. */
  readonly emptyLines: string;
}

/** Goes from the end of a line over empty lines to the next content; tabs before the column `indent` are refused. */
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
  // Only line feeds fold; YAML 1.1 keeps the separators of Unicode.
  return { text: first === '\n' ? emptyLines || ' ' : first + emptyLines, emptyLines };
}
