import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'synth-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the app of this repository, as `cdk8s synth` does, and returns what it wrote. */
function synth(name: string, env: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const outdir = join(folder, name);
  execFileSync(process.execPath, ['--import', 'tsx', 'main.ts'], {
    cwd: root,
    env: { ...process.env, CDK8S_OUTDIR: outdir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return read(outdir);
}

const read = (path: string): Readonly<Record<string, string>> =>
  Object.fromEntries(readdirSync(path).map((f) => [f, readFileSync(join(path, f), 'utf8')]));

test('synth reproduces the committed dist/ byte for byte', () => {
  const written = synth('default');
  const committed = read(join(root, 'dist'));
  expect(Object.keys(written)).toEqual(Object.keys(committed));
  for (const [file, text] of Object.entries(written))
    expect(text === committed[file], `${file} differs from dist/: run npm run synth and look at git diff dist`).toBe(true);
});

test('another environment gives another platform, and the same CRDs and graph', () => {
  const dev = synth('dev', { DYNAMO_ENVIRONMENT: 'dev' });
  const committed = read(join(root, 'dist'));
  const changed = Object.keys(dev).filter((f) => dev[f] !== committed[f]);
  expect(changed).toEqual(['0001-platform.k8s.yaml', '0002-graphs.k8s.yaml']);
  expect(dev['0002-graphs.k8s.yaml']).toBe(committed['0005-graphs.k8s.yaml']);
});

test('dist/ shows every part of the platform, and each file says what must be there first', () => {
  const files = Object.entries(read(join(root, 'dist')));
  const kinds = files.flatMap(([, text]) => [...text.matchAll(/^kind: (.*)$/gm)].map(([, kind]) => kind));
  for (const kind of ['Certificate', 'ClusterRole', 'DynamoGraphDeployment', 'ServiceMonitor', 'ValidatingWebhookConfiguration'])
    expect(kinds).toContain(kind);
  const platform = read(join(root, 'dist'))['0001-platform.k8s.yaml'] ?? '';
  const sets = platform.split('---\n').filter((text) => /^kind: StatefulSet$/m.test(text));
  expect(sets.map((text) => [/^ {2}name: (.*)$/m.exec(text)?.[1], /^ {2}replicas: (.*)$/m.exec(text)?.[1]])).toEqual([
    ['dynamo-platform-nats', '3'],
    ['dynamo-platform-etcd', '3'],
  ]);
  const builtIn = /^(?:v1|apps\/|batch\/|policy\/|[a-z]+\.(?:authorization\.)?k8s\.io\/)/;
  for (const [file, text] of files) {
    const foreign = [...text.matchAll(/^apiVersion: (.*)$/gm)].some(([, version = '']) => !builtIn.test(version));
    expect([file, text.startsWith('# Install ')]).toEqual([file, foreign]);
  }
});

test('fails with the names it knows when the environment is unknown', () => {
  expect(() => synth('none', { DYNAMO_ENVIRONMENT: 'staging' })).toThrow(
    "there is no 'staging'; there are dev, shared-test, production",
  );
});

test('cdk8s synth type-checks the app first, and says on stderr what is wrong, since it shows no stdout', () => {
  const app = /^app: (.*)$/m.exec(readFileSync(join(root, 'cdk8s.yaml'), 'utf8'))?.[1] ?? '';
  expect(app).toBe('tsc -p tsconfig.synth.json 1>&2 && node --import tsx main.ts');
  expect(JSON.parse(readFileSync(join(root, 'tsconfig.synth.json'), 'utf8'))).toEqual({
    extends: './tsconfig.json',
    include: ['main.ts'],
  });
});
