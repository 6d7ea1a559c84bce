import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { formatPath, type JsonObject } from '../../lib/json/index.ts';
import { checkObject } from '../../lib/rejections/index.ts';

/** What the original sent in one case, and what the API server refused of it. */
interface Recording {
  readonly created?: readonly (JsonObject & { readonly kind: string; readonly metadata: { readonly name: string } })[];
  readonly refused?: readonly { readonly kind: string; readonly name: string }[];
}

const folder = resolve(import.meta.dirname, '../render/cases');

test('agrees with the API server on every recorded object', () => {
  let seen = 0;
  const wrong: string[] = [];
  for (const file of readdirSync(folder)) {
    const { created = [], refused = [] } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Recording;
    for (const object of created) {
      seen += 1;
      const errors = checkObject(object).map((error) => `${formatPath(error.field)}: ${error.message}`);
      const isRefused = refused.some((one) => one.kind === object.kind && one.name === object.metadata.name);
      if (errors.length > 0 !== isRefused)
        wrong.push(`${file} ${object.kind} ${object.metadata.name}: ${errors.join('; ') || 'nothing predicted'}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(seen).toBeGreaterThan(1000);
});
