import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
const table = page.slice(page.indexOf('## Where is what'));
const rows = [...table.matchAll(/^\| (.+?) +\| `([^`]+)` +\| `([^`]+)` +\|$/gm)].map(([, rule = '', file = '', name = '']) => ({
  rule,
  file,
  name,
}));

test('the page ends with the table, one line a rule', () => {
  expect(rows.length).toBeGreaterThanOrEqual(100);
  expect(
    table
      .trimEnd()
      .split('\n')
      .filter((line) => line.startsWith('|')).length,
  ).toBe(rows.length + 2);
  expect(table.trimEnd().endsWith('|')).toBe(true);
  expect(new Set(rows.map(({ rule }) => rule)).size).toBe(rows.length);
});

test.each(rows)('$rule: $file has $name', ({ file, name }) => {
  const path = join(root, 'lib', file);
  expect(existsSync(path)).toBe(true);
  const declaration = new RegExp(`^export (?:async |abstract )?(?:function\\*?|const|class|interface|type) ${name}\\b`, 'm');
  expect(readFileSync(path, 'utf8')).toMatch(declaration);
});
