import { limits } from './document.ts';
import type { YamlNode } from './yaml-node.ts';
import { YamlScanner } from './yaml-scanner.ts';
import { YamlError, type TokenType } from './yaml-token.ts';

/** The first document of a stretch of text. */
export interface Composed {
  readonly root: YamlNode | undefined;
  /** Where something follows that kubectl does not look at. */
  readonly rest: number | undefined;
}

/** Reads the first document between two offsets; throws a `YamlError` where kubectl would not read it. */
export function compose(source: string, start: number, end: number): Composed {
  const composer = new Composer(new YamlScanner(source, start, end));
  return { root: composer.document(), rest: composer.rest() };
}

interface Properties {
  readonly anchor: string | undefined;
  readonly tag: string | undefined;
}

const afterEntry: ReadonlySet<TokenType> = new Set(['list-entry', 'block-end']);
const afterIndentlessEntry: ReadonlySet<TokenType> = new Set(['list-entry', 'key', 'value', 'block-end']);
const afterKey: ReadonlySet<TokenType> = new Set(['key', 'value', 'block-end']);
const afterFlowKey: ReadonlySet<TokenType> = new Set(['value', 'flow-entry', 'flow-map-end']);
const afterFlowValue: ReadonlySet<TokenType> = new Set(['flow-entry', 'flow-map-end']);
const afterPairKey: ReadonlySet<TokenType> = new Set(['value', 'flow-entry', 'flow-list-end']);
const afterPairValue: ReadonlySet<TokenType> = new Set(['flow-entry', 'flow-list-end']);
const documentEnds: ReadonlySet<TokenType> = new Set(['document-start', 'document-end', 'stream-end']);

class Composer {
  readonly #scanner: YamlScanner;
  #depth = 0;

  constructor(scanner: YamlScanner) {
    this.#scanner = scanner;
  }

  document(): YamlNode | undefined {
    const type = this.#type();
    if (type === 'stream-end') return undefined;
    if (type !== 'document-start') return this.#node(true, false);
    this.#scanner.skip();
    return documentEnds.has(this.#type()) ? undefined : this.#node(true, false);
  }

  /** Where something follows the `...` that ends the document. */
  rest(): number | undefined {
    if (!documentEnds.has(this.#type())) this.#fail('this does not belong to the value before it; check the indentation');
    try {
      while (this.#type() === 'document-end') this.#scanner.skip();
      return this.#type() === 'stream-end' ? undefined : this.#scanner.peek().start;
    } catch (error) {
      if (error instanceof YamlError) return error.offset;
      throw error;
    }
  }

  #type(): TokenType {
    return this.#scanner.peek().type;
  }

  #take(type: TokenType): boolean {
    if (this.#scanner.peek().type !== type) return false;
    this.#scanner.skip();
    return true;
  }

  #fail(message: string): never {
    throw new YamlError(this.#scanner.peek().start, message);
  }

  #empty(): YamlNode {
    return { kind: 'scalar', start: this.#scanner.peek().start, text: '', plain: true, tag: undefined, anchor: undefined };
  }

  /** A node, or an empty scalar where one of the given tokens comes instead. */
  #nodeUnless(ends: ReadonlySet<TokenType>, block: boolean, indentless: boolean): YamlNode {
    return ends.has(this.#type()) ? this.#empty() : this.#node(block, indentless);
  }

  #node(block: boolean, indentless: boolean): YamlNode {
    const { start } = this.#scanner.peek();
    const alias = this.#scanner.peek();
    if (this.#take('alias')) return { kind: 'alias', start, name: alias.text };
    const properties = this.#properties();
    const token = this.#scanner.peek();
    if (indentless && token.type === 'list-entry') return this.#deeper(() => this.#indentlessList(start, properties));
    switch (token.type) {
      case 'scalar':
        this.#scanner.skip();
        return { kind: 'scalar', start, text: token.text, plain: token.plain, ...properties };
      case 'flow-list':
        return this.#deeper(() => this.#flowList(start, properties));
      case 'flow-map':
        return this.#deeper(() => this.#flowMap(start, properties));
      case 'block-list':
        if (block) return this.#deeper(() => this.#blockList(start, properties));
        break;
      case 'block-map':
        if (block) return this.#deeper(() => this.#blockMap(start, properties));
        break;
      default:
    }
    if (properties.anchor === undefined && properties.tag === undefined) this.#fail('expected a value here');
    return { kind: 'scalar', start, text: '', plain: true, ...properties };
  }

  #properties(): Properties {
    let [anchor, tag]: (string | undefined)[] = [undefined, undefined];
    for (;;) {
      const token = this.#scanner.peek();
      if (token.type === 'anchor' && anchor === undefined) anchor = token.text;
      else if (token.type === 'tag' && tag === undefined) tag = token.text;
      else return { anchor, tag };
      this.#scanner.skip();
    }
  }

  #deeper(read: () => YamlNode): YamlNode {
    if (++this.#depth > limits.depth)
      throw new YamlError(this.#scanner.peek().start, `nested deeper than ${limits.depth} levels`, 'too_deep');
    const node = read();
    this.#depth--;
    return node;
  }

  #blockList(start: number, { anchor }: Properties): YamlNode {
    const items: YamlNode[] = [];
    this.#scanner.skip();
    while (this.#take('list-entry')) items.push(this.#nodeUnless(afterEntry, true, false));
    if (!this.#take('block-end')) this.#fail("expected '-' for the next item of this list; check the indentation");
    return { kind: 'list', start, items, anchor };
  }

  #indentlessList(start: number, { anchor }: Properties): YamlNode {
    const items: YamlNode[] = [];
    while (this.#take('list-entry')) items.push(this.#nodeUnless(afterIndentlessEntry, true, false));
    return { kind: 'list', start, items, anchor };
  }

  #blockMap(start: number, { anchor }: Properties): YamlNode {
    const items: YamlNode[] = [];
    this.#scanner.skip();
    while (this.#take('key')) {
      items.push(this.#nodeUnless(afterKey, true, true));
      items.push(this.#take('value') ? this.#nodeUnless(afterKey, true, true) : this.#empty());
    }
    if (!this.#take('block-end')) this.#fail('expected a key here; check the indentation');
    return { kind: 'map', start, items, anchor };
  }

  #flowList(start: number, { anchor }: Properties): YamlNode {
    const items: YamlNode[] = [];
    this.#scanner.skip();
    for (let first = true; this.#type() !== 'flow-list-end'; first = false) {
      if (!first && !this.#take('flow-entry')) this.#fail("expected ',' or ']' in this list");
      if (this.#type() === 'flow-list-end') break;
      items.push(this.#type() === 'key' ? this.#deeper(() => this.#pair()) : this.#node(false, false));
    }
    this.#scanner.skip();
    return { kind: 'list', start, items, anchor };
  }

  /** A map of one entry written without braces inside a list: `[a: 1]`. */
  #pair(): YamlNode {
    const { start } = this.#scanner.peek();
    this.#scanner.skip();
    const key = this.#pairKey();
    const value = this.#take('value') ? this.#nodeUnless(afterPairValue, false, false) : this.#empty();
    return { kind: 'map', start, items: [key, value], anchor: undefined };
  }

  #pairKey(): YamlNode {
    if (!afterPairKey.has(this.#type())) return this.#node(false, false);
    // kubectl's parser swallows the token after an empty key here.
    const empty = this.#empty();
    this.#scanner.skip();
    return empty;
  }

  #flowMap(start: number, { anchor }: Properties): YamlNode {
    const items: YamlNode[] = [];
    this.#scanner.skip();
    for (let first = true; this.#type() !== 'flow-map-end'; first = false) {
      if (!first && !this.#take('flow-entry')) this.#fail("expected ',' or '}' in this map");
      if (this.#type() === 'flow-map-end') break;
      if (this.#take('key')) {
        items.push(this.#nodeUnless(afterFlowKey, false, false));
        items.push(this.#take('value') ? this.#nodeUnless(afterFlowValue, false, false) : this.#empty());
      } else items.push(this.#node(false, false), this.#empty());
    }
    this.#scanner.skip();
    return { kind: 'map', start, items, anchor };
  }
}
