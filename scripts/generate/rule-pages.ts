import { format, resolveConfig } from 'prettier';
import { lintRules } from '../../lib/lint/index.ts';
import { ruleIndex, rulePage } from '../../lib/lint/page.ts';

/** The pages of docs/rules: one for each lint rule, and an index. */
export async function rulePages(): Promise<Readonly<Record<string, string>>> {
  const options = { ...(await resolveConfig(import.meta.filename)), parser: 'markdown' };
  const pages: Record<string, string> = { 'README.md': await format(ruleIndex(lintRules), options) };
  for (const rule of lintRules) pages[`${rule.id}.md`] = await format(rulePage(rule), options);
  return pages;
}
