import { isAlias, isMap, isScalar, isSeq, type Alias, type Node, type Pair, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Json } from '../api/json.ts';
import { limits, type Report, type SourceIssueCode } from './document.ts';
import { formatFloatKey } from './number.ts';
import { resolvePlain, toJson, type Resolved } from './scalar.ts';
import { setKey } from './set-key.ts';

/** Thrown inside the converter where a document has no meaning; it is reported before. */
class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

interface Anchored {
  readonly node: Node;
  /** What the node became and how many values it holds; absent while it is being read. */
  done?: { readonly value: Json; readonly size: number };
}

const coreTags = 'tag:yaml.org,2002:';
const typedTags: Readonly<Record<string, Resolved['type']>> = { null: 'null', bool: 'bool', int: 'int', float: 'float' };

/** Turns one document's nodes into the data kubectl makes of them. */
export class Converter {
  /** The node each alias of this document stands for. */
  readonly anchors: Map<Node, Node> = new Map();
  readonly #report: Report;
  readonly #named = new Map<string, Anchored>();
  #size = 0;
  #aliased = 0;

  constructor(report: Report) {
    this.#report = report;
  }

  /** The document's data, or `undefined` after a report of why there is none. */
  convert(root: Node): Json | undefined {
    try {
      return this.#value(root);
    } catch (error) {
      if (error instanceof Unreadable) return undefined;
      throw error;
    }
  }

  #fail(node: Node, code: SourceIssueCode, message: string): never {
    this.#report(node.range?.[0] ?? 0, code, 'error', message);
    throw new Unreadable();
  }

  #value(node: Node): Json {
    if (isAlias(node)) return this.#alias(node);
    const anchored = this.#anchor(node);
    const before = this.#size++;
    const value = isMap(node) ? this.#map(node) : isSeq(node) ? this.#list(node) : this.#scalar(node);
    if (anchored) anchored.done = { value, size: this.#size - before };
    return value;
  }

  #anchor(node: Node): Anchored | undefined {
    const name = (node as Scalar).anchor;
    if (name === undefined) return undefined;
    const anchored: Anchored = { node };
    this.#named.set(name, anchored);
    return anchored;
  }

  #lookUp(alias: Alias): Required<Anchored> {
    const anchored = this.#named.get(alias.source);
    if (!anchored) return this.#fail(alias, 'syntax', `unknown anchor "${alias.source}"`);
    if (!anchored.done) return this.#fail(alias, 'syntax', `anchor "${alias.source}" contains itself`);
    this.anchors.set(alias, anchored.node);
    this.#size += anchored.done.size;
    this.#aliased += anchored.done.size;
    if (this.#aliased > limits.aliased)
      this.#fail(alias, 'too_many_aliases', `aliases add more than ${limits.aliased} values to the document`);
    return { node: anchored.node, done: anchored.done };
  }

  #alias(alias: Alias): Json {
    return this.#lookUp(alias).done.value;
  }

  #list(list: YAMLSeq): Json {
    return list.items.map((item) => this.#value(item as Node));
  }

  #map(map: YAMLMap): Json {
    const result: Record<string, Json> = {};
    const own = new Set<string>();
    for (const pair of map.items as Pair<Node | null, Node | null>[]) {
      if (pair.key && isMergeKey(pair.key)) {
        this.#merge(pair.key, pair.value, result);
        continue;
      }
      const key = this.#key(pair.key, map);
      if (own.has(key))
        this.#report(
          pair.key?.range?.[0] ?? 0,
          'duplicate_key',
          'warning',
          `key "${key}" is given twice; kubectl keeps the last`,
        );
      own.add(key);
      setKey(result, key, pair.value ? this.#value(pair.value) : null);
    }
    return result;
  }

  /** Merges in the order of writing: kubectl's parser lets a merge replace the keys above it. */
  #merge(key: Node, value: Node | null, result: Record<string, Json>): void {
    const sources = value && isSeq(value) ? (value.items as Node[]).toReversed() : [value];
    for (const source of sources) {
      const target = source && isAlias(source) ? this.#lookUp(source) : undefined;
      const node = target?.node ?? source;
      if (!node || !isMap(node))
        return this.#fail(source ?? key, 'invalid_value', 'a merge key "<<" takes a map or a list of maps');
      const merged = target ? target.done.value : this.#value(node);
      for (const [name, item] of Object.entries(merged as Record<string, Json>)) setKey(result, name, item);
    }
  }

  #key(key: Node | null, map: YAMLMap): string {
    const node = key && isAlias(key) ? this.#lookUp(key).node : key;
    if (!node) return this.#fail(key ?? map, 'invalid_key', 'a map key is empty; write "" for the empty string');
    if (!isScalar(node)) return this.#fail(node, 'invalid_key', 'a map or a list cannot be a key');
    this.#anchorKey(node, key);
    const resolved = this.#resolve(node);
    switch (resolved.type) {
      case 'null':
        return this.#fail(node, 'invalid_key', 'a map key is null; quote it if it is meant as text');
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

  #anchorKey(node: Scalar, key: Node | null): void {
    if (node !== key) return;
    const anchored = this.#anchor(node);
    if (anchored) anchored.done = { value: this.#scalar(node), size: 1 };
  }

  #scalar(node: Scalar): Json {
    const resolved = this.#resolve(node);
    if (resolved.type === 'float' && !Number.isFinite(resolved.value))
      this.#fail(node, 'invalid_value', `${String(node.source)} is not a number JSON knows; quote it if it is meant as text`);
    if (resolved.type === 'str' && resolved.overflow)
      this.#report(
        node.range?.[0] ?? 0,
        'number_too_large',
        'warning',
        `number ${shorten(resolved.value)} is too large and is read as text; quote it if that is meant`,
      );
    return toJson(resolved);
  }

  #resolve(node: Scalar): Resolved {
    const text = String(node.value);
    const tag = node.tag?.startsWith(coreTags) ? node.tag.slice(coreTags.length) : node.tag;
    if (tag === undefined) return node.type === 'PLAIN' ? resolvePlain(text) : { type: 'str', value: text };
    if (tag === 'binary') return { type: 'str', value: this.#decodeBase64(node, text) };
    const wanted = Object.hasOwn(typedTags, tag) ? typedTags[tag] : undefined;
    if (!wanted) return { type: 'str', value: text };
    const resolved = resolvePlain(text);
    if (resolved.type === wanted) return resolved;
    if (wanted === 'float' && resolved.type === 'int') return { type: 'float', value: Number(resolved.value) };
    return this.#fail(node, 'invalid_value', `"${shorten(text)}" cannot be read as !!${tag}`);
  }

  #decodeBase64(node: Scalar, text: string): string {
    const compact = text.replace(/[\r\n]/g, '');
    if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(compact))
      this.#fail(node, 'invalid_value', '!!binary value is not base64');
    return new TextDecoder().decode(Uint8Array.from(atob(compact), (c) => c.charCodeAt(0)));
  }
}

/** Whether a key is the merge key: `<<` unquoted. */
export function isMergeKey(key: Node): boolean {
  return (
    isScalar(key) && key.value === '<<' && ((key.type === 'PLAIN' && key.tag === undefined) || key.tag === `${coreTags}merge`)
  );
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 37)}...` : text;
}
