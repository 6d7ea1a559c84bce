/** Types are the part of the generated files that takes no bundler, so that these tests are quick. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderTypes } from '../../scripts/generate/types.ts';

const committed = readFileSync(new URL('../../lib/api/generated/types.ts', import.meta.url), 'utf8');

test('the types that programs compile against are those of the schema (npm run generate)', () => {
  expect(renderTypes()).toBe(committed);
});
