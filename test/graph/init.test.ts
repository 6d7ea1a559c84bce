import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import type { Io } from '../../lib/cli/command.ts';
import { runProgram } from '../../lib/cli/program.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'init-'));
afterAll(() => rmSync(folder, { recursive: true }), 60_000);

async function init(...argv: readonly string[]) {
  let out = '';
  let err = '';
  const io: Io = {
    out: (text) => (out += text),
    err: (text) => (err += text),
    stdin: async () => Buffer.of(),
    cwd: folder,
    env: {},
    colour: { out: false, err: false },
  };
  return { code: await runProgram(['init', ...argv], io, '0.0.0'), out, err };
}

describe('dynamo-cdk8s init', () => {
  test('writes a repository that synthesizes without a network', async () => {
    expect(await init('mine')).toMatchObject({
      code: 0,
      out: expect.stringContaining('mine/main.ts\n'),
      err: expect.stringContaining('npm install'),
    });
    const repository = join(folder, 'mine');
    symlinkSync(join(root, 'node_modules'), join(repository, 'node_modules'));
    // The package itself is not installed here: the sources stand in for it.
    const tsconfig = JSON.parse(readFileSync(join(repository, 'tsconfig.json'), 'utf8')) as { compilerOptions: object };
    const paths = { 'dynamo-cdk8s': [join(root, 'lib/index.ts')] };
    writeFileSync(join(repository, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...tsconfig.compilerOptions, paths } }));
    const tsx = pathToFileURL(join(root, 'node_modules/tsx/dist/esm/index.mjs')).href;
    execFileSync(process.execPath, ['--import', tsx, 'main.ts'], { cwd: repository });
    const manifest = readFileSync(join(repository, 'dist/chat.k8s.yaml'), 'utf8');
    expect(manifest).toContain('name: chat\n  namespace: llm\n');
    expect(manifest).toContain('- --is-prefill-worker');
  });

  test('rejects a folder that is not empty, but takes a fresh Git repository', async () => {
    mkdirSync(join(folder, 'full'));
    writeFileSync(join(folder, 'full', 'a.txt'), '');
    expect(await init('full')).toEqual({
      code: 1,
      out: '',
      err: 'full: is not empty (it has a.txt); name a new or empty folder\n',
    });
    expect(readdirSync(join(folder, 'full'))).toEqual(['a.txt']);
    mkdirSync(join(folder, 'fresh', '.git'), { recursive: true });
    expect(await init('fresh')).toMatchObject({ code: 0 });
  });

  test('names the package after the folder', async () => {
    await init('My Graphs!', '--package', 'file:../x.tgz');
    const manifest = JSON.parse(readFileSync(join(folder, 'My Graphs!', 'package.json'), 'utf8')) as {
      name: string;
      dependencies: Record<string, string>;
    };
    expect([manifest.name, manifest.dependencies['dynamo-cdk8s']]).toEqual(['my-graphs-', 'file:../x.tgz']);
  });
});
