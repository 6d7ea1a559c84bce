import { limits } from './document.ts';
import { YamlCursor } from './yaml-cursor.ts';
import { isBlank, isBlankOrEnd, isBreak, YamlError, type Token, type TokenType } from './yaml-token.ts';

/** A token that turns out to be a key if a colon follows on its line. */
interface SimpleKey {
  possible: boolean;
  readonly required: boolean;
  readonly token: number;
  readonly at: number;
  readonly line: number;
  readonly column: number;
}

const word = /[0-9A-Za-z_-]*/y;
const tagText =
  /!(?:<((?:[0-9A-Za-z_;/?:@&=+$,.!~*'()[\]-]|%[0-9A-Fa-f]{2})*)>|((?:[0-9A-Za-z_-]*!)?)((?:[0-9A-Za-z_;/?:@&=+$,.!~*'()[\]-]|%[0-9A-Fa-f]{2})*))/y;
const coreTags = 'tag:yaml.org,2002:';
/** A key and its colon are at most this far apart. */
const longestKey = 1024;
const never: SimpleKey = { possible: false, required: false, token: -1, at: 0, line: 0, column: 0 };
/** Characters that begin no plain scalar: `,[]{}#&*!|>'"%@` and the backtick. */
const indicators: ReadonlySet<number> = new Set(Array.from(`,[]{}#&*!|>'"%@\``, (c) => c.charCodeAt(0)));

const flowMarks: ReadonlyMap<number, TokenType> = new Map([
  [0x5b, 'flow-list'],
  [0x7b, 'flow-map'],
  [0x5d, 'flow-list-end'],
  [0x7d, 'flow-map-end'],
]);

/** Cuts a YAML text into tokens by the rules of kubectl's parser. */
export class YamlScanner {
  readonly #cursor: YamlCursor;
  #tokens: Token[] = [];
  #head = 0;
  #taken = 0;
  #keys: SimpleKey[] = [never];
  readonly #keyOf = new Map<number, SimpleKey>();
  #keyAllowed = true;
  #indent = -1;
  readonly #indents: number[] = [];
  #ended = false;

  constructor(source: string, start: number, end: number) {
    this.#cursor = new YamlCursor(source, start, end);
  }

  /** The next token, which stays. */
  peek(): Token {
    for (;;) {
      const waiting = this.#keyOf.get(this.#taken);
      const token = this.#tokens[this.#head];
      if (token && !(waiting && this.#isValid(waiting))) return token;
      if (this.#ended) return token ?? { type: 'stream-end', start: this.#cursor.at, text: '', plain: false };
      this.#fetch();
    }
  }

  /** Takes the next token away. */
  skip(): void {
    this.#head++;
    this.#taken++;
    if (this.#head > 64 && this.#head === this.#tokens.length) {
      this.#tokens = [];
      this.#head = 0;
    }
  }

  get #flow(): boolean {
    return this.#keys.length > 1;
  }

  #add(type: TokenType, start: number, text = '', plain = false, before?: number): void {
    const token = { type, start, text, plain };
    if (before === undefined) this.#tokens.push(token);
    else this.#tokens.splice(this.#head + before - this.#taken, 0, token);
  }

  #isValid(key: SimpleKey): boolean {
    if (!key.possible) return false;
    if (key.line === this.#cursor.line && key.at + longestKey >= this.#cursor.at) return true;
    if (key.required) throw new YamlError(key.at, "expected ':' after this key");
    key.possible = false;
    return false;
  }

  #removeKey(): void {
    const key = this.#keys.at(-1) ?? never;
    if (!key.possible) return;
    if (key.required) throw new YamlError(key.at, "expected ':' after this key");
    key.possible = false;
    this.#keyOf.delete(key.token);
  }

  #saveKey(): void {
    if (!this.#keyAllowed) return;
    this.#removeKey();
    const { at, line, column } = this.#cursor;
    const token = this.#taken + this.#tokens.length - this.#head;
    const key = { possible: true, required: !this.#flow && this.#indent === column, token, at, line, column };
    this.#keys[this.#keys.length - 1] = key;
    this.#keyOf.set(token, key);
  }

  #rollIndent(column: number, type: TokenType, start: number, before?: number): void {
    if (this.#flow || this.#indent >= column) return;
    this.#indents.push(this.#indent);
    this.#indent = column;
    if (this.#indents.length > limits.depth) throw new YamlError(start, `nested deeper than ${limits.depth} levels`, 'too_deep');
    this.#add(type, start, '', false, before);
  }

  #unrollIndent(column: number): void {
    if (this.#flow) return;
    while (this.#indent > column) {
      this.#add('block-end', this.#cursor.at);
      this.#indent = this.#indents.pop() ?? -1;
    }
  }

  #skipToToken(): void {
    const cursor = this.#cursor;
    for (;;) {
      if (cursor.column === 0 && cursor.code() === 0xfeff) cursor.at++;
      while (cursor.code() === 0x20 || (cursor.code() === 0x09 && (this.#flow || !this.#keyAllowed))) cursor.at++;
      if (cursor.code() === 0x23) while (cursor.at < cursor.end && !isBreak(cursor.code())) cursor.at++;
      if (!isBreak(cursor.code())) return;
      cursor.breakLine();
      if (!this.#flow) this.#keyAllowed = true;
    }
  }

  #fetch(): void {
    const cursor = this.#cursor;
    this.#skipToToken();
    this.#unrollIndent(cursor.column);
    const start = cursor.at;
    if (start >= cursor.end) return this.#finish();
    const code = cursor.code();
    if (code === 0x25 && cursor.column === 0) cursor.fail(start, 'kubectl reads no directives such as %YAML; leave the line out');
    if (cursor.atDocumentMark()) return this.#documentMark(code === 0x2d ? 'document-start' : 'document-end');
    const flowMark = flowMarks.get(code);
    if (flowMark) return this.#flowMark(flowMark);
    if (code === 0x2c) return this.#flowEntry();
    const alone = isBlankOrEnd(cursor.code(1));
    if (code === 0x2d && alone) return this.#listEntry();
    if (code === 0x3f && (this.#flow || alone)) return this.#explicitKey();
    if (code === 0x3a && (this.#flow || alone)) return this.#value();
    if (code === 0x2a || code === 0x26) return this.#name(code === 0x2a ? 'alias' : 'anchor');
    if (code === 0x21) return this.#tag();
    if ((code === 0x7c || code === 0x3e) && !this.#flow) return this.#blockScalar();
    if (code === 0x27 || code === 0x22) return this.#quotedScalar(code === 0x27 ? "'" : '"');
    if (this.#startsPlain(code)) return this.#plainScalar();
    return cursor.fail(
      start,
      code === 0x09 ? 'a tab cannot indent; use spaces' : `${String.fromCharCode(code)} cannot start a value; quote it`,
    );
  }

  #startsPlain(code: number): boolean {
    if (code === 0x2d) return !isBlank(this.#cursor.code(1));
    if (code === 0x3f || code === 0x3a) return !this.#flow && !isBlankOrEnd(this.#cursor.code(1));
    return !isBlankOrEnd(code) && !indicators.has(code);
  }

  #finish(): void {
    this.#unrollIndent(-1);
    this.#removeKey();
    this.#keyAllowed = false;
    this.#add('stream-end', this.#cursor.at);
    this.#ended = true;
  }

  #documentMark(type: TokenType): void {
    this.#unrollIndent(-1);
    this.#removeKey();
    this.#keyAllowed = false;
    this.#add(type, this.#cursor.at);
    this.#cursor.at += 3;
  }

  #flowMark(type: TokenType): void {
    const opens = type === 'flow-list' || type === 'flow-map';
    if (opens) {
      this.#saveKey();
      if (this.#keys.length > limits.depth)
        throw new YamlError(this.#cursor.at, `nested deeper than ${limits.depth} levels`, 'too_deep');
      this.#keys.push(never);
    } else {
      this.#removeKey();
      const closed = this.#flow ? this.#keys.pop() : undefined;
      if (closed) this.#keyOf.delete(closed.token);
    }
    this.#keyAllowed = opens;
    this.#add(type, this.#cursor.at);
    this.#cursor.at++;
  }

  #flowEntry(): void {
    this.#removeKey();
    this.#keyAllowed = true;
    this.#add('flow-entry', this.#cursor.at++);
  }

  #listEntry(): void {
    const { at, column } = this.#cursor;
    if (!this.#flow) {
      if (!this.#keyAllowed) this.#cursor.fail(at, 'a list item cannot start here; put it on its own line');
      this.#rollIndent(column, 'block-list', at);
    }
    this.#removeKey();
    this.#keyAllowed = true;
    this.#add('list-entry', this.#cursor.at++);
  }

  #explicitKey(): void {
    const { at, column } = this.#cursor;
    if (!this.#flow) {
      if (!this.#keyAllowed) this.#cursor.fail(at, 'a key cannot start here; put it on its own line');
      this.#rollIndent(column, 'block-map', at);
    }
    this.#removeKey();
    this.#keyAllowed = !this.#flow;
    this.#add('key', this.#cursor.at++);
  }

  #value(): void {
    const { at, column } = this.#cursor;
    const key = this.#keys.at(-1) ?? never;
    if (this.#isValid(key)) {
      this.#add('key', key.at, '', false, key.token);
      this.#rollIndent(key.column, 'block-map', key.at, key.token);
      key.possible = false;
      this.#keyOf.delete(key.token);
      this.#keyAllowed = false;
    } else {
      if (!this.#flow) {
        if (!this.#keyAllowed)
          this.#cursor.fail(at, "a second ':' is not allowed here; quote the value or put it on its own line");
        this.#rollIndent(column, 'block-map', at);
      }
      this.#keyAllowed = !this.#flow;
    }
    this.#add('value', this.#cursor.at++);
  }

  #name(type: 'alias' | 'anchor'): void {
    this.#saveKey();
    this.#keyAllowed = false;
    const start = this.#cursor.at;
    word.lastIndex = start + 1;
    const name = word.exec(this.#cursor.source)?.[0] ?? '';
    this.#cursor.at += 1 + name.length;
    const next = this.#cursor.code();
    if (name === '' || !(isBlankOrEnd(next) || '?:,]}%@`'.includes(String.fromCharCode(next))))
      this.#cursor.fail(
        start,
        `${type === 'alias' ? '*' : '&'} needs a name of letters and digits; quote the value if it is text`,
      );
    this.#add(type, start, name);
  }

  #tag(): void {
    this.#saveKey();
    this.#keyAllowed = false;
    const start = this.#cursor.at;
    tagText.lastIndex = start;
    const [whole = '', verbatim, handle = '', suffix = ''] = tagText.exec(this.#cursor.source) ?? [];
    this.#cursor.at += whole.length;
    if (!isBlankOrEnd(this.#cursor.code())) this.#cursor.fail(start, 'a tag ends with a space; quote the value if it is text');
    if (handle !== '' && handle !== '!') this.#cursor.fail(start, `unknown tag handle !${handle}`);
    if (verbatim === '' || (handle === '!' && suffix === '')) this.#cursor.fail(start, 'a tag needs a name');
    this.#add('tag', start, verbatim ?? resolveTag(handle, suffix));
  }

  #blockScalar(): void {
    this.#removeKey();
    this.#keyAllowed = true;
    const start = this.#cursor.at;
    this.#add('scalar', start, this.#cursor.block(this.#indent));
  }

  #quotedScalar(quote: "'" | '"'): void {
    this.#saveKey();
    this.#keyAllowed = false;
    const start = this.#cursor.at;
    this.#add('scalar', start, this.#cursor.quoted(quote));
  }

  #plainScalar(): void {
    this.#saveKey();
    this.#keyAllowed = false;
    const start = this.#cursor.at;
    this.#add('scalar', start, this.#cursor.plain(this.#indent + 1, this.#flow), true);
    if (this.#cursor.brokeLine) this.#keyAllowed = true;
  }
}

function resolveTag(handle: string, suffix: string): string {
  return handle === '!' ? coreTags + suffix : `!${handle}${suffix}`;
}
