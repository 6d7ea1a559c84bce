import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { built } from '../built.ts';

test('the operator bundles the connections of undici, not its fetch, caches and mocks, which take memory in every pod', () => {
  // esbuild names the file of each CommonJS module that it bundles.
  const files = readFileSync(built('manager'), 'utf8').match(/node_modules\/undici\/[\w/.-]+\.js/g) ?? [];
  expect(files).toContain('node_modules/undici/lib/dispatcher/pool.js');
  expect(files).not.toContain('node_modules/undici/index.js');
  expect(files.filter((file) => /\/(?:mock|cache|interceptor)\/|web\/(?:fetch\/index|websocket)/.test(file))).toEqual([]);
});
