import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { registry } from '../../lib/lint/index.ts';
import { explainRule } from '../../lib/lint/page.ts';
import { rulePages } from '../../scripts/generate/rule-pages.ts';

const folder = resolve(import.meta.dirname, '../../docs/rules');

test('docs/rules has a page for every rule, as the registry says it; npm run generate writes them', async () => {
  const pages = await rulePages();
  expect(readdirSync(folder).sort()).toEqual(Object.keys(pages).sort());
  for (const [name, text] of Object.entries(pages)) expect(readFileSync(`${folder}/${name}`, 'utf8')).toBe(text);
});

test('every rule can be explained', () => {
  for (const rule of registry) {
    const text = explainRule(rule);
    expect(text).toContain(rule.id);
    expect(text).toContain(`Why: ${rule.why}`);
    expect(text.endsWith('\n')).toBe(true);
  }
});
