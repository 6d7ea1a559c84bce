import { readRoot } from './yaml-block.ts';
import { char } from './yaml-characters.ts';
import { YamlError } from './yaml-error.ts';
import type { YamlNode } from './yaml-node.ts';
import { YamlSource } from './yaml-source.ts';

/** The nodes of one document. */
interface ParsedDocument {
  /** Its value; absent where nothing is written. */
  readonly root: YamlNode | undefined;
  /** Where something follows after the document's end. */
  readonly rest: number | undefined;
}

/** Reads the one document between two offsets of a text into nodes; throws `YamlError` where it is not YAML as kubectl reads it. */
export function parseDocument(text: string, start: number, end: number): ParsedDocument {
  const source = new YamlSource(text, text.startsWith('\ufeff', start) ? start + 1 : start, end);
  // kubectl's parser looks for the mark at the front of its buffer and, while one is there, drops the first character of every line.
  if (text.startsWith('\ufeff', source.at) && source.at < end)
    throw new YamlError(source.at, 'a second byte order mark makes kubectl drop a character of every line; remove it');
  source.toBlockContent('no tabs');
  const isDeclared = source.isMarker(char.dash);
  if (isDeclared) {
    // What follows on the line is the document's, as after a carriage return, where kubectl sees no separator.
    source.at += 3;
    source.toBlockContent('tabs');
  } else if (source.isMarker(char.dot))
    throw new YamlError(source.at, '"..." ends a document that has not begun; remove the line');
  else if (text.startsWith('%', source.at) && source.column === 0)
    throw new YamlError(source.at, 'kubectl reads no directives such as %YAML; leave the line out');
  const root = source.isDocumentOver ? undefined : readRoot(source, isDeclared);
  return { root, rest: readEnd(source) };
}

/** The offset of what follows the marker that ends the document, if anything does; without a marker nothing may follow. */
function readEnd(source: YamlSource): number | undefined {
  source.toBlockContent('tabs');
  if (source.isAtEnd) return undefined;
  if (!source.isDocumentOver)
    throw new YamlError(source.at, 'this does not belong to the document; check the indentation and quotes');
  if (source.isMarker(char.dot)) {
    source.at += 3;
    source.toFlowContent();
  }
  return source.isAtEnd ? undefined : source.at;
}
