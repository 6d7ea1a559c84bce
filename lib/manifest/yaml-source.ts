import { limits } from './document.ts';
import { char, isGap, isLineEnd, isWhite } from './yaml-characters.ts';
import { YamlError } from './yaml-error.ts';

/** A cursor in one YAML document that only moves forward and knows its column. */
export class YamlSource {
  readonly text: string;
  readonly end: number;
  at: number;
  /** Where the current line begins. */
  lineStart: number;
  /** Where the content of the current line begins. */
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

  /** Whether only whitespace precedes on this line. */
  get isFirstOnLine(): boolean {
    return this.at === this.#lineContent;
  }

  get isAtEnd(): boolean {
    return this.at >= this.end;
  }

  /** The code of the character here, or of one further ahead. */
  peek(ahead = 0): number {
    const index = this.at + ahead;
    return index < this.end ? this.text.charCodeAt(index) : char.none;
  }

  /** Whether this character is an indicator here: followed by whitespace or a line end. */
  isIndicator(code: number): boolean {
    return this.peek() === code && isGap(this.peek(1));
  }

  /** Whether `---` or `...`, given by its character, begins this line. */
  isMarker(code: number): boolean {
    if (this.at !== this.lineStart || this.peek() !== code) return false;
    return this.peek(1) === code && this.peek(2) === code && isGap(this.peek(3));
  }

  /** Whether the document ends here, by a marker or at the end of its content. */
  get isDocumentOver(): boolean {
    return this.isAtEnd || this.isMarker(char.dot) || this.isMarker(char.dash);
  }

  /** Whether the rest of this line is empty or a comment. */
  get isLineOver(): boolean {
    const code = this.peek();
    return code === char.none || code === char.hash || isLineEnd(code);
  }

  skipWhite(): void {
    while (isWhite(this.peek())) this.at++;
  }

  skipSpaces(limit: number): void {
    for (let count = 0; count < limit && this.peek() === char.space; count++) this.at++;
  }

  skipLine(): void {
    while (!isLineEnd(this.peek()) && !this.isAtEnd) this.at++;
  }

  /** Moves past one line end and returns it as a line feed or as the Unicode separator it is. */
  enterLine(): string {
    const code = this.peek();
    this.at += this.#lineEndLength(code);
    this.lineStart = this.at;
    this.#lineContent = this.at;
    return code === char.lineSeparator || code === char.paragraphSeparator ? String.fromCharCode(code) : '\n';
  }

  /** kubectl strips one carriage return before each line feed; its parser then reads a remaining CR LF as one line end. */
  #lineEndLength(code: number): number {
    if (code !== char.return) return 1;
    if (this.peek(1) === char.lineFeed) return 2;
    return this.peek(1) === char.return && this.peek(2) === char.lineFeed ? 3 : 1;
  }

  /** Records that the content of the current line begins here. */
  beginContent(): void {
    this.#lineContent = this.at;
  }

  /** Moves to the next content in block style. Tabs cannot indent; `tabs` allows them on the current line, where no nested block can begin. */
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

  /** Moves to the next content in flow style, where lines and indentation have no meaning. */
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

  /** Counts a map or list that begins here; `leave` counts its end. */
  enter(): void {
    if (++this.#depth > limits.depth) throw new YamlError(this.at, `nested deeper than ${limits.depth} levels`, 'too_deep');
  }

  leave(): void {
    this.#depth--;
  }
}
