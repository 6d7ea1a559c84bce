import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { built } from './built.ts';

const root = resolve(import.meta.dirname, '..');
const text = readFileSync(join(root, 'README.md'), 'utf8');
const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].map(([, language = '', body = '']) => ({ language, body }));

const project = mkdtempSync(join(tmpdir(), 'readme-'));
afterAll(() => rmSync(project, { recursive: true }));

/** A project that has this package and its peers, as a reader would have after an install. */
beforeAll(() => {
  mkdirSync(join(project, 'node_modules/.bin'), { recursive: true });
  for (const name of ['cdk8s', 'cdk8s-plus-28', 'constructs', 'tsx'])
    symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
  symlinkSync(root, join(project, 'node_modules/dynamo-cdk8s'));
  symlinkSync(built('cli/dynamo-cdk8s.js'), join(project, 'node_modules/.bin/dynamo-cdk8s'));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
});

function shell(command: string): string {
  const PATH = [join(project, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter);
  return execFileSync('bash', ['-euo', 'pipefail', '-c', command], {
    cwd: project,
    encoding: 'utf8',
    env: { ...process.env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

test('every block of the README has a language that this test knows how to run', () => {
  expect(blocks.map((b) => b.language)).toEqual(['ts', 'console', 'sh', 'sh', 'sh']);
});

test('the example runs, warns of nothing and writes its manifest', () => {
  writeFileSync(join(project, 'graph-of-readme.ts'), blocks[0]?.body ?? '');
  expect(shell('node --import tsx graph-of-readme.ts 2>&1')).toBe('');
  const written = readFileSync(join(project, 'dist/inference.k8s.yaml'), 'utf8');
  expect(written).toContain('kind: DynamoGraphDeployment');
  expect(text).toContain(`of ${written.trim().split('\n').length} lines`);
});

test('the command prints what the README shows', () => {
  const [line = '', ...shown] = (blocks[1]?.body ?? '').split('\n');
  expect(shell(line.replace(/^\$ /, ''))).toBe(shown.join('\n'));
});

test('the two install commands are the ones that continuous integration runs', () => {
  const lines = (blocks[2]?.body ?? '')
    .trim()
    .split('\n')
    .map((l) => l.replace(/ +#.*/, ''));
  expect(lines).toEqual(['npm ci && npm run synth', 'npm ci && npm test']);
  expect(readFileSync(join(root, '.ci/run'), 'utf8')).toContain("grep -E '^npm ci && ' README.md");
});

test('every command of the tour succeeds', () => {
  for (const line of (blocks[3]?.body ?? '').trim().split('\n')) expect(() => shell(line), line).not.toThrow();
  for (const path of ['platform', 'deploy/overlays', 'graph.ts']) expect(existsSync(join(project, path)), path).toBe(true);
});

test('every link leads somewhere', () => {
  const targets = [...text.matchAll(/\]\((?!http)([^)#]+)/g)].map((m) => m[1] ?? '');
  expect(targets.filter((t) => !existsSync(join(root, t)))).toEqual([]);
});

test('the README fits on a screen or two', () => {
  expect(text.split('\n').length).toBeLessThan(100);
});
