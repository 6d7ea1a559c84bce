import { spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeFiles } from '../../lib/files/index.ts';
import { bundleProgram } from '../bundle-program.ts';
import { folderWith, run } from '../cli/run.ts';

const files = ['a/b.txt', 'c.txt'].map((path) => ({ path, text: 'new' }));

test('writes no file when one of them cannot be written, and takes back folders it made', () => {
  const at = folderWith({ 'c.txt': 'old' });
  chmodSync(join(at, 'c.txt'), 0o444);
  expect(writeFiles(at, files)).toEqual({ path: 'c.txt', reason: 'it is read-only' });
  expect(readdirSync(at)).toEqual(['c.txt']);
  expect(readFileSync(join(at, 'c.txt'), 'utf8')).toBe('old');
});

test('writes where a link leads that leads nowhere yet, and keeps the link', () => {
  const at = folderWith({});
  mkdirSync(join(at, 'real'));
  symlinkSync('real/c.txt', join(at, 'c.txt'));
  expect(writeFiles(at, files)).toBeUndefined();
  expect(lstatSync(join(at, 'c.txt')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(at, 'real/c.txt'), 'utf8')).toBe('new');
});

test.each([
  ['platform', '-o', '.'],
  ['platform', '-o', './'],
  ['gitops', '--layout', 'kustomize', '-o', '.'],
  ['crds', '-o', '.'],
  ['crds', '--format', 'jsonschema', '-o', '.'],
])('%s %s %s: writes into the very folder a shell stands in, beside what is there', async (...argv) => {
  const at = folderWith({ 'mine.yaml': 'mine' });
  const { ino } = statSync(at);
  for (let round = 0; round < 2; round++) {
    const { code, err } = await run(argv, { cwd: at });
    expect(code, err).toBe(0);
    expect(statSync(at).ino).toBe(ino);
    expect(readFileSync(join(at, 'mine.yaml'), 'utf8')).toBe('mine');
    expect(readdirSync(at).length).toBeGreaterThan(2);
    expect(readdirSync(at).filter((name) => /^\.dynamo-cdk8s-(?!files$)/.test(name))).toEqual([]);
  }
});

/** Runs a line of bash in which `dynamo-cdk8s` is this command line. */
async function bash(cwd: string, line: string): Promise<{ readonly status: number | null; readonly stderr: string }> {
  const program = `node "${await bundleProgram('lib/cli/bin.ts')}"`;
  return spawnSync('bash', ['-c', line.replaceAll('dynamo-cdk8s', program)], { cwd, encoding: 'utf8' });
}

test.each(['init new', 'crds -o new', 'editor --schemas new'])('%s leaves nothing on a full disk', async (argv) => {
  const at = folderWith({});
  const { status, stderr } = await bash(at, `ulimit -f 1; dynamo-cdk8s ${argv}`);
  expect(stderr).toContain('cannot be written (it would exceed the largest file size allowed)');
  expect(stderr).not.toContain('internal error');
  expect(status).toBe(1);
  expect(readdirSync(at)).toEqual([]);
});

test.each(['crds', '--version', '--help', 'validate --help'])('stdout of %s on a full disk is told in words', async (argv) => {
  const { status, stderr } = await bash(folderWith({}), `dynamo-cdk8s ${argv} > /dev/full`);
  expect(stderr).toBe('dynamo-cdk8s: the output cannot be written (the disk is full)\n');
  expect(status).toBe(1);
});

test('init rejects a package.json that is read-only and leaves the folder as it was', async () => {
  const at = folderWith({});
  writeFileSync(join(at, 'package.json'), '{}', { mode: 0o444 });
  const { code, err } = await run(['init', '.'], { cwd: at });
  expect(err).toContain('cannot be written (it is read-only)');
  expect(code).toBe(1);
  expect(readdirSync(at)).toEqual(['package.json']);
});
