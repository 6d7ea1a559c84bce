import { isBlank, isBlankOrEnd, isBreak, YamlError } from './yaml-token.ts';

const escapes: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\u0007',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\u001b',
  ' ': ' ',
  '"': '"',
  "'": "'",
  '\\': '\\',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
};
const escapeLengths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const simpleSingle = /'[^'\n\r\u0085\u2028\u2029]*'(?!')/y;
const simpleDouble = /"[^"\\\n\r\u0085\u2028\u2029]*"/y;

/** A place in a text that moves over characters, line breaks and the four forms of scalars. */
export class YamlCursor {
  readonly source: string;
  readonly end: number;
  at: number;
  line = 0;
  lineStart: number;
  /** Set where a plain scalar ended at a line break. */
  brokeLine = false;

  constructor(source: string, start: number, end: number) {
    this.source = source;
    this.at = start;
    this.lineStart = start;
    this.end = end;
  }

  get column(): number {
    return this.at - this.lineStart;
  }

  /** The character `ahead` of here, 0 past the end. */
  code(ahead = 0): number {
    const index = this.at + ahead;
    return index < this.end ? this.source.charCodeAt(index) : 0;
  }

  fail(offset: number, message: string): never {
    throw new YamlError(offset, message);
  }

  /** Moves over one line break and returns it as content. */
  breakLine(): string {
    const code = this.code();
    if (!isBreak(code)) return '';
    this.at += code === 0x0d && this.code(1) === 0x0a ? 2 : 1;
    this.line++;
    this.lineStart = this.at;
    return code === 0x2028 || code === 0x2029 ? String.fromCharCode(code) : '\n';
  }

  /** Whether `---` or `...` stands alone here at the start of a line. */
  atDocumentMark(): boolean {
    if (this.at !== this.lineStart) return false;
    const code = this.code();
    return (code === 0x2d || code === 0x2e) && this.code(1) === code && this.code(2) === code && isBlankOrEnd(this.code(3));
  }

  /** Reads an unquoted scalar; `indent` is the column its further lines need outside of brackets. */
  plain(indent: number, flow: boolean): string {
    let text = '';
    let gap = '';
    this.brokeLine = false;
    while (!this.atDocumentMark() && this.code() !== 0x23) {
      const from = this.at;
      while (!this.endsPlain(flow)) this.at++;
      if (this.at > from) {
        text += gap + this.source.slice(from, this.at);
        gap = '';
        this.brokeLine = false;
      }
      if (!isBlankOrEnd(this.code()) || this.at >= this.end) break;
      gap = this.gap(indent, true);
      if (!flow && this.column < indent) break;
    }
    return text;
  }

  private endsPlain(flow: boolean): boolean {
    const code = this.code();
    if (isBlankOrEnd(code)) return true;
    if (code === 0x3a) return isBlankOrEnd(this.code(1));
    return flow && (code === 0x2c || code === 0x3f || code === 0x5b || code === 0x5d || code === 0x7b || code === 0x7d);
  }

  /** Moves over blanks and line breaks inside a scalar and returns what they fold to. */
  private gap(indent: number, plain: boolean, broken = false): string {
    let first = '';
    let more = '';
    const from = this.at;
    for (let code = this.code(); isBlank(code) || isBreak(code); code = this.code()) {
      if (isBlank(code)) {
        if (plain && this.brokeLine && code === 0x09 && this.column < indent)
          this.fail(this.at, 'a tab cannot indent; use spaces');
        this.at++;
      } else if (!broken) {
        first = this.breakLine();
        broken = true;
        if (plain) this.brokeLine = true;
      } else more += this.breakLine();
    }
    if (!broken) return this.source.slice(from, this.at);
    if (first === '\n') return more === '' ? ' ' : more;
    return first + more;
  }

  /** Reads a quoted scalar. */
  quoted(quote: "'" | '"'): string {
    const simple = quote === "'" ? simpleSingle : simpleDouble;
    const start = this.at;
    simple.lastIndex = start;
    if (simple.test(this.source) && simple.lastIndex <= this.end) {
      this.at = simple.lastIndex;
      return this.source.slice(start + 1, this.at - 1);
    }
    this.at++;
    let text = '';
    for (;;) {
      if (this.atDocumentMark()) this.fail(start, 'this quoted text meets the end of its document');
      if (this.at >= this.end) this.fail(start, 'this quoted text has no end');
      const run = this.quotedRun(quote);
      text += run.text;
      if (this.source[this.at] === quote && this.at < this.end) break;
      text += this.gap(0, false, run.joined);
    }
    this.at++;
    return text;
  }

  private quotedRun(quote: string): { readonly text: string; readonly joined: boolean } {
    let text = '';
    while (!isBlankOrEnd(this.code())) {
      const character = this.source[this.at] ?? '';
      if (character === quote) {
        if (quote === '"' || this.code(1) !== 0x27) break;
        text += "'";
        this.at += 2;
      } else if (character === '\\' && quote === '"') {
        if (isBreak(this.code(1))) {
          this.at++;
          this.breakLine();
          return { text, joined: true };
        }
        text += this.escape();
      } else {
        text += character;
        this.at++;
      }
    }
    return { text, joined: false };
  }

  private escape(): string {
    const name = this.source[this.at + 1] ?? '';
    const known = Object.hasOwn(escapes, name) ? escapes[name] : undefined;
    const length = Object.hasOwn(escapeLengths, name) ? (escapeLengths[name] ?? 0) : 0;
    if (known === undefined && length === 0) this.fail(this.at, `unknown escape \\${name} in a quoted text`);
    const digits = this.source.slice(this.at + 2, Math.min(this.at + 2 + length, this.end));
    if (digits.length < length || /[^0-9a-fA-F]/.test(digits)) this.fail(this.at, `\\${name} needs ${length} hexadecimal digits`);
    const value = length === 0 ? 0 : Number.parseInt(digits, 16);
    if ((value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff) this.fail(this.at, `\\${name}${digits} is not a character`);
    this.at += 2 + length;
    return known ?? String.fromCodePoint(value);
  }

  /** Reads a block scalar (`|` or `>`) inside a parent indented by `parent` columns. */
  block(parent: number): string {
    const start = this.at;
    const literal = this.code() === 0x7c;
    this.at++;
    const { chomp, increment } = this.blockHeader(start);
    let indent = increment > 0 ? Math.max(parent, 0) + increment : 0;
    const blank = this.blankLines(indent, parent);
    indent = blank.indent;
    let [text, first, more, wasBlank] = ['', '', blank.text, false];
    while (this.column === indent && this.at < this.end) {
      const startsBlank = isBlank(this.code());
      if (!literal && !wasBlank && !startsBlank && first === '\n') text += more === '' ? ' ' : '';
      else text += first;
      text += more;
      wasBlank = startsBlank;
      const from = this.at;
      while (this.at < this.end && !isBreak(this.code())) this.at++;
      text += this.source.slice(from, this.at);
      first = this.breakLine();
      more = this.blankLines(indent, parent).text;
    }
    return text + (chomp === '-' ? '' : first) + (chomp === '+' ? more : '');
  }

  private blockHeader(start: number): { readonly chomp: string; readonly increment: number } {
    const match = /(?:([-+])([0-9]?)|([0-9])([-+]?))?[ \t]*(?:#[^\n\r\u0085\u2028\u2029]*)?/y;
    match.lastIndex = this.at;
    const [whole = '', chomp, after, before, chompAfter] = match.exec(this.source) ?? [];
    this.at = Math.min(this.at + whole.length, this.end);
    const digit = after ?? before ?? '';
    if (digit === '0') this.fail(start, 'the indentation of a block text cannot be 0');
    if (this.at < this.end && !isBreak(this.code())) this.fail(this.at, 'only a comment may follow | or > on its line');
    this.breakLine();
    return { chomp: chomp ?? chompAfter ?? '', increment: Number(digit) };
  }

  /** Moves over empty lines and the indentation of the next; finds the indentation where it is not known yet (0). */
  private blankLines(known: number, parent: number): { readonly text: string; readonly indent: number } {
    let text = '';
    let widest = 0;
    const most = known === 0 ? Infinity : known;
    for (;;) {
      while (this.column < most && this.code() === 0x20) this.at++;
      widest = Math.max(widest, this.column);
      if (this.column < most && this.code() === 0x09) this.fail(this.at, 'a tab cannot indent; use spaces');
      if (!isBreak(this.code())) break;
      text += this.breakLine();
    }
    return { text, indent: known === 0 ? Math.max(widest, parent + 1, 1) : known };
  }
}
