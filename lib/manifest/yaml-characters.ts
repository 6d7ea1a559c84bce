/** Character codes that have a meaning in YAML. */
export const char = {
  none: -1,
  tab: 0x09,
  lineFeed: 0x0a,
  return: 0x0d,
  space: 0x20,
  exclamation: 0x21,
  doubleQuote: 0x22,
  hash: 0x23,
  ampersand: 0x26,
  singleQuote: 0x27,
  asterisk: 0x2a,
  plus: 0x2b,
  comma: 0x2c,
  dash: 0x2d,
  dot: 0x2e,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  less: 0x3c,
  greater: 0x3e,
  question: 0x3f,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  bar: 0x7c,
  closeBrace: 0x7d,
  nextLine: 0x85,
  lineSeparator: 0x2028,
  paragraphSeparator: 0x2029,
} as const;

/** Whether a character ends a line in YAML 1.1. */
export function isLineEnd(code: number): boolean {
  if (code > char.nextLine) return code === char.lineSeparator || code === char.paragraphSeparator;
  return code === char.lineFeed || code === char.return || code === char.nextLine;
}

/** Whether a character is a space or a tab. */
export function isWhite(code: number): boolean {
  return code === char.space || code === char.tab;
}

/** Whether a character ends a token: whitespace, a line end or the end of the document. */
export function isGap(code: number): boolean {
  return isWhite(code) || isLineEnd(code) || code === char.none;
}
