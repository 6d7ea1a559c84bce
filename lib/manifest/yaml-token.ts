/** What a stretch of YAML text is to the grammar. */
export type TokenType =
  | 'stream-end'
  | 'document-start'
  | 'document-end'
  | 'block-list'
  | 'block-map'
  | 'block-end'
  | 'flow-list'
  | 'flow-list-end'
  | 'flow-map'
  | 'flow-map-end'
  | 'flow-entry'
  | 'list-entry'
  | 'key'
  | 'value'
  | 'alias'
  | 'anchor'
  | 'tag'
  | 'scalar';

/** One token; `text` is a scalar's content, an anchor's or alias's name, a tag in full. */
export interface Token {
  readonly type: TokenType;
  readonly start: number;
  readonly text: string;
  /** Whether a scalar is written without quotes and so may be more than text. */
  readonly plain: boolean;
}

/** Thrown where a text is not YAML to kubectl. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
  readonly offset: number;
  readonly code: 'syntax' | 'too_deep';

  constructor(offset: number, message: string, code: 'syntax' | 'too_deep' = 'syntax') {
    super(message);
    this.offset = offset;
    this.code = code;
  }
}

/** Whether a character ends a line; the last three are YAML 1.1's. */
export function isBreak(code: number): boolean {
  return code === 0x0a || code === 0x0d || code === 0x85 || code === 0x2028 || code === 0x2029;
}

/** Whether a character is a space or a tab. */
export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** Whether a character is blank, ends a line or stands for the end of the text. */
export function isBlankOrEnd(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0 || isBreak(code);
}
