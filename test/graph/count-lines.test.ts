import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { countFamilies, countLines, describeCount } from '../../scripts/count-lines.ts';

test('examples are a fraction of the YAML they replace', () => {
  for (const count of countFamilies()) expect(count.authored / count.yaml, count.family).toBeLessThanOrEqual(count.limit);
});

test('blank lines and comments do not count', () => {
  expect(countLines('import a;\n\n// b\n/** c\n * d */\nconst e = 1; /* f */\n')).toBe(2);
});

test('the documentation shows the count as it is', () => {
  const page = readFileSync(new URL('../../docs/examples.md', import.meta.url), 'utf8');
  const rows = page.replaceAll(/ +/g, ' ');
  for (const count of countFamilies()) expect(rows).toContain(describeCount(count));
});
