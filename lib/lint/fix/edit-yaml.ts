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

/** One object inside a YAML text: its document, and where in it the object sits (an item of a List has a path). */
interface Place {
  readonly document: Document;
  readonly base: Path;
}

/** A change of a text: what stands from one offset to another becomes something else. */
interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The objects of a YAML text in the order they are read, items of Lists one by one. */
function placesOf(text: string): readonly Place[] {
  const places: Place[] = [];
  for (const document of parseAllDocuments(text)) {
    if (!('contents' in document) || document.errors.length > 0) return [];
    const value = document.toJS() as Json;
    const items =
      isObject(value) && typeof value['kind'] === 'string' && value['kind'].endsWith('List') && Array.isArray(value['items'])
        ? (value['items'] as readonly Json[])
        : undefined;
    if (items) for (const index of items.keys()) places.push({ document, base: ['items', index] });
    else if (value !== null && value !== undefined) places.push({ document, base: [] });
  }
  return places;
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** The offset after the line that holds an offset, its line break included. */
function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}

function range(node: unknown): readonly [number, number] | undefined {
  const found = (node as Node | null | undefined)?.range;
  return found ? [found[0], found[1]] : undefined;
}

function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : '';
}

/** Indents a block of YAML, its first line too. */
function indented(block: string, indent: string): string {
  return block
    .split('\n')
    .map((line) => (line === '' ? '' : `${indent}${line}`))
    .join('\n');
}

/** Puts a new member into a map: after its first one-line member, so that nothing above or below moves. */
function insertMember(text: string, map: YAMLMap, key: string, value: Json): Splice | undefined {
  if (map.flow) {
    const at = range(map);
    return at && { from: at[0] + 1, to: at[0] + 1, text: `${key}: ${JSON.stringify(value)}${map.items.length > 0 ? ', ' : ''}` };
  }
  const scalarLine = map.items.find((pair) => {
    const [k, v] = [range(pair.key), range(pair.value)];
    return isScalar(pair.value) && k && v && !text.slice(k[0], v[1]).includes('\n');
  });
  const first = range(map.items[0]?.key);
  if (first === undefined) return undefined;
  const indent = ' '.repeat(first[0] - lineStart(text, first[0]));
  const block = indented(toYaml({ [key]: value }), indent);
  const anchor = range(scalarLine?.value);
  if (anchor) {
    const end = lineEnd(text, anchor[1]);
    return { from: end, to: end, text: text[end - 1] === '\n' ? block : `\n${block}` };
  }
  const start = lineStart(text, first[0]);
  return text.slice(start, first[0]).trim() === '' ? { from: start, to: start, text: block } : undefined;
}

function insertItem(text: string, seq: YAMLSeq, value: Json): Splice | undefined {
  const at = range(seq);
  if (at === undefined) return undefined;
  if (seq.flow) return { from: at[0] + 1, to: at[0] + 1, text: `${JSON.stringify(value)}${seq.items.length > 0 ? ', ' : ''}` };
  const dash = text.lastIndexOf('-', range(seq.items[0])?.[0]);
  const start = lineStart(text, dash);
  return dash < 0 || text.slice(start, dash).trim() !== ''
    ? undefined
    : { from: start, to: start, text: indented(toYaml([value]), ' '.repeat(dash - start)) };
}

/** Removes a member or an item that has its lines to itself. */
function removeLines(text: string, from: number, to: number): Splice | undefined {
  const start = lineStart(text, from);
  const end = lineEnd(text, to - 1 > from && text[to - 1] === '\n' ? to - 1 : to);
  return /^[ ]*(?:- )?$/.test(text.slice(start, from)) ? { from: start, to: end, text: '' } : undefined;
}

/** The splice that makes an edit, or undefined where none is safe. */
function spliceFor(text: string, { document, base }: Place, edit: Edit): Splice | undefined {
  const path = [...base, ...edit.path];
  const parentPath = path.slice(0, -1);
  const last = path.at(-1) ?? '';
  const parent = document.getIn(parentPath, true);
  if (edit.op === 'set' && parent === undefined) {
    // the parent is missing too: make it, with the value inside
    const value = typeof last === 'number' ? [edit.value] : { [last]: edit.value };
    return parentPath.length > base.length
      ? spliceFor(text, { document, base: [] }, { op: 'set', path: parentPath, value })
      : undefined;
  }
  if (isSeq(parent) && typeof last === 'number') {
    if (edit.op === 'set') return insertItem(text, parent, edit.value);
    const item = range(parent.items[last]);
    if (edit.op !== 'remove' || parent.flow || item === undefined) return undefined;
    if (parent.items.length === 1) return spliceFor(text, { document, base: [] }, { op: 'remove', path: parentPath });
    const dash = text.lastIndexOf('-', item[0]);
    return removeLines(text, dash, item[1]);
  }
  if (!isMap(parent) || typeof last !== 'string') return undefined;
  const pair = parent.items.find((p) => isPair(p) && keyOf(p) === last);
  if (pair === undefined) return edit.op === 'set' ? insertMember(text, parent, last, edit.value) : undefined;
  const [key, value] = [range(pair.key), range(pair.value)];
  if (key === undefined) return undefined;
  if (edit.op === 'rename') return { from: key[0], to: key[1], text: edit.to };
  if (edit.op === 'set')
    return value && isScalar(pair.value) ? { from: value[0], to: value[1], text: toYaml(edit.value).trimEnd() } : undefined;
  return parent.flow || parent.items.length === 1 ? undefined : removeLines(text, key[0], value?.[1] ?? key[1]);
}

/** What may differ without a difference: a removed list that was the only thing below its key. */
function meant(value: Json | undefined): Json | undefined {
  return JSON.parse(JSON.stringify(value ?? null)) as Json;
}

/**
 * Makes edits on one object of a YAML text, leaving every other character as it is; undefined where an edit is not safe or the result
 * would not read as intended.
 */
export function editYaml(text: string, index: number, edits: readonly Edit[]): string | undefined {
  let current = text;
  for (const edit of edits) {
    const place = placesOf(current)[index];
    if (place === undefined) return undefined;
    const before = valueOfPlace(place);
    const splice = spliceFor(current, place, edit);
    if (splice === undefined) return undefined;
    const inserted = current.includes('\r\n') ? splice.text.replaceAll('\n', '\r\n') : splice.text;
    const next = current.slice(0, splice.from) + inserted + current.slice(splice.to);
    const after = placesOf(next)[index];
    const wanted = [editValue(before, edit), withoutEmptyParent(before, edit)].map(meant);
    if (after === undefined || !wanted.some((w) => isEqual(meant(valueOfPlace(after)), w))) return undefined;
    current = next;
  }
  return current;
}

function valueOfPlace({ document, base }: Place): Json {
  let value = document.toJS() as Json;
  for (const key of base) value = (value as Readonly<Record<string | number, Json>>)[key] ?? null;
  return value;
}

/** Removing the last item of a list removes the list. */
function withoutEmptyParent(value: Json | undefined, edit: Edit): Json | undefined {
  return edit.op === 'remove' && typeof edit.path.at(-1) === 'number'
    ? editValue(value, { op: 'remove', path: edit.path.slice(0, -1) })
    : editValue(value, edit);
}
