import type { Path } from '../json/index.ts';
import { formatFloatKey } from './go-number.ts';
import { resolvePlain } from './scalar.ts';
import { isMergeKey, type AliasNode, type MapNode, type YamlNode } from './yaml-node.ts';

type Anchors = ReadonlyMap<AliasNode, YamlNode>;

/** The offset at which a path is written: the key of a map entry, the item of a list, else the nearest ancestor. */
export function findOffset(root: YamlNode, path: Path, anchors: Anchors): number {
  let node = root;
  let offset = root.start;
  for (const part of path) {
    const found = findChild(target(node, anchors), part, anchors);
    if (!found) break;
    node = found.value;
    offset = found.offset;
  }
  return offset;
}

interface Child {
  readonly value: YamlNode;
  readonly offset: number;
}

function target(node: YamlNode, anchors: Anchors): YamlNode {
  return node.kind === 'alias' ? (anchors.get(node) ?? node) : node;
}

function findChild(node: YamlNode, part: string | number, anchors: Anchors): Child | undefined {
  if (node.kind === 'list') {
    const item = typeof part === 'number' ? node.items[part] : undefined;
    return item && { value: item, offset: item.start };
  }
  return node.kind === 'map' ? findEntry(node, String(part), anchors) : undefined;
}

/** Looks from the end: the last of equal keys is the one kubectl keeps. */
function findEntry(map: MapNode, name: string, anchors: Anchors): Child | undefined {
  for (let index = map.items.length - 2; index >= 0; index -= 2) {
    const [key, value] = [map.items[index], map.items[index + 1]];
    if (!key || !value) continue;
    if (isMergeKey(key)) {
      const merged = findMerged(value, name, anchors);
      if (merged) return merged;
    } else if (keyText(target(key, anchors)) === name) return { value, offset: key.start };
  }
  return undefined;
}

function findMerged(value: YamlNode, name: string, anchors: Anchors): Child | undefined {
  for (const source of value.kind === 'list' ? value.items : [value]) {
    const found = findChild(target(source, anchors), name, anchors);
    if (found) return found;
  }
  return undefined;
}

function keyText(key: YamlNode): string | undefined {
  if (key.kind !== 'scalar') return undefined;
  if (!key.plain || key.tag !== undefined) return key.text;
  const resolved = resolvePlain(key.text);
  return resolved.type === 'null'
    ? undefined
    : resolved.type === 'float'
      ? formatFloatKey(resolved.value)
      : String(resolved.value);
}
