import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith, run } from '../cli/run.ts';

const long = 'n'.repeat(300);
const named = (name: string): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'models' }, data: {} });
/** Both charts are written by the same function; the chart of the platform takes seconds to make. */
const chart = process.env['LONG'] === undefined ? ['--chart', 'crds'] : [];
const writers = [['gitops', '--layout', 'plain'], ['gitops', '--layout', 'helm', ...chart], ['platform']] as const;

describe.each(writers.map((argv) => [argv.join(' '), argv] as const))('%s', (_, argv) => {
  test.each([
    ['a file', 'file', 'it is a file; name a folder'],
    ['a path below a file', 'file/x', 'it is a file or is below a file; name a folder'],
    ['a link to itself', 'loop', 'too many symbolic links'],
    ['a name that is too long', long, 'the name is too long'],
  ])('says the same of %s with --dry-run and without', async (_what, output, reason) => {
    const cwd = folderWith({ file: '' });
    symlinkSync('loop', join(cwd, 'loop'));
    for (const more of [[], ['--dry-run']]) {
      const { code, out, err } = await run([...argv, '-o', output, ...more], { cwd });
      expect(err).toContain(`${output}: `);
      expect(err).toContain(reason);
      expect([code, out]).toEqual([1, '']);
    }
    expect(await readdir(cwd)).toEqual(['file', 'loop']);
  });

  test('says that a link leads nowhere', async () => {
    const cwd = folderWith({});
    symlinkSync('nowhere', join(cwd, 'broken'));
    const { code, err } = await run([...argv, '-o', 'broken'], { cwd });
    expect(err).toContain('broken: cannot be written (a file or a broken symbolic link is in its place; name a folder)');
    expect(code).toBe(1);
    expect(await readdir(cwd)).toEqual(['broken']);
  });
});

test.each(['plain', 'kustomize', 'argocd', 'flux'])('%s: names the object whose file name is too long', async (layout) => {
  const files = { 'in.json': named(`a${'.b'.repeat(125)}`) };
  const url = ['--repo-url', 'https://git.example.com/a.git'];
  for (const more of [[], ['--dry-run']]) {
    const { code, err } = await run(['gitops', '--graph', 'in.json', '--layout', layout, '-o', 'out', ...url, ...more], {
      files,
    });
    expect(err).toMatch(/configmap-models\.a[.b]+\.yaml: the file name is longer than 255 bytes; shorten the name of the object/);
    expect(code).toBe(1);
  }
});

test.each<readonly string[]>([
  ['validate', '-f', ''],
  ['validate', '-f', 'a.json', '-f', ''],
  ['validate', '-f', 'a.json', '--old', ''],
  ['lint', '-f', ''],
  ['lint', '--fix', '-f', ''],
  ['render', '-f', 'a.json', '--values', ''],
  ['fit', '-f', 'a.json', '--nodes', ''],
  ['normalize', '-f', ''],
  ['import', '-f', ''],
  ['import', '-f', 'a.json', '-o', ''],
  ['platform', '-f', ''],
  ['platform', '-o', ''],
  ['gitops', '--layout', 'plain', '-o', ''],
  ['gitops', '--layout', 'plain', '-o', 'out', '--graph', ''],
  ['crds', '-o', ''],
  ['editor', '--schemas', ''],
  ['init', ''],
])('rejects an empty path instead of taking the current folder: %s %s %s', async (...argv) => {
  const cwd = folderWith({ 'a.json': '{}' });
  const { code, out, err } = await run(argv, { cwd });
  expect(err).toMatch(/^error: (?:option|argument) '.*' must not be empty\n/);
  expect([code, out]).toEqual([1, '']);
  expect(await readdir(cwd)).toEqual(['a.json']);
});

test('keeps the path of the repository, which may be empty', async () => {
  const argv = ['gitops', '--layout', 'argocd', '--repo-url', 'https://git.example.com/a.git', '--path', '', '-o', 'out'];
  expect((await run(argv)).code).toBe(0);
});

test.each([
  ['an absolute path', '/tmp/x', 'must be a path below the current folder, got /tmp/x'],
  ['a path out of the project', 'a/../../x', 'must be a path below the current folder, got a/../../x'],
  ['a name of two lines', 'a\nb', 'must not contain control characters, got a\\nb'],
])('editor rejects %s', async (_, schemas, message) => {
  const cwd = folderWith({});
  const { code, err } = await run(['editor', '--schemas', schemas], { cwd });
  expect([code, err]).toEqual([1, `--schemas: ${message}\n`]);
  expect(await readdir(cwd)).toEqual([]);
});

test('editor writes XML whatever the name of the folder', async () => {
  const cwd = folderWith({});
  expect((await run(['editor', '--schemas', 'a"/><x y="b&c<d'], { cwd })).code).toBe(0);
  const xml = readFileSync(join(cwd, '.idea/jsonSchemas.xml'), 'utf8');
  expect(xml).toContain('value="a&quot;/>&lt;x y=&quot;b&amp;c&lt;d/dynamo.json"');
});

test('editor says why the settings cannot be read', async () => {
  const cwd = folderWith({});
  mkdirSync(join(cwd, '.vscode/settings.json'), { recursive: true });
  const { code, err } = await run(['editor'], { cwd });
  expect([code, err]).toEqual([1, '.vscode/settings.json: cannot be read (it is a folder)\n']);
});
