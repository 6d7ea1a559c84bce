import { shorten } from './show-value.ts';
import { goString } from './go-string.ts';
import { isObject, type Json, setKey } from '../json/index.ts';
import { type ReportIssue, type SourceIssueCode } from './document.ts';
import { AliasCount } from './alias-count.ts';
import { formatFloatKey } from './go-number.ts';
import { resolvePlain, toJson, type Resolved } from './scalar.ts';
import { isMergeKey, type AliasNode, type ListNode, type MapNode, type ScalarNode, type YamlNode } from './yaml-node.ts';

/** Thrown inside the converter to end it after an error was reported. */
class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

interface Anchored {
  readonly node: YamlNode;
  /** The value of the node and how many nodes the parser counts for it; absent while the node is being read. */
  done?: { readonly value: Json; readonly size: number };
}

const coreTags = 'tag:yaml.org,2002:';
const typedTags: Readonly<Record<string, Resolved['type']>> = { null: 'null', bool: 'bool', int: 'int', float: 'float' };
const timestamp =
  /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]| +)[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(?:\.[0-9]+)?(?:Z|[-+][0-9]{2}:[0-9]{2})?)?$/;

/** Converts the nodes of one document to JSON as kubectl does. */
export class Converter {
  /** The node that each alias of this document refers to. */
  readonly anchors: Map<AliasNode, YamlNode> = new Map();
  readonly #report: ReportIssue;
  readonly #named = new Map<string, Anchored>();
  readonly #count = new AliasCount();

  constructor(report: ReportIssue) {
    this.#report = report;
  }

  /** The value of the document, or undefined after an error was reported. */
  convert(root: YamlNode): Json | undefined {
    try {
      return this.#value(root);
    } catch (error) {
      if (error instanceof Unreadable) return undefined;
      throw error;
    }
  }

  #fail(node: YamlNode, code: SourceIssueCode, message: string): never {
    this.#report(node.start, code, 'error', message);
    throw new Unreadable();
  }

  #value(node: YamlNode): Json {
    if (node.kind === 'alias') return this.#lookUp(node).done.value;
    const anchored = node.anchor === undefined ? undefined : this.#anchor(node.anchor, node);
    const before = this.#count.nodes;
    this.#add(node, 1, 'written');
    const value = node.kind === 'map' ? this.#map(node) : node.kind === 'list' ? this.#list(node) : this.#scalar(node);
    if (anchored) anchored.done = { value, size: this.#count.nodes - before };
    return value;
  }

  #add(node: YamlNode, nodes: number, from: 'written' | 'aliased'): void {
    if (this.#count.add(nodes, from)) return;
    const message = `${this.#count.aliased} of ${this.#count.nodes} values come from aliases: kubectl refuses excessive aliasing; write the values out`;
    this.#fail(node, 'too_many_aliases', message);
  }

  #anchor(name: string, node: YamlNode): Anchored {
    const anchored: Anchored = { node };
    this.#named.set(name, anchored);
    return anchored;
  }

  #lookUp(alias: AliasNode): Required<Anchored> {
    const anchored = this.#named.get(alias.name);
    if (!anchored) return this.#fail(alias, 'syntax', `unknown anchor "${alias.name}"`);
    if (!anchored.done) return this.#fail(alias, 'syntax', `anchor "${alias.name}" contains itself`);
    this.anchors.set(alias, anchored.node);
    this.#add(alias, 1, 'written');
    this.#add(alias, anchored.done.size, 'aliased');
    return { node: anchored.node, done: anchored.done };
  }

  #list(list: ListNode): Json {
    return list.items.map((item) => this.#value(item));
  }

  #map(map: MapNode): Json {
    const result: Record<string, Json> = {};
    const own = new Set<string>();
    for (let index = 0; index + 1 < map.items.length; index += 2) {
      const [keyNode, valueNode] = [map.items[index], map.items[index + 1]];
      if (!keyNode || !valueNode) break;
      if (isMergeKey(keyNode)) {
        this.#merge(valueNode, result);
        continue;
      }
      const key = this.#key(keyNode);
      if (own.has(key))
        this.#report(keyNode.start, 'duplicate_key', 'warning', `key "${shorten(key)}" is given twice; kubectl keeps the last`);
      own.add(key);
      setKey(result, key, this.#value(valueNode));
    }
    return result;
  }

  /** Merges in document order: kubectl's parser lets a merge override the keys above it. */
  #merge(value: YamlNode, result: Record<string, Json>): void {
    const sources = value.kind === 'list' ? value.items.toReversed() : [value];
    for (const source of sources) {
      const target = source.kind === 'alias' ? this.#lookUp(source) : undefined;
      const node = target?.node ?? source;
      if (node.kind !== 'map') return this.#fail(source, 'invalid_value', 'a merge key "<<" takes a map or a list of maps');
      const merged = target ? target.done.value : this.#value(node);
      if (isObject(merged)) for (const [name, item] of Object.entries(merged)) setKey(result, name, item ?? null);
    }
  }

  #key(key: YamlNode): string {
    const node = key.kind === 'alias' ? this.#lookUp(key).node : key;
    if (node === key) this.#add(key, 1, 'written');
    if (node.kind !== 'scalar') return this.#fail(key, 'invalid_key', 'a map or a list cannot be a key');
    if (node === key && node.anchor !== undefined) this.#anchor(node.anchor, node).done = { value: this.#scalar(node), size: 1 };
    const resolved = this.#resolve(node);
    switch (resolved.type) {
      case 'null':
        return this.#fail(node, 'invalid_key', 'a key is empty or null; quote it if a string is meant');
      case 'float':
        return formatFloatKey(resolved.value);
      case 'int':
        if (resolved.value >= 2n ** 63n)
          this.#fail(node, 'invalid_key', `the number ${resolved.value} is too large for a key; quote it`);
        return String(resolved.value);
      default:
        return String(resolved.value);
    }
  }

  #scalar(node: ScalarNode): Json {
    const resolved = this.#resolve(node);
    if (resolved.type === 'float' && !Number.isFinite(resolved.value))
      this.#fail(node, 'invalid_value', `JSON has no number ${node.text}; quote it if a string is meant`);
    if (resolved.type === 'str' && resolved.overflow) {
      const message = `number ${shorten(resolved.value)} is too large and is read as a string; quote it if a string is meant`;
      this.#report(node.start, 'number_too_large', 'warning', message);
    }
    return toJson(resolved);
  }

  #resolve(node: ScalarNode): Resolved {
    const { text } = node;
    if (node.tag === undefined) return node.plain ? resolvePlain(text) : { type: 'str', value: text };
    const tag = node.tag.startsWith(coreTags) ? node.tag.slice(coreTags.length) : '';
    if (tag === 'binary') return { type: 'str', value: this.#decodeBase64(node) };
    const wanted = Object.hasOwn(typedTags, tag) ? typedTags[tag] : undefined;
    if (tag === 'timestamp' ? timestamp.test(text) : !wanted) return { type: 'str', value: text };
    const resolved = resolvePlain(text);
    if (resolved.type === wanted) return resolved;
    // kubectl's parser converts an int64 to a float, but not a uint64.
    if (wanted === 'float' && resolved.type === 'int' && resolved.value < 2n ** 63n)
      return { type: 'float', value: Number(resolved.value) };
    return this.#fail(node, 'invalid_value', `"${shorten(text)}" cannot be read as !!${tag}`);
  }

  #decodeBase64(node: ScalarNode): string {
    const compact = node.text.replace(/[\r\n]/g, '');
    if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(compact))
      this.#fail(node, 'invalid_value', '!!binary value is not base64');
    return goString(Uint8Array.from(atob(compact), (c) => c.charCodeAt(0)));
  }
}
