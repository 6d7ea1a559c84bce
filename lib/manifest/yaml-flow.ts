import { char } from './yaml-characters.ts';
import { YamlError } from './yaml-error.ts';
import type { ScalarNode, YamlNode } from './yaml-node.ts';
import { isPlainStart, readPlain, type Style } from './yaml-plain.ts';
import { isProperty, noProperties, readName, readProperties, type Properties } from './yaml-properties.ts';
import { readQuoted } from './yaml-quoted.ts';
import type { YamlSource } from './yaml-source.ts';

/** Most characters between the start of a key and its `:`, unless `?` marks the key (YAML 1.1, simple keys). */
const longestKey = 1024;

/** The node of an omitted value. */
export function emptyNode(offset: number, { anchor, tag }: Properties = noProperties): ScalarNode {
  return { kind: 'scalar', start: offset, text: '', plain: true, tag, anchor };
}

/**
 * Reads a value that does not depend on indentation: an alias, a scalar, or a list or map in flow style.
 *
 * In block style, continuation lines must begin at column `indent` or beyond. Returns an empty node if the value is omitted and the style allows it.
 */
export function readInline(source: YamlSource, start: number, properties: Properties, indent: number, style: Style): YamlNode {
  const { anchor, tag } = properties;
  switch (source.peek()) {
    case char.asterisk:
      return readAlias(source, properties);
    case char.doubleQuote:
    case char.singleQuote:
      return { kind: 'scalar', start, text: readQuoted(source), plain: false, tag, anchor };
    case char.openBracket:
      return readFlowList(source, start, anchor, indent);
    case char.openBrace:
      return readFlowMap(source, start, anchor, indent);
    default:
      if (isPlainStart(source, style))
        return { kind: 'scalar', start, text: readPlain(source, indent, style), plain: true, tag, anchor };
      if (isEmpty(source, style)) return emptyNode(start, properties);
      throw new YamlError(source.at, `${source.text[source.at]} cannot start a value; quote it`);
  }
}

/** Whether the content from `start` to the `:` here is a key: it must be on one line. Throws if it is too long. */
export function isKeyBefore(source: YamlSource, start: number, lineStart: number): boolean {
  if (source.lineStart !== lineStart) return false;
  if (isLongerThan(source.text, start, source.at, longestKey))
    throw new YamlError(
      start,
      `this key is longer than ${longestKey} characters; write "? " before it and its ":" on a line of its own`,
    );
  return true;
}

/** Counts Unicode characters, not UTF-16 code units. */
function isLongerThan(text: string, start: number, end: number, limit: number): boolean {
  if (end - start <= limit) return false;
  return end - start > 2 * limit || Array.from(text.slice(start, end)).length > limit;
}

function isEmpty(source: YamlSource, style: Style): boolean {
  const code = source.peek();
  if (style === 'block') return source.isIndicator(char.colon) || source.isLineOver;
  return code === char.colon || code === char.comma || code === char.closeBracket || code === char.closeBrace;
}

function readAlias(source: YamlSource, { anchor, tag }: Properties): YamlNode {
  const start = source.at;
  if (anchor !== undefined || tag !== undefined)
    throw new YamlError(start, 'an alias cannot have an anchor or a tag; remove them');
  return { kind: 'alias', start, name: readName(source) };
}

function readFlowList(source: YamlSource, start: number, anchor: string | undefined, indent: number): YamlNode {
  const items: YamlNode[] = [];
  source.enter();
  source.at++;
  while (hasMore(source, char.closeBracket, "expected ',' or ']' in this list", items.length > 0)) {
    const itemStart = source.at;
    const pair = readPair(source, indent);
    // `[key: value]` is a list that contains a map with one entry.
    items.push(pair.length === 1 ? pair[0] : { kind: 'map', start: itemStart, items: pair, anchor: undefined });
  }
  source.leave();
  return { kind: 'list', start, items, anchor };
}

function readFlowMap(source: YamlSource, start: number, anchor: string | undefined, indent: number): YamlNode {
  const items: YamlNode[] = [];
  source.enter();
  source.at++;
  while (hasMore(source, char.closeBrace, "expected ',' or '}' in this map", items.length > 0)) {
    const [key, value] = readPair(source, indent);
    items.push(key, value ?? emptyNode(source.at));
  }
  source.leave();
  return { kind: 'map', start, items, anchor };
}

/** Moves to the next item of a list or map, past the comma after an item; or past the closing bracket, then returns false. */
function hasMore(source: YamlSource, close: number, expected: string, afterItem: boolean): boolean {
  source.toFlowContent();
  if (afterItem && source.peek() === char.comma) {
    source.at++;
    source.toFlowContent();
  } else if (afterItem && source.peek() !== close) throw new YamlError(source.at, expected);
  if (source.isDocumentOver) throw new YamlError(source.at, expected);
  if (source.peek() === char.comma) throw new YamlError(source.at, "a value is missing before this ','");
  if (source.peek() !== close) return true;
  source.at++;
  return false;
}

/** Reads a key and its value, or a value alone. */
function readPair(source: YamlSource, indent: number): readonly [YamlNode] | readonly [YamlNode, YamlNode] {
  const { at: start, lineStart } = source;
  const isExplicit = source.peek() === char.question;
  if (isExplicit) {
    source.at++;
    source.toFlowContent();
  }
  const key = readFlowNode(source, indent);
  if (isExplicit) source.toFlowContent();
  else source.skipWhite();
  if (source.peek() === char.colon && (isExplicit || isKeyBefore(source, start, lineStart))) {
    source.at++;
    source.toFlowContent();
    return [key, readFlowNode(source, indent)];
  }
  return isExplicit ? [key, emptyNode(source.at)] : [key];
}

function readFlowNode(source: YamlSource, indent: number): YamlNode {
  const start = source.at;
  let properties = noProperties;
  if (isProperty(source.peek())) {
    properties = readProperties(source);
    source.toFlowContent();
  }
  if (source.isDocumentOver) throw new YamlError(source.at, 'expected a value here, but the document ends');
  return readInline(source, start, properties, indent, 'flow');
}
