import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { lintRules } from '../../lib/lint/index.ts';
import { explainRule, ruleIndex, rulePage } from '../../lib/lint/page.ts';

const folder = resolve(import.meta.dirname, '../../docs/rules');

/** Text as the formatter sees it: one kind of quotes. */
function withOneQuote(text: string): string {
  return text.replaceAll('"', "'");
}

test('docs/rules has a page for every rule, as the registry says it; npm run generate writes them', () => {
  const pages = new Map([
    ['README.md', ruleIndex(lintRules)],
    ...lintRules.map((rule) => [`${rule.id}.md`, rulePage(rule)] as const),
  ]);
  expect(readdirSync(folder).sort()).toEqual([...pages.keys()].sort());
  for (const [name, text] of pages) expect(withOneQuote(readFileSync(`${folder}/${name}`, 'utf8'))).toBe(withOneQuote(text));
});

test('every rule can be explained', () => {
  for (const rule of lintRules) {
    const text = explainRule(rule);
    expect(text).toContain(rule.id);
    expect(text).toContain(`Why: ${rule.why}`);
    expect(text.endsWith('\n')).toBe(true);
  }
});
