import { expect, test } from 'vitest';
import { printable, printableLines } from '../../lib/json/index.ts';

// Control characters, and those by which a text looks like another: https://www.unicode.org/reports/tr36/
test.each([
  '\u0000',
  '\u0007',
  '\u001b',
  '\u001f',
  '\u007f',
  '\u0085',
  '\u009b',
  '\u061c',
  '\u200e',
  '\u200f',
  '\u2028',
  '\u2029',
  '\u202a',
  '\u202e',
  '\u2066',
  '\u2069',
  '\ufeff',
])('escapes %j, on one line and on several', (character) => {
  const escaped = `a\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}b`;
  expect([printable(`a${character}b`), printableLines(`a${character}b`)]).toEqual([escaped, escaped]);
});

test('escapes line feeds and tabs on one line only, and carriage returns always', () => {
  expect(printable('a\n\tb\r')).toBe('a\\n\\tb\\r');
  expect(printableLines('a\n\tb\r')).toBe('a\n\tb\\r');
});

test('leaves other characters alone', () => {
  const text = ' ~\u00a0é😀\u2027\u202f\u2065';
  expect([printable(text), printableLines(text)]).toEqual([text, text]);
});
