import { isAlias, isMap, isScalar, isSeq, type Node, type Pair } from 'yaml';
import type { Path } from '../api/path.ts';
import { formatFloatKey } from './number.ts';
import { resolvePlain } from './scalar.ts';
import { isMergeKey } from './yaml-convert.ts';

type Anchors = ReadonlyMap<Node, Node>;

/** The offset at which a path is written: the key of a map entry, the item of a list, else the nearest ancestor. */
export function findOffset(root: Node | null, path: Path, anchors: Anchors): number {
  let node = root;
  let offset = start(root);
  for (const part of path) {
    const target = node && isAlias(node) ? anchors.get(node) : node;
    const found = target && findChild(target, part, anchors);
    if (!found) break;
    node = found.value;
    offset = found.offset;
  }
  return offset;
}

interface Child {
  readonly value: Node | null;
  readonly offset: number;
}

function findChild(node: Node, part: string | number, anchors: Anchors): Child | undefined {
  if (isSeq(node)) {
    const item = typeof part === 'number' ? (node.items[part] as Node | undefined) : undefined;
    return item && { value: item, offset: start(item) };
  }
  if (!isMap(node)) return undefined;
  // The last of equal keys is the one kubectl keeps.
  for (const pair of (node.items as Pair<Node | null, Node | null>[]).toReversed()) {
    const found =
      pair.key && isMergeKey(pair.key)
        ? findMerged(pair.value, part, anchors)
        : keyText(pair.key, anchors) === String(part)
          ? entry(pair)
          : undefined;
    if (found) return found;
  }
  return undefined;
}

function findMerged(value: Node | null, part: string | number, anchors: Anchors): Child | undefined {
  for (const source of value && isSeq(value) ? (value.items as Node[]) : [value]) {
    const target = source && isAlias(source) ? anchors.get(source) : source;
    const found = target && findChild(target, part, anchors);
    if (found) return found;
  }
  return undefined;
}

function entry(pair: Pair<Node | null, Node | null>): Child {
  return { value: pair.value, offset: start(pair.key ?? pair.value) };
}

function keyText(key: Node | null, anchors: Anchors): string | undefined {
  const node = key && isAlias(key) ? anchors.get(key) : key;
  if (!node || !isScalar(node)) return undefined;
  if (node.type !== 'PLAIN' || node.tag !== undefined) return String(node.value);
  const resolved = resolvePlain(String(node.value));
  return resolved.type === 'null'
    ? undefined
    : resolved.type === 'float'
      ? formatFloatKey(resolved.value)
      : String(resolved.value);
}

function start(node: Node | null): number {
  return node?.range?.[0] ?? 0;
}
