import type { Path } from '../json/index.ts';
import { formatFloatKey } from './go-number.ts';
import { resolvePlain } from './scalar.ts';
import { isMergeKey, type AliasNode, type MapNode, type YamlNode } from './yaml-node.ts';

type Anchors = ReadonlyMap<AliasNode, YamlNode>;

interface Child {
  readonly value: YamlNode;
  readonly offset: number;
}

/** The entries of a map by name, and the indexes of its merge keys. */
interface MapIndex {
  readonly entries: ReadonlyMap<string, { readonly index: number; readonly child: Child }>;
  readonly merges: readonly number[];
}

/** Finds the offsets of values in one document; each map is indexed once. */
export class OffsetFinder {
  readonly #root: YamlNode;
  readonly #anchors: Anchors;
  readonly #indexes = new Map<MapNode, MapIndex>();

  constructor(root: YamlNode, anchors: Anchors) {
    this.#root = root;
    this.#anchors = anchors;
  }

  /** The offset of a path: of the key of a map entry, of the item of a list, else of the nearest ancestor. */
  find(path: Path): number {
    let node = this.#root;
    let { start: offset } = node;
    for (const part of path) {
      const found = this.#child(node, part);
      if (!found) break;
      ({ value: node, offset } = found);
    }
    return offset;
  }

  #target(node: YamlNode): YamlNode {
    return node.kind === 'alias' ? (this.#anchors.get(node) ?? node) : node;
  }

  #child(parent: YamlNode, part: string | number): Child | undefined {
    const node = this.#target(parent);
    if (node.kind === 'list') {
      const item = typeof part === 'number' ? node.items[part] : undefined;
      return item && { value: item, offset: item.start };
    }
    return node.kind === 'map' ? this.#entry(node, String(part)) : undefined;
  }

  /** Searches from the end: kubectl keeps the last of duplicate keys. */
  #entry(map: MapNode, name: string): Child | undefined {
    const { entries, merges } = this.#indexOf(map);
    const own = entries.get(name);
    for (const index of merges) {
      if (own !== undefined && own.index > index) break;
      const value = map.items[index + 1];
      const merged = value && this.#merged(value, name);
      if (merged) return merged;
    }
    return own?.child;
  }

  #indexOf(map: MapNode): MapIndex {
    const known = this.#indexes.get(map);
    if (known) return known;
    const entries = new Map<string, { readonly index: number; readonly child: Child }>();
    const merges: number[] = [];
    for (let index = map.items.length - 2; index >= 0; index -= 2) {
      const [key, value] = [map.items[index], map.items[index + 1]];
      if (!key || !value) continue;
      const name = isMergeKey(key) ? undefined : keyName(this.#target(key));
      if (isMergeKey(key)) merges.push(index);
      else if (name !== undefined && !entries.has(name)) entries.set(name, { index, child: { value, offset: key.start } });
    }
    const mapIndex = { entries, merges };
    this.#indexes.set(map, mapIndex);
    return mapIndex;
  }

  #merged(value: YamlNode, name: string): Child | undefined {
    for (const source of value.kind === 'list' ? value.items : [value]) {
      const found = this.#child(source, name);
      if (found) return found;
    }
    return undefined;
  }
}

function keyName(key: YamlNode): string | undefined {
  if (key.kind !== 'scalar') return undefined;
  if (!key.plain || key.tag !== undefined) return key.text;
  const resolved = resolvePlain(key.text);
  return resolved.type === 'null'
    ? undefined
    : resolved.type === 'float'
      ? formatFloatKey(resolved.value)
      : String(resolved.value);
}
