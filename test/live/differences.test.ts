import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { liveDifferencesPage } from '../../scripts/generate/live-differences-page.ts';

test('the page about wanted differences is made from their list', async () => {
  const page = readFileSync(new URL('../../docs/live-differences.md', import.meta.url), 'utf8');
  expect(page).toBe(await liveDifferencesPage());
});
