import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { exitCode } from '../../lib/cli/exit-code.ts';
import { run } from './run.ts';

const cli = resolve(import.meta.dirname, '../../lib/cli');

test('are 0 for done, 1 for wrong input, 2 for a fault of ours', () => {
  expect(exitCode).toEqual({ done: 0, wrongInput: 1, internalError: 2 });
});

test('are written as numbers nowhere else', () => {
  const literal = /\breturn [012];|\bdone\([012]\)|\bexitCode = [012]|\? [012] : [012]\b/;
  const files = readdirSync(cli, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((name) => literal.test(readFileSync(join(cli, name), 'utf8')))).toEqual([]);
});

test('a usage error is wrong input, help is done', async () => {
  expect((await run(['validate', '--nonsense'])).code).toBe(exitCode.wrongInput);
  expect((await run(['nonsense'])).code).toBe(exitCode.wrongInput);
  expect((await run(['validate', '--help'])).code).toBe(exitCode.done);
});
