import { readRoot } from './yaml-block.ts';
import { char } from './yaml-characters.ts';
import { YamlError } from './yaml-error.ts';
import type { YamlNode } from './yaml-node.ts';
import { YamlSource } from './yaml-source.ts';

/** The nodes of one document. */
interface ParsedDocument {
  /** Its value; absent in an empty document. */
  readonly root: YamlNode | undefined;
  /** The offset of content after the end of the document, if there is any. */
  readonly rest: number | undefined;
}

/** Parses the document between two offsets into nodes; throws `YamlError` if kubectl cannot read it. */
export function parseDocument(text: string, start: number, end: number): ParsedDocument {
  const source = new YamlSource(text, text.startsWith('\ufeff', start) ? start + 1 : start, end);
  // kubectl's parser drops the first character of every line while its buffer begins with a byte order mark.
  if (text.startsWith('\ufeff', source.at) && source.at < end)
    throw new YamlError(source.at, 'a second byte order mark makes kubectl drop a character of every line; remove it');
  source.toBlockContent('no tabs');
  const isDeclared = source.isMarker(char.dash);
  if (isDeclared) {
    // Content after `---` belongs to the document. It occurs after a carriage return, where kubectl sees no separator.
    source.at += 3;
    source.toBlockContent('tabs');
  } else if (source.isMarker(char.dot))
    throw new YamlError(source.at, '"..." ends a document that has not begun; remove the line');
  else if (text.startsWith('%', source.at) && source.column === 0)
    throw new YamlError(source.at, 'kubectl does not accept directives such as %YAML; remove the line');
  const root = source.isDocumentOver ? undefined : readRoot(source, isDeclared);
  return { root, rest: readEnd(source) };
}

/** The offset of content after the marker that ends the document, if there is any; throws if content follows without a marker. */
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
