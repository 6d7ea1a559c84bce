import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { planFolder, writeFolder, type FolderPlan, type FolderRequest } from '../../lib/files/index.ts';

function folder(files: Readonly<Record<string, string>> = {}): string {
  const path = mkdtempSync(join(tmpdir(), 'write-folder-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(path, name, '..'), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return path;
}

/** Every file below a folder with its text, the list left out. */
function contents(path: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((e) => e.isFile() && e.name !== '.dynamo-cdk8s-files')
      .map((e): [string, string] => [
        join(e.parentPath, e.name).slice(path.length + 1),
        readFileSync(join(e.parentPath, e.name), 'utf8'),
      ])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const request = (at: string, files: Readonly<Record<string, string>>, more: Partial<FolderRequest> = {}): FolderRequest => ({
  folder: at,
  owner: 'test',
  files: Object.entries(files).map(([path, text]) => ({ path, text })),
  ...more,
});
const write = (at: string, files: Readonly<Record<string, string>>, more: Partial<FolderRequest> = {}): FolderPlan =>
  writeFolder(request(at, files, more));
const lines = ({ changes }: FolderPlan): readonly string[] =>
  changes.map((c) => `${c.change} ${c.path}${c.edited ? ' edited' : ''}`);

test('writes files, tells what it did, and keeps a list that sha256sum can check', () => {
  const at = join(folder(), 'deep/out');
  expect(lines(write(at, { 'b/x.yaml': '1', 'a.yaml': '2' }))).toEqual(['create a.yaml', 'create b/x.yaml']);
  expect(contents(at)).toEqual({ 'a.yaml': '2', 'b/x.yaml': '1' });
  const checked = execFileSync('sh', ['-c', 'grep -v "^#" .dynamo-cdk8s-files | sha256sum -c'], { cwd: at, encoding: 'utf8' });
  expect(checked).toBe('a.yaml: OK\nb/x.yaml: OK\n');
  expect(readFileSync(join(at, '.dynamo-cdk8s-files'), 'utf8')).toMatch(/^# Written by dynamo-cdk8s test\n# /);
});

test('replaces and removes what it wrote, and nothing else', () => {
  const at = folder({ 'mine.yaml': 'm', 'sub/mine.yaml': 'm' });
  write(at, { 'a.yaml': '1', 'sub/b.yaml': '1', 'gone/c.yaml': '1', 'gone/deep/d.yaml': '1', 'same.yaml': '1' });
  expect(lines(write(at, { 'a.yaml': '2', 'new.yaml': '2', 'same.yaml': '1' }))).toEqual([
    'replace a.yaml',
    'remove gone/c.yaml',
    'remove gone/deep/d.yaml',
    'create new.yaml',
    'unchanged same.yaml',
    'remove sub/b.yaml',
  ]);
  expect(contents(at)).toEqual({ 'a.yaml': '2', 'mine.yaml': 'm', 'new.yaml': '2', 'same.yaml': '1', 'sub/mine.yaml': 'm' });
  expect(existsSync(join(at, 'gone'))).toBe(false);
});

test('keeps a file that is no longer needed but was changed by hand; says so where it replaces one', () => {
  const at = folder();
  write(at, { 'a.yaml': '1', 'b.yaml': '1' });
  writeFileSync(join(at, 'a.yaml'), 'by hand');
  writeFileSync(join(at, 'b.yaml'), 'by hand');
  expect(lines(write(at, { 'b.yaml': '2' }))).toEqual(['keep a.yaml edited', 'replace b.yaml edited']);
  expect(contents(at)).toEqual({ 'a.yaml': 'by hand', 'b.yaml': '2' });
});

test('rejects a file of somebody else in its way and touches nothing; takes it over with force', () => {
  const at = folder({ 'a.yaml': 'theirs' });
  const plan = write(at, { 'a.yaml': '1', 'b.yaml': '1' });
  expect(plan.problems).toEqual([
    { path: 'a.yaml', message: 'exists and was not written by this command; move it, or use --force to replace it' },
  ]);
  expect(contents(at)).toEqual({ 'a.yaml': 'theirs' });
  expect(lines(write(at, { 'a.yaml': '1' }, { force: true }))).toEqual(['replace a.yaml']);
  expect(contents(at)).toEqual({ 'a.yaml': '1' });
});

test('takes a file for its own that is just as it would write it', () => {
  const at = folder({ 'a.yaml': '1' });
  expect(lines(write(at, { 'a.yaml': '1' }))).toEqual(['unchanged a.yaml']);
  expect(lines(write(at, {}))).toEqual(['remove a.yaml']);
});

test('leaves an optional file out where somebody else has one', () => {
  const at = folder({ 'README.md': 'theirs' });
  const files = [{ path: 'README.md', text: 'ours', optional: true }];
  expect(lines(writeFolder({ folder: at, owner: 'test', files }))).toEqual(['keep README.md']);
  expect(lines(writeFolder({ folder: at, owner: 'test', files: [] }))).toEqual([]);
  expect(contents(at)).toEqual({ 'README.md': 'theirs' });
});

test('rejects a folder that something else wrote', () => {
  const at = folder();
  write(at, { 'a.yaml': '1' });
  expect(write(at, { 'b.yaml': '1' }, { owner: 'other' }).problems[0]?.message).toContain(
    'was written by "test", not by "other"',
  );
  expect(contents(at)).toEqual({ 'a.yaml': '1' });
  write(at, { 'b.yaml': '1' }, { owner: 'other', force: true });
  expect(contents(at)).toEqual({ 'b.yaml': '1' });
});

test('rejects two files of one name, also where only case tells them apart', () => {
  const files = ['a.yaml', 'b.yaml', 'A.yaml'].map((path) => ({ path, text: path }));
  expect(writeFolder({ folder: folder(), owner: 'test', files }).problems).toEqual([
    { path: 'A.yaml', message: 'two objects have this file name; rename one of them' },
  ]);
});

test.each([
  ['a folder in the place of a file', (at: string) => mkdirSync(join(at, 'a.yaml')), 'a.yaml'],
  ['a symbolic link in the place of a file', (at: string) => symlinkSync('/etc/hostname', join(at, 'a.yaml')), 'a.yaml'],
  ['a symbolic link in the place of a folder', (at: string) => symlinkSync(tmpdir(), join(at, 'sub')), 'sub/b.yaml'],
  ['a folder in the place of the list', (at: string) => mkdirSync(join(at, '.dynamo-cdk8s-files')), '.dynamo-cdk8s-files'],
])('rejects %s', (_, prepare, path) => {
  const at = folder();
  prepare(at);
  const before = readdirSync(at);
  expect(write(at, { 'a.yaml': '1', 'sub/b.yaml': '1' }).problems).toEqual([
    { path, message: 'a folder or a symbolic link exists at this path; move it' },
  ]);
  expect(readdirSync(at)).toEqual(before);
});

test('rejects a read-only file of its own', () => {
  const at = folder();
  write(at, { 'a.yaml': '1', 'b.yaml': '1' });
  chmodSync(join(at, 'a.yaml'), 0o444);
  expect(write(at, { 'a.yaml': '2', 'b.yaml': '2' }).problems).toEqual([{ path: 'a.yaml', message: 'it is read-only' }]);
  expect(contents(at)).toEqual({ 'a.yaml': '1', 'b.yaml': '1' });
});

test('rejects a file where the folder should be, and a folder below a file', () => {
  const at = folder({ file: 'x' });
  expect(write(join(at, 'file'), { a: '1' }).problems).toEqual([{ path: '', message: 'it is a file; name a folder' }]);
  expect(write(join(at, 'file/below'), { a: '1' }).problems[0]?.message).toMatch(/^cannot be written \(it is a file/);
});

test('writes where a symbolic link leads and keeps the link', () => {
  const at = folder({ 'real/mine.txt': 'm' });
  symlinkSync('real', join(at, 'link'));
  write(join(at, 'link'), { 'a.yaml': '1' });
  expect(lstatSync(join(at, 'link')).isSymbolicLink()).toBe(true);
  expect(contents(join(at, 'real'))).toEqual({ 'a.yaml': '1', 'mine.txt': 'm' });
});

test('a plan says what a write would do and does nothing', () => {
  const at = folder({ 'mine.yaml': 'm' });
  write(at, { 'a.yaml': '1', 'b.yaml': '1' });
  const before = readdirSync(at);
  expect(lines(planFolder(request(at, { 'a.yaml': '2', 'c.yaml': '1' })))).toEqual([
    'replace a.yaml',
    'remove b.yaml',
    'create c.yaml',
  ]);
  expect(readdirSync(at)).toEqual(before);
  const nowhere = join(at, 'nowhere');
  expect(lines(planFolder(request(nowhere, { 'a.yaml': '1' })))).toEqual(['create a.yaml']);
  expect(existsSync(nowhere)).toBe(false);
});

test('a list that names files outside the folder removes none of them', () => {
  const at = folder({ 'out/x': '', 'victim.txt': 'v' });
  const digest = '4c94485e0c21ae6c41ce1dfe7b6bfaceea5ab68e40a2476f50208e526f506080';
  writeFileSync(
    join(at, 'out/.dynamo-cdk8s-files'),
    `# Written by dynamo-cdk8s test\n${digest}  ../victim.txt\n${digest}  ${join(at, 'victim.txt')}\n`,
  );
  expect(lines(write(join(at, 'out'), { 'a.yaml': '1' }))).toEqual(['create a.yaml']);
  expect(readFileSync(join(at, 'victim.txt'), 'utf8')).toBe('v');
});

test('takes everything back when a file cannot take its place', () => {
  const at = folder({ 'mine.txt': 'm' });
  write(at, { 'a.yaml': '1', 'gone.yaml': '1', 'locked/b.yaml': '1' });
  const before = contents(at);
  const list = readFileSync(join(at, '.dynamo-cdk8s-files'), 'utf8');
  chmodSync(at, 0o777);
  chmodSync(join(at, 'locked'), 0o555);
  // root may write anywhere, so another user tries
  const script = join(at, '../write-folder-as-nobody.mjs');
  onTestFinished(() => rmSync(script, { force: true }));
  writeFileSync(
    script,
    `import { writeFolder } from ${JSON.stringify(resolve(import.meta.dirname, '../../lib/files/index.ts'))};
if (process.getuid() === 0) process.seteuid(65534);
const files = [['a.yaml', '2'], ['new/c.yaml', '2'], ['locked/b.yaml', '2']].map(([path, text]) => ({ path, text }));
process.stdout.write(JSON.stringify(writeFolder({ folder: ${JSON.stringify(at)}, owner: 'test', files }).problems));`,
  );
  const out = execFileSync('node', ['--import', 'tsx', script], { encoding: 'utf8', cwd: resolve(import.meta.dirname, '../..') });
  chmodSync(join(at, 'locked'), 0o755);
  expect(JSON.parse(out)).toEqual([{ path: '', message: 'cannot be written (permission denied)' }]);
  expect(contents(at)).toEqual(before);
  expect(readFileSync(join(at, '.dynamo-cdk8s-files'), 'utf8')).toBe(list);
  expect(readdirSync(at).toSorted()).toEqual(['.dynamo-cdk8s-files', 'a.yaml', 'gone.yaml', 'locked', 'mine.txt']);
});

test('whatever is written in whatever order, a user’s files stay and the last write is what is there', () => {
  const name = fc.constantFrom('a.yaml', 'b.yaml', 'c/d.yaml', 'c/e.yaml');
  const written = fc.dictionary(name, fc.constantFrom('1', '2'), { maxKeys: 4 });
  fc.assert(
    fc.property(fc.array(written, { minLength: 1, maxLength: 4 }), (runs) => {
      const at = mkdtempSync(join(tmpdir(), 'write-folder-'));
      try {
        mkdirSync(join(at, 'c'));
        writeFileSync(join(at, 'c/mine.txt'), 'm');
        for (const files of runs) expect(write(at, files).problems).toEqual([]);
        expect(contents(at)).toEqual(
          Object.fromEntries(Object.entries({ ...runs.at(-1), 'c/mine.txt': 'm' }).toSorted(([a], [b]) => (a < b ? -1 : 1))),
        );
      } finally {
        rmSync(at, { recursive: true });
      }
    }),
    { numRuns: 50 },
  );
});

test.runIf(existsSync('/proc/self'))('a folder that takes no new one is an answer, not a wait without end', () => {
  const { problems } = writeFolder({ folder: '/proc/made/here', files: [{ path: 'a', text: 'a' }], owner: 'test', force: false });
  expect(problems).toEqual([{ path: '', message: 'cannot be written (its folder does not exist)' }]);
});
