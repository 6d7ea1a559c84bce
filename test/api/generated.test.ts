import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generatedFiles } from '../../scripts/generate/files.ts';
import { generateImports } from '../../scripts/generate/imports.ts';

const root = new URL('../../', import.meta.url);

test('the generated types and validators are up to date (npm run generate)', async () => {
  for (const [name, text] of Object.entries(await generatedFiles())) {
    expect(readFileSync(new URL(`lib/api/generated/${name}`, root), 'utf8') === text, name).toBe(true);
  }
});

test('the generated validators load nothing', () => {
  const text = readFileSync(new URL('lib/api/generated/validators.js', root), 'utf8');
  expect(/^import |\brequire\(|\beval\(|new Function/m.exec(text)).toBeNull();
});

test('imports/ is up to date (npm run imports)', () => {
  expect(readFileSync(new URL('imports/nvidia.com.ts', root), 'utf8') === generateImports()).toBe(true);
});
