import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Io } from '../../lib/cli/command.ts';
import { installedFrom } from '../../lib/cli/installed-from.ts';
import { runProgram } from '../../lib/cli/program.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'init-'));
afterAll(() => rmSync(folder, { recursive: true }));

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

/** A repository that init wrote, with its packages installed; this one as it was built. */
async function repository(name: string): Promise<string> {
  if (!existsSync(join(root, 'build/lib/index.js'))) throw new Error('build/ is missing: run `npm run build` first');
  expect(await init(name)).toMatchObject({
    code: 0,
    out: expect.stringContaining(`${name}/main.ts\n`),
    err: expect.stringContaining('npm install'),
  });
  const path = join(folder, name);
  const modules = join(path, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(root, 'node_modules'))) symlinkSync(join(root, 'node_modules', name), join(modules, name));
  symlinkSync(root, join(modules, 'dynamo-cdk8s'));
  return path;
}

/** `npm run synth` without npm. */
function synth(cwd: string): { readonly status: number | null; readonly said: string } {
  const bin = join(root, 'node_modules/.bin');
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}`, CDK8S_CHECK_UPGRADE: 'false' };
  const { status, stdout, stderr } = spawnSync(join(bin, 'cdk8s'), ['synth', '--no-check-upgrade'], {
    cwd,
    env,
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

const edit = (file: string, from: string, to: string): void => {
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
};

describe('dynamo-cdk8s init', () => {
  test('writes a repository that synthesizes without a network or a warning', async () => {
    const path = await repository('mine');
    const { status, said } = synth(path);
    expect(said).not.toContain('warning');
    expect(status, said).toBe(0);
    const manifest = readFileSync(join(path, 'dist/chat.k8s.yaml'), 'utf8');
    expect(manifest).toContain('name: chat\n  namespace: llm\n');
    expect(manifest).toContain('- --is-prefill-worker');
    expect(readFileSync(join(path, 'dist/tiny.k8s.yaml'), 'utf8')).toContain('dynamo.mocker');
  });

  test('a misspelt property does not synthesize, and the error says where it is', async () => {
    const path = await repository('misspelt');
    edit(join(path, 'graphs/chat.ts'), 'Engine.vllm()', 'Engine.vllm({ parallel: { tensorParallel: 2 } })');
    const { status, said } = synth(path);
    expect(status).not.toBe(0);
    expect(said).toMatch(/graphs\/chat\.ts\(7,39\): error TS\d+: .*tensorParallel/);
    expect(existsSync(join(path, 'dist'))).toBe(false);
  });

  test('an error of synth names the line that made what is wrong', async () => {
    const path = await repository('wrong');
    edit(join(path, 'graphs/chat.ts'), 'prefill: { replicas: 2 }', 'prefill: { replicas: -2 }');
    const { status, said } = synth(path);
    expect(status).not.toBe(0);
    expect(said).toMatch(/graphs\/chat\.ts:5:22: \S+ spec\.services\.prefill\.replicas: .*-2/);
  });

  test('a YAML file says its schema, and the schema is there and knows component types', async () => {
    const path = await repository('schemas');
    const [first = ''] = readFileSync(join(path, 'graphs/tiny.yaml'), 'utf8').split('\n');
    const schema = join(path, 'graphs', /^# yaml-language-server: \$schema=(.*)$/.exec(first)?.[1] ?? '');
    const graph = 'dynamographdeployment_v1alpha1.json';
    expect(readFileSync(schema, 'utf8')).toContain(`"$ref": "${graph}"`);
    const ajv = new Ajv({ strict: false });
    for (const file of readdirSync(dirname(schema)))
      ajv.addSchema(JSON.parse(readFileSync(join(dirname(schema), file), 'utf8')) as object, file);
    const validate = ajv.getSchema('dynamo.json');
    const good = parse(readFileSync(join(path, 'graphs/tiny.yaml'), 'utf8')) as {
      spec: { services: { worker: object } };
      metadata: object;
    };
    expect(validate?.(good)).toBe(true);
    expect(validate?.({ kind: 'ConfigMap', apiVersion: 'v1', metadata: {}, data: {} })).toBe(true);
    const worker = { ...good.spec.services.worker, componentType: 'workr' };
    expect(validate?.({ ...good, spec: { services: { worker } } })).toBe(false);
    expect(validate?.({ ...good, metadata: { nmae: 'tiny' } })).toBe(false);
    expect(validate?.({ ...good, metadata: { name: 'tiny', annotations: { 'nvidia.com/enable-grove': 'no' } } })).toBe(false);
  });

  test('takes the folder it was installed in, with what npm left there', async () => {
    const path = join(folder, 'installed');
    mkdirSync(join(path, 'node_modules'), { recursive: true });
    writeFileSync(
      join(path, 'package.json'),
      JSON.stringify({
        name: 'own',
        license: 'MIT',
        scripts: { test: 'echo "Error: no test specified" && exit 1', mine: 'true' },
        dependencies: { 'dynamo-cdk8s': 'file:../x.tgz', zod: '4' },
      }),
    );
    writeFileSync(join(path, 'package-lock.json'), '{}');
    expect(await init('installed')).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))).toMatchObject({
      name: 'own',
      license: 'MIT',
      type: 'module',
      scripts: { mine: 'true', test: 'vitest run' },
      dependencies: { zod: '4', 'dynamo-cdk8s': 'file:../x.tgz', cdk8s: expect.any(String) },
    });
  });

  test.each([
    ['../x.tgz', 'deep/new', 'file:../../../x.tgz'],
    ['./y.tgz', 'new2', 'file:../y.tgz'],
    ['^1.2.3', 'new3', '^1.2.3'],
    ['https://example.com/z.tgz', 'new4', 'https://example.com/z.tgz'],
  ])('writes --package %s as the new folder %s must', async (given, name, written) => {
    expect(await init(name, '--package', given)).toMatchObject({ code: 0 });
    const manifest = JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(manifest.dependencies['dynamo-cdk8s']).toBe(written);
  });

  test.each([
    ['package.json', { dependencies: { 'dynamo-cdk8s': 'file:../pack/d.tgz' } }, 'file:../pack/d.tgz'],
    ['package.json', { devDependencies: { 'dynamo-cdk8s': '^0.3.0' } }, '^0.3.0'],
    [
      'node_modules/.package-lock.json',
      { packages: { 'node_modules/dynamo-cdk8s': { resolved: 'file:../pack/d.tgz' } } },
      'file:../pack/d.tgz',
    ],
  ])('knows from %s what it was installed from', (file, content, expected) => {
    const project = mkdtempSync(join(folder, 'project-'));
    const module = join(project, 'node_modules/dynamo-cdk8s/build/cli/x.js');
    mkdirSync(dirname(module), { recursive: true });
    writeFileSync(join(project, file), JSON.stringify(content));
    expect(installedFrom(module, join(folder, 'beside'))).toBe(expected);
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
    expect([manifest.name, manifest.dependencies['dynamo-cdk8s']]).toEqual(['my-graphs-', 'file:../../x.tgz']);
  });
});
