import { limits } from './document.ts';
import { char, isGap, isLineEnd, isWhite } from './yaml-characters.ts';
import { YamlError } from './yaml-error.ts';

/** A place in one YAML document that moves forward only, and knows the column it is at. */
export class YamlSource {
  readonly text: string;
  readonly end: number;
  at: number;
  /** Where the current line begins. */
  lineStart: number;
  /** Where the content of the line that was entered last begins. */
  #lineContent: number;
  #depth = 0;

  constructor(text: string, start: number, end: number) {
    this.text = text;
    this.end = end;
    this.at = start;
    this.lineStart = start;
    this.#lineContent = start;
  }

  get column(): number {
    return this.at - this.lineStart;
  }

  /** Where the content of the current line begins. */
  get contentStart(): number {
    return this.#lineContent;
  }

  /** Whether nothing but white space precedes on this line. */
  get isFirstOnLine(): boolean {
    return this.at === this.#lineContent;
  }

  get isAtEnd(): boolean {
    return this.at >= this.end;
  }

  /** The character here or some way ahead. */
  peek(ahead = 0): number {
    const index = this.at + ahead;
    return index < this.end ? this.text.charCodeAt(index) : char.none;
  }

  /** Whether this character stands here as an indicator: with a gap after it. */
  isIndicator(code: number): boolean {
    return this.peek() === code && isGap(this.peek(1));
  }

  /** Whether `---` or `...` begins this line. */
  isMarker(code: number): boolean {
    if (this.at !== this.lineStart || this.peek() !== code) return false;
    return this.peek(1) === code && this.peek(2) === code && isGap(this.peek(3));
  }

  /** Whether the document is over: its text or by a marker. */
  get isDocumentOver(): boolean {
    return this.isAtEnd || this.isMarker(char.dot) || this.isMarker(char.dash);
  }

  /** Whether nothing but a comment follows on this line. */
  get isLineOver(): boolean {
    const code = this.peek();
    return code === char.none || code === char.hash || isLineEnd(code);
  }

  skipWhite(): void {
    while (isWhite(this.peek())) this.at++;
  }

  skipSpaces(most: number): void {
    for (let count = 0; count < most && this.peek() === char.space; count++) this.at++;
  }

  skipLine(): void {
    while (!isLineEnd(this.peek()) && !this.isAtEnd) this.at++;
  }

  /** Goes over one line end and returns what it stands for. */
  enterLine(): string {
    const code = this.peek();
    this.at += this.#lineEndLength(code);
    this.lineStart = this.at;
    this.#lineContent = this.at;
    return code === char.lineSeparator || code === char.paragraphSeparator ? String.fromCharCode(code) : '\n';
  }

  /** kubectl takes one carriage return from before each line feed; its parser then takes a pair of them for one line end. */
  #lineEndLength(code: number): number {
    if (code !== char.return) return 1;
    if (this.peek(1) === char.lineFeed) return 2;
    return this.peek(1) === char.return && this.peek(2) === char.lineFeed ? 3 : 1;
  }

  /** Declares the content of the line to begin here. */
  beginContent(): void {
    this.#lineContent = this.at;
  }

  /** Goes to the next content of block style. Tabs are no indentation: they are allowed after something that cannot be indented further. */
  toBlockContent(tabs: 'tabs' | 'no tabs'): void {
    let white = tabs === 'tabs';
    for (;;) {
      if (white) this.skipWhite();
      else this.skipSpaces(Infinity);
      const code = this.peek();
      if (code === char.tab) throw new YamlError(this.at, 'a tab cannot indent; use spaces');
      if (code === char.hash) this.skipLine();
      if (!isLineEnd(this.peek())) break;
      this.enterLine();
      this.skipSpaces(Infinity);
      this.beginContent();
      white = false;
    }
  }

  /** Goes to the next content inside brackets or braces, where lines and indentation mean nothing. */
  toFlowContent(): void {
    for (;;) {
      this.skipWhite();
      if (this.peek() === char.hash) this.skipLine();
      if (!isLineEnd(this.peek())) return;
      this.enterLine();
      this.skipWhite();
      this.beginContent();
    }
  }

  /** Counts a map or list that begins here; `leave` is its end. */
  enter(): void {
    if (++this.#depth > limits.depth) throw new YamlError(this.at, `nested deeper than ${limits.depth} levels`, 'too_deep');
  }

  leave(): void {
    this.#depth--;
  }
}
