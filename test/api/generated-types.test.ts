/** Tests of the generated types. They need no bundler, so they are quick. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { crds } from '../../lib/api/crds.ts';
import { kinds } from '../../lib/api/schema/kinds.ts';
import { renderTypes } from '../../scripts/generate/types.ts';

const committed = readFileSync(new URL('../../lib/api/generated/types.ts', import.meta.url), 'utf8');

test('the types that programs compile against are those of the schema (npm run generate)', () => {
  expect(renderTypes()).toBe(committed);
});

test('every kind has a definition, with a status where it has one', () => {
  const hasStatus = crds().map(({ spec }) => JSON.stringify(spec).includes('"status":{"description"'));
  expect(hasStatus).toEqual(kinds.map((kind) => 'status' in kind));
});
