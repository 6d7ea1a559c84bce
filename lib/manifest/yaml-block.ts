import { char } from './yaml-characters.ts';
import { readBlockScalar } from './yaml-block-scalar.ts';
import { YamlError } from './yaml-error.ts';
import { emptyNode, isKeyBefore, readInline } from './yaml-flow.ts';
import type { YamlNode } from './yaml-node.ts';
import { isProperty, joinProperties, noProperties, readProperties, type Properties } from './yaml-properties.ts';
import type { YamlSource } from './yaml-source.ts';

/** The parent of a value in block style. */
interface Owner {
  /** Its column; the value is indented further. */
  readonly column: number;
  /** Whether a map or list may begin on the same line as the owner's indicator. */
  readonly compact: boolean;
  /** Whether the items of a list may begin at the owner's own column. */
  readonly dashes: boolean;
}

/** Reads the value of a document. After a `---` marker a map or list cannot begin on the same line. */
export function readRoot(source: YamlSource, isDeclared: boolean): YamlNode {
  return readValue(source, { column: -1, compact: !isDeclared, dashes: false }, noProperties);
}

/** Reads the value after or below an indicator; `outer` are the properties on a line above the value. */
function readValue(source: YamlSource, owner: Owner, outer: Properties): YamlNode {
  const empty = source.at;
  source.toBlockContent(owner.compact ? 'no tabs' : 'tabs');
  if (!isOwned(source, owner)) return emptyNode(outer === noProperties ? empty : outer.offset, outer);
  const mayNest = owner.compact || source.isFirstOnLine;
  const { at: start, lineStart, column } = source;
  if (source.isIndicator(char.dash) || source.isIndicator(char.question)) {
    const code = source.peek();
    if (!mayNest)
      throw new YamlError(start, `${code === char.dash ? 'a list' : 'a map'} cannot begin here; put it on its own line`);
    return code === char.dash ? readList(source, owner, outer) : readMap(source, column, undefined, start, outer);
  }
  const inner = isProperty(source.peek()) ? readProperties(source) : noProperties;
  if (inner !== noProperties) {
    if (source.isLineOver) return readValue(source, { ...owner, compact: false }, joinProperties(outer, inner));
    if (source.isIndicator(char.dash) || source.isIndicator(char.question))
      throw new YamlError(source.at, 'put the anchor or tag of a list or map on the line before it');
  }
  if (isBlockScalar(source)) {
    const { anchor, tag } = joinProperties(outer, inner);
    return { kind: 'scalar', start, text: readBlockScalar(source, owner.column), plain: false, tag, anchor };
  }
  const node = readInline(source, start, inner, owner.column + 1, 'block');
  if (isKey(source, mayNest, start, lineStart)) return readMap(source, column, node, start, outer);
  return outer === noProperties ? node : withProperties(node, outer, inner);
}

/** Whether the content here belongs to the owner, not to the block that contains the owner. */
function isOwned(source: YamlSource, owner: Owner): boolean {
  if (source.isDocumentOver) return false;
  if (!source.isFirstOnLine || source.column > owner.column) return true;
  if (source.column < owner.column) return false;
  // kubectl also accepts a block scalar at the column of its owner.
  return (owner.dashes && source.isIndicator(char.dash)) || isBlockScalar(source);
}

function isBlockScalar(source: YamlSource): boolean {
  return source.peek() === char.bar || source.peek() === char.greater;
}

function withProperties(node: YamlNode, outer: Properties, inner: Properties): YamlNode {
  const { anchor, tag } = joinProperties(outer, inner);
  if (node.kind === 'alias') throw new YamlError(node.start, 'an alias cannot have an anchor or a tag; remove them');
  return node.kind === 'scalar' ? { ...node, anchor, tag } : { ...node, anchor };
}

/** Whether what was just read is the first key of a map. */
function isKey(source: YamlSource, mayNest: boolean, start: number, lineStart: number): boolean {
  if (!source.isFirstOnLine) source.skipWhite();
  if (!source.isIndicator(char.colon) || (source.isFirstOnLine && source.at !== start)) return false;
  if (!mayNest) throw secondKey(source, start);
  if (isKeyBefore(source, start, lineStart)) return true;
  throw new YamlError(source.at, "a key and its ':' must be on one line; quote the value if it is not a key");
}

/** The error for a key inside a value: its line is indented too far, or the value contains `: `. */
function secondKey(source: YamlSource, start: number): YamlError {
  if (source.lineStart > start)
    return new YamlError(
      source.contentStart,
      'this line is indented below a key that already has a value; align it with the keys it belongs to',
    );
  return new YamlError(source.at, "an unquoted value cannot contain ': '; remove the space after ':' or quote the value");
}

function readList(source: YamlSource, owner: Owner, { anchor }: Properties): YamlNode {
  const { at: start, column } = source;
  const items: YamlNode[] = [];
  source.enter();
  do {
    source.at++;
    items.push(readValue(source, { column, compact: true, dashes: false }, noProperties));
  } while (hasEntry(source, column, "expected '- ' here; check the indentation") && isItem(source, column === owner.column));
  source.leave();
  return { kind: 'list', start, items, anchor };
}

/** Whether an item follows. A list at the column of its key ends where the next key begins. */
function isItem(source: YamlSource, atKey: boolean): boolean {
  if (source.isIndicator(char.dash)) return true;
  if (atKey) return false;
  throw new YamlError(source.at, "expected '- ' here; check the indentation");
}

/** Reads a map; `first` is its first key if that has been read already. */
function readMap(
  source: YamlSource,
  column: number,
  first: YamlNode | undefined,
  start: number,
  { anchor }: Properties,
): YamlNode {
  const items: YamlNode[] = [];
  let key = first;
  source.enter();
  do {
    if (!key && source.isIndicator(char.question)) readExplicitEntry(source, column, items);
    else {
      items.push(key ?? readKey(source, column));
      source.at++;
      items.push(readValue(source, { column, compact: false, dashes: true }, noProperties));
    }
    key = undefined;
  } while (hasEntry(source, column, 'expected a key here; check the indentation'));
  source.leave();
  return { kind: 'map', start, items, anchor };
}

/** Reads `? key` and the `: value` below it, if there is one. */
function readExplicitEntry(source: YamlSource, column: number, items: YamlNode[]): void {
  const owner: Owner = { column, compact: true, dashes: true };
  source.at++;
  items.push(readValue(source, owner, noProperties));
  const end = source.at;
  source.toBlockContent('tabs');
  if (source.isFirstOnLine && source.column === column && source.isIndicator(char.colon)) {
    source.at++;
    items.push(readValue(source, owner, noProperties));
  } else items.push(emptyNode(end));
}

function readKey(source: YamlSource, column: number): YamlNode {
  const { at: start, lineStart } = source;
  if (source.isIndicator(char.dash)) throw new YamlError(start, 'expected a key here; check the indentation');
  const properties = isProperty(source.peek()) ? readProperties(source) : noProperties;
  const key = readInline(source, start, properties, column + 1, 'block');
  if (!source.isFirstOnLine) source.skipWhite();
  if (source.isIndicator(char.colon) && isKeyBefore(source, start, lineStart)) return key;
  throw new YamlError(start, "expected ':' after this key");
}

/** Moves to the next entry of a map or list at a column; returns false if less indented content ends it. */
function hasEntry(source: YamlSource, column: number, expected: string): boolean {
  source.toBlockContent('tabs');
  if (source.isDocumentOver) return false;
  if (!source.isFirstOnLine)
    throw new YamlError(source.at, 'unexpected content after a value; quote the whole value or remove this');
  if (source.column > column) throw new YamlError(source.at, expected);
  return source.column === column;
}
