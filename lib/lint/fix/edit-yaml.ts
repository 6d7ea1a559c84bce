import { isEqual, isObject, type Json, type Path } from '../../json/index.ts';
import {
  isMap,
  isPair,
  isScalar,
  isSeq,
  parseAllDocuments,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { toYaml } from '../../manifest/index.ts';
import type { Edit } from '../finding.ts';
import { editValue } from './edit-value.ts';

/** One object of a YAML source: its document, and its path in the document, which is not empty for an item of a List. */
interface YamlObject {
  readonly document: Document;
  readonly base: Path;
}

/** A change of a source: the characters between two offsets and their replacement. */
interface Splice {
  readonly from: number;
  readonly to: number;
  readonly replacement: string;
}

/** The paths of the objects in a document: whatever has `items` is a list, as kubectl reads it. */
function objectPaths(value: Json, path: Path = []): readonly Path[] {
  if (!isObject(value) || !Array.isArray(value['items'])) return [path];
  const items = value['items'] as readonly Json[];
  return items.flatMap((item, index) => objectPaths(item, [...path, 'items', index]));
}

/** The objects of a YAML source in order, with the items of lists as separate objects. */
function objectsIn(source: string): readonly YamlObject[] {
  const objects: YamlObject[] = [];
  for (const document of parseAllDocuments(source)) {
    if (!('contents' in document) || document.errors.length > 0) return [];
    const value = document.toJS() as Json;
    if (value === null || value === undefined) continue;
    for (const base of objectPaths(value)) objects.push({ document, base });
  }
  return objects;
}

function lineStart(source: string, offset: number): number {
  return source.lastIndexOf('\n', offset - 1) + 1;
}

/** The offset after the line break of the line at an offset. */
function lineEnd(source: string, offset: number): number {
  const end = source.indexOf('\n', offset);
  return end < 0 ? source.length : end + 1;
}

function range(node: unknown): readonly [number, number] | undefined {
  const found = (node as Node | null | undefined)?.range;
  return found ? [found[0], found[1]] : undefined;
}

function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : '';
}

/** Indents every line of a YAML block. */
function indented(block: string, indent: string): string {
  return block
    .split('\n')
    .map((line) => (line === '' ? '' : `${indent}${line}`))
    .join('\n');
}

/** Inserts a member into a map after its first one-line member, so that no existing line changes. */
function insertMember(source: string, map: YAMLMap, key: string, value: Json): Splice | undefined {
  if (map.flow) {
    const at = range(map);
    return (
      at && { from: at[0] + 1, to: at[0] + 1, replacement: `${key}: ${JSON.stringify(value)}${map.items.length > 0 ? ', ' : ''}` }
    );
  }
  const scalarLine = map.items.find((pair) => {
    const [k, v] = [range(pair.key), range(pair.value)];
    return isScalar(pair.value) && k && v && !source.slice(k[0], v[1]).includes('\n');
  });
  const first = range(map.items[0]?.key);
  if (first === undefined) return undefined;
  const indent = ' '.repeat(first[0] - lineStart(source, first[0]));
  const block = indented(toYaml({ [key]: value }), indent);
  const anchor = range(scalarLine?.value);
  if (anchor) {
    const end = lineEnd(source, anchor[1]);
    return { from: end, to: end, replacement: source[end - 1] === '\n' ? block : `\n${block}` };
  }
  const start = lineStart(source, first[0]);
  return source.slice(start, first[0]).trim() === '' ? { from: start, to: start, replacement: block } : undefined;
}

function insertItem(source: string, seq: YAMLSeq, value: Json): Splice | undefined {
  const at = range(seq);
  if (at === undefined) return undefined;
  if (seq.flow)
    return { from: at[0] + 1, to: at[0] + 1, replacement: `${JSON.stringify(value)}${seq.items.length > 0 ? ', ' : ''}` };
  const dash = source.lastIndexOf('-', range(seq.items[0])?.[0]);
  const start = lineStart(source, dash);
  return dash < 0 || source.slice(start, dash).trim() !== ''
    ? undefined
    : { from: start, to: start, replacement: indented(toYaml([value]), ' '.repeat(dash - start)) };
}

/** Removes a member or an item that shares no line with another. */
function removeLines(source: string, from: number, to: number): Splice | undefined {
  const start = lineStart(source, from);
  const end = lineEnd(source, to - 1 > from && source[to - 1] === '\n' ? to - 1 : to);
  return /^[ ]*(?:- )?$/.test(source.slice(start, from)) ? { from: start, to: end, replacement: '' } : undefined;
}

/** The splice for an edit, or undefined when no safe one exists. */
function spliceFor(source: string, { document, base }: YamlObject, edit: Edit): Splice | undefined {
  const path = [...base, ...edit.path];
  const parentPath = path.slice(0, -1);
  const last = path.at(-1) ?? '';
  const parent = document.getIn(parentPath, true);
  if (edit.op === 'set' && parent === undefined) {
    // The parent is missing too: create it with the value.
    const value = typeof last === 'number' ? [edit.value] : { [last]: edit.value };
    return parentPath.length > base.length
      ? spliceFor(source, { document, base: [] }, { op: 'set', path: parentPath, value })
      : undefined;
  }
  if (isSeq(parent) && typeof last === 'number') {
    if (edit.op === 'set') return insertItem(source, parent, edit.value);
    const item = range(parent.items[last]);
    if (edit.op !== 'remove' || parent.flow || item === undefined) return undefined;
    if (parent.items.length === 1) return spliceFor(source, { document, base: [] }, { op: 'remove', path: parentPath });
    const dash = source.lastIndexOf('-', item[0]);
    return removeLines(source, dash, item[1]);
  }
  if (!isMap(parent) || typeof last !== 'string') return undefined;
  const pair = parent.items.find((p) => isPair(p) && keyOf(p) === last);
  if (pair === undefined) return edit.op === 'set' ? insertMember(source, parent, last, edit.value) : undefined;
  const [key, value] = [range(pair.key), range(pair.value)];
  if (key === undefined) return undefined;
  if (edit.op === 'rename') return { from: key[0], to: key[1], replacement: edit.to };
  if (edit.op === 'set')
    return value && isScalar(pair.value)
      ? { from: value[0], to: value[1], replacement: toYaml(edit.value).trimEnd() }
      : undefined;
  return parent.flow || parent.items.length === 1 ? undefined : removeLines(source, key[0], value?.[1] ?? key[1]);
}

/** A value as plain JSON, without undefined members, for comparison. */
function asJson(value: Json | undefined): Json | undefined {
  return JSON.parse(JSON.stringify(value ?? null)) as Json;
}

/**
 * Applies edits to one object of a YAML source and keeps every other character. Returns undefined when an edit is unsafe, or when the edited source
 * does not parse to the edited object.
 */
export function editYaml(source: string, index: number, edits: readonly Edit[]): string | undefined {
  let current = source;
  for (const edit of edits) {
    const object = objectsIn(current)[index];
    if (object === undefined) return undefined;
    const before = valueOf(object);
    const splice = spliceFor(current, object, edit);
    if (splice === undefined) return undefined;
    const inserted = current.includes('\r\n') ? splice.replacement.replaceAll('\n', '\r\n') : splice.replacement;
    const next = current.slice(0, splice.from) + inserted + current.slice(splice.to);
    const after = objectsIn(next)[index];
    const wanted = [editValue(before, edit), withoutList(before, edit)].map(asJson);
    if (after === undefined || !wanted.some((w) => isEqual(asJson(valueOf(after)), w))) return undefined;
    current = next;
  }
  return current;
}

function valueOf({ document, base }: YamlObject): Json {
  let value = document.toJS() as Json;
  for (const key of base) value = (value as Readonly<Record<string | number, Json>>)[key] ?? null;
  return value;
}

/** The result of an edit that removes the only item of a list together with the list. */
function withoutList(value: Json | undefined, edit: Edit): Json | undefined {
  return edit.op === 'remove' && typeof edit.path.at(-1) === 'number'
    ? editValue(value, { op: 'remove', path: edit.path.slice(0, -1) })
    : editValue(value, edit);
}
