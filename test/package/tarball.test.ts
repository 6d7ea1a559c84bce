import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { built } from '../built.ts';

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

const isLong = process.env['LONG'] !== undefined;
const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'tarball-'));
const project = join(folder, 'project');
const manifest: Readonly<{
  exports: Record<string, unknown>;
  scripts: Record<string, string>;
  peerDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
let packed: Packed = { filename: '', files: [] };

function run(cwd: string, command: string, ...argv: readonly string[]): string {
  return execFileSync(command, argv, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 26 });
}

const tsc = join(root, 'node_modules/.bin/tsc');
const tsx = ['--import', join(root, 'node_modules/tsx/dist/loader.mjs')];
const command = join(project, 'node_modules/.bin/dynamo-cdk8s');

/** Packs the build and installs it into an empty project beside the peers a user would have; an ordinary run borrows those of this repository. */
beforeAll(() => {
  const [first] = JSON.parse(run(root, 'npm', 'pack', '--json', '--pack-destination', folder)) as readonly Packed[];
  packed = first ?? packed;
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const peers = Object.keys(manifest.peerDependencies);
  const dev = (name: string): string => `${name}@${manifest.devDependencies[name] ?? ''}`;
  const install = ['install', '--no-audit', '--no-fund', '--prefer-offline', join(folder, packed.filename)];
  run(project, 'npm', ...install, ...(isLong ? peers.map(dev) : ['--legacy-peer-deps']));
  if (!isLong) for (const name of peers) symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the tarball holds the build, the licence and the README, and nothing else', () => {
  const outside = packed.files
    .map((f) => f.path)
    .filter((p) => !p.startsWith('build/') && !['LICENSE', 'README.md', 'package.json'].includes(p));
  expect(outside).toEqual([]);
});

test('the tarball carries the notices of every package whose code it bundles', () => {
  const text = readFileSync(built('THIRD-PARTY-NOTICES.txt'), 'utf8');
  expect(packed.files.map((f) => f.path)).toContain('build/THIRD-PARTY-NOTICES.txt');
  for (const name of ['commander', 'undici', 'pino', 'prom-client', 'yaml', '@peculiar/x509', 'reflect-metadata'])
    expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
  expect(text).toContain('Permission is hereby granted');
});

test('nothing runs at install', () => {
  expect(Object.keys(manifest.scripts).filter((s) => /^(pre|post)?(install|prepare|publish|pack)$/.test(s))).toEqual([]);
});

const paths = Object.keys(manifest.exports).filter((p) => p !== './package.json');

test('every sub-path can be imported in an empty project, with types', () => {
  const lines = paths.map((p, i) => `import * as m${i} from '${p.replace('.', 'dynamo-cdk8s')}';`);
  const uses = paths.map((p, i) => `if (Object.keys(m${i}).length === 0) throw new Error('${p} is empty');`);
  writeFileSync(join(project, 'all.ts'), [...lines, ...uses].join('\n'));
  const nodeTypes = { types: ['node'], typeRoots: [join(root, 'node_modules/@types')] };
  const options = { module: 'nodenext', target: 'es2022', strict: true, skipLibCheck: true, noEmit: true, ...nodeTypes };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['all.ts'] }));
  run(project, tsc, '-p', '.');
  run(project, process.execPath, ...tsx, 'all.ts');
});

test('the command is there', () => {
  expect(run(project, command, '--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
});

// The tutorial makes one in every run; here its packages are installed too.
test.runIf(isLong)(
  'a repository made by init from a tarball installs, and synthesizes and passes its tests without a network',
  () => {
    run(folder, process.execPath, join(project, 'node_modules/dynamo-cdk8s/build/cli/dynamo-cdk8s.js'), 'init', 'mine');
    const repository = join(folder, 'mine');
    run(repository, 'npm', 'install', '--no-audit', '--no-fund', '--prefer-offline');
    const offline = {
      npm_config_offline: 'true',
      CDK8S_CHECK_UPGRADE: 'false',
      HTTPS_PROXY: 'http://127.0.0.1:9',
      HTTP_PROXY: 'http://127.0.0.1:9',
    };
    const check = execFileSync('npm', ['run', 'check'], {
      cwd: repository,
      encoding: 'utf8',
      env: { ...process.env, ...offline },
    });
    expect(check).toContain('dist/chat.k8s.yaml');
    expect(
      execFileSync('npx', ['cdk8s', 'synth'], { cwd: repository, encoding: 'utf8', env: { ...process.env, ...offline } }),
    ).toContain('dist/chat.k8s.yaml');
  },
  300_000,
);

test('a graph imported from YAML runs by itself and writes the same YAML', () => {
  const example = join(root, 'examples/backends/vllm/disagg.yaml');
  run(project, command, 'import', '-f', example, '-o', 'imported.ts');
  run(project, process.execPath, ...tsx, 'imported.ts');
  expect(readFileSync(join(project, 'dist/imported.k8s.yaml'), 'utf8')).toBe(readFileSync(example, 'utf8'));
});
