import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** What users and contributors read: code with its comments and messages, pages, examples. */
const read = [
  'lib',
  'docs',
  'scripts',
  'bench',
  'tools',
  'examples',
  'main.ts',
  'environment.ts',
  'README.md',
  'CONTRIBUTING.md',
];

/** Words that make a reader stop, and what to write instead. */
const banned: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bforet(ell|old)\w*/i, 'predict'],
  [/\bforesight\b/i, 'default rendering'],
  [/\bdress(es|ed|ing)?\b/i, 'configure'],
  [/\bsurround\w*/i, 'dependencies, index, snapshot'],
  [/\bstrange\w*/i, 'what is wrong with it'],
  [/\bsilenc\w*/i, 'suppress, or say what is missing'],
  [/\btexts\b/i, 'strings, files, messages'],
  [/\bha(s|ve|d) had (its|their) say\b/i, 'who decides, and when'],
  [/\bof what \w+ takes it of\b/i, 'the rule, with the page that has it'],
  [/\bno number to anyone\b/i, 'the rule, with the page that has it'],
  [/\b(bring|brings|brought) (it|them) to life\b/i, 'start'],
];

function files(entry: string): readonly string[] {
  const path = join(root, entry);
  if (statSync(path).isFile()) return [entry];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((file) => join(entry, file))
    .filter((file) => /\.(ts|mjs|md)$/.test(file) && !file.includes('/generated/'));
}

/** Parts of names count as words. */
const words = (text: string): string => text.replaceAll(/([a-z])([A-Z])/g, '$1 $2');

test('code, messages and pages use plain words', () => {
  const found = read.flatMap(files).flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        banned
          .filter(([pattern]) => pattern.test(words(line)))
          .map(([pattern, instead]) => `${file}:${index + 1}: '${pattern.exec(words(line))?.[0]}', write: ${instead}`),
      ),
  );
  expect(found).toEqual([]);
});

test.each([
  ['// foretells what the API server says', true],
  ['const joinTexts = 1;', true],
  ['the address of a Service', false],
  ['a text', false],
])('%s is found: %s', (line, isFound) => {
  expect(banned.some(([pattern]) => pattern.test(words(line)))).toBe(isFound);
});
