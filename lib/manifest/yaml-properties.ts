import { char, isGap } from './yaml-characters.ts';
import { YamlError } from './yaml-error.ts';
import type { YamlSource } from './yaml-source.ts';

/** The properties of a node: its anchor and its tag (https://yaml.org/spec/1.1/#id899912). */
export interface Properties {
  /** Where they begin; -1 if there are none. */
  readonly offset: number;
  readonly anchor: string | undefined;
  readonly tag: string | undefined;
}

/** No properties. */
export const noProperties: Properties = { offset: -1, anchor: undefined, tag: undefined };

const name = /[A-Za-z0-9_-]*/y;
const uri = /[A-Za-z0-9_;/?:@&=+$,.!~*'()[\]%-]*/y;
const coreTags = 'tag:yaml.org,2002:';

/** Whether an anchor or a tag begins here. */
export function isProperty(code: number): boolean {
  return code === char.ampersand || code === char.exclamation;
}

/** Reads the anchor and the tag on this line, in either order, and the whitespace after them. */
export function readProperties(source: YamlSource): Properties {
  let properties = noProperties;
  for (;;) {
    const start = source.at;
    const code = source.peek();
    if (code === char.ampersand)
      properties = joinProperties(properties, { offset: start, anchor: readName(source), tag: undefined });
    else if (code === char.exclamation)
      properties = joinProperties(properties, { offset: start, anchor: undefined, tag: readTag(source) });
    else return properties;
    source.skipWhite();
  }
}

/** Combines the properties of one value that are written separately, such as on two lines. */
export function joinProperties(one: Properties, other: Properties): Properties {
  if (one === noProperties) return other;
  if (one.anchor !== undefined && other.anchor !== undefined)
    throw new YamlError(other.offset, 'a value can have only one anchor; remove this one');
  if (one.tag !== undefined && other.tag !== undefined)
    throw new YamlError(other.offset, 'a value can have only one tag; remove this one');
  return { offset: one.offset, anchor: one.anchor ?? other.anchor, tag: one.tag ?? other.tag };
}

/** Reads the name after `&` or `*`. */
export function readName(source: YamlSource): string {
  const start = source.at++;
  const found = match(source, name);
  const next = source.text[source.at] ?? '';
  if (found === '' || !(isGap(source.peek()) || '?:,]}%@`'.includes(next)))
    throw new YamlError(start, 'the name of an anchor must consist of letters, digits, "-" and "_"');
  return found;
}

function readTag(source: YamlSource): string {
  const start = source.at;
  const tag = source.peek(1) === char.less ? readWholeTag(source) : readShortTag(source);
  if (!isGap(source.peek()))
    throw new YamlError(start, 'a tag must be followed by a space; add one, or quote the value if it is not a tag');
  return tag;
}

/** `!<tag>`. */
function readWholeTag(source: YamlSource): string {
  const start = source.at;
  source.at += 2;
  const tag = match(source, uri);
  if (tag === '' || source.peek() !== char.greater) throw new YamlError(start, 'a tag that begins with "!<" must end with ">"');
  source.at++;
  return decode(tag, start);
}

/** `!name`, `!!name` of YAML's own types, or `!` alone. */
function readShortTag(source: YamlSource): string {
  const start = source.at++;
  const rest = match(source, uri);
  const handle = /^[A-Za-z0-9_-]*!/.exec(rest)?.[0];
  if (handle === undefined) return `!${decode(rest, start)}`;
  if (handle !== '!')
    throw new YamlError(start, `the tag handle !${handle} is not declared; kubectl does not accept %TAG directives`);
  if (rest === '!') throw new YamlError(start, 'a name is missing after "!!"');
  return coreTags + decode(rest.slice(1), start);
}

function match(source: YamlSource, pattern: RegExp): string {
  pattern.lastIndex = source.at;
  const found = pattern.exec(source.text)?.[0] ?? '';
  source.at += found.length;
  return found;
}

function decode(tag: string, offset: number): string {
  try {
    return decodeURIComponent(tag);
  } catch (cause) {
    throw new YamlError(offset, `the escapes in the tag ${tag} are not valid UTF-8: ${String(cause)}`);
  }
}
