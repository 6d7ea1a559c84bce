import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { growthOf, type Growth } from './ambiguity.ts';
import { expressionsIn } from './expressions-in.ts';

const root = resolve(import.meta.dirname, '../..');

/** Expressions whose input has a bound, so that their growth costs nothing. By file and source, each with the bound. */
const bounded: Readonly<Record<string, string>> = {
  'lib/graph/user-line.ts /\\(?((?:file:\\/\\/)?\\/[^()]*|[A-Za-z]:\\\\[^()]*):(\\d+):(\\d+)\\)?$/':
    'reads a line of our own stack, cut to 1,000 characters',
};

const files = readdirSync(join(root, 'lib'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(?:ts|js)$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name));

test('no regular expression in lib takes time that grows faster than its input', () => {
  const growing: string[] = [];
  const used = new Set<string>();
  let count = 0;
  for (const file of files) {
    for (const { line, pattern, flags } of expressionsIn(readFileSync(file, 'utf8'))) {
      count++;
      const growth = growthOf(pattern, flags);
      const key = `${relative(root, file)} /${pattern}/`;
      if (growth === undefined) continue;
      if (Object.hasOwn(bounded, key)) used.add(key);
      else growing.push(`${relative(root, file)}:${line} ${growth} /${pattern}/${flags}`);
    }
  }
  expect(growing).toEqual([]);
  expect([...used]).toEqual(Object.keys(bounded));
  expect(count).toBeGreaterThan(300);
});

test.each<[RegExp, Growth | undefined]>([
  [/(a+)+$/, 'exponential'],
  [/(?:a*)*b/, 'exponential'],
  [/^(a|a)*$/, 'exponential'],
  [/^(?:a|ab|b)*c/, 'exponential'],
  [/^a*a*b/, 'polynomial'],
  [/^\d+\.?\d*$/, 'polynomial'],
  [/\s*\n\s*/g, 'polynomial'],
  [/\n+$/, 'polynomial'],
  [/"(?:[^"\\]|\\.)*"/, 'polynomial'],
  [/x(?=\s*y\s*z)|\s+$/, 'polynomial'],
  [/"(?:[^"\\]|\\.)*"/y, undefined],
  [/-+/g, undefined],
  [/^\s+/, undefined],
  [/^[a-z]+(?:-[a-z]+)*$/, undefined],
  [/^\d+(?:\.\d*)?$/, undefined],
  [/^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/, undefined],
  [/(?:a{1,9}){1,9}$/, undefined],
])('tells how %s grows: %s', (expression, growth) => {
  expect(growthOf(expression.source, expression.flags)).toBe(growth);
});
