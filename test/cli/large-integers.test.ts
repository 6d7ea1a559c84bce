import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderWith, run } from './run.ts';

/** Above `Number.MAX_SAFE_INTEGER`: a JavaScript number would lose its last digits. */
const large = '9223372036854775806';
const values = `nats:\n  podTemplate:\n    merge:\n      spec:\n        terminationGracePeriodSeconds: ${large}\n`;

const contentOf = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');

test('platform prints every digit of a large integer', async () => {
  const folder = folderWith({ 'values.yaml': values });
  const { code, out } = await run(['platform', '-f', join(folder, 'values.yaml')]);
  expect([code, out.includes(large)]).toEqual([0, true]);
});

test.each([
  ['plain', []],
  ['helm', []],
  ['argocd', ['--repo-url', 'https://git.example.com/models']],
  ['flux', ['--repo-url', 'https://git.example.com/models']],
])('gitops writes every digit of a large integer: layout %s', async (layout, options) => {
  const folder = folderWith({ 'values.yaml': values });
  const out = join(folder, 'out');
  const { code } = await run(['gitops', '--layout', layout, '-f', join(folder, 'values.yaml'), ...options, '-o', out]);
  expect([code, contentOf(out).includes(large)]).toEqual([0, true]);
});

test('gitops patches every digit of a large integer into an overlay of kustomize', async () => {
  const folder = folderWith({ 'large.yaml': values, 'usual.yaml': '{}\n' });
  const out = join(folder, 'out');
  const environments = ['--env', `a=${join(folder, 'large.yaml')}`, '--env', `b=${join(folder, 'usual.yaml')}`];
  const { code } = await run(['gitops', '--layout', 'kustomize', ...environments, '--env-namespace', 'b=other', '-o', out]);
  expect([code, contentOf(join(out, 'overlays/a')).includes(large)]).toEqual([0, true]);
});
