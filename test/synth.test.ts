import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'synth-'));
// Below the packages that it imports.
const bundle = join(root, 'node_modules/.cache', `${basename(folder)}.mjs`);
beforeAll(() =>
  build({
    entryPoints: [join(root, 'main.ts')],
    outfile: bundle,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
  }),
);
afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(bundle);
});

/** Runs the app of this repository, as `cdk8s synth` does, and returns what it wrote. */
function synth(name: string, env: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const outdir = join(folder, name);
  execFileSync(process.execPath, [bundle], {
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
    "DYNAMO_ENVIRONMENT: must be one of dev, shared-test, production, got 'staging'",
  );
});

describe('cdk8s synth', () => {
  const app = /^app: (.*)$/m.exec(readFileSync(join(root, 'cdk8s.yaml'), 'utf8'))?.[1] ?? '';
  const project = join(folder, 'project');

  /** Runs the app command of this repository on a main.ts of its own. */
  function run(main: string): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
    writeFileSync(join(project, 'main.ts'), main);
    const [program = '', ...argv] = app.replace('scripts/', `${root}/scripts/`).split(' ');
    return spawnSync(program, argv, {
      cwd: project,
      encoding: 'utf8',
      env: { ...process.env, CDK8S_OUTDIR: join(project, 'dist') },
    });
  }

  beforeAll(() => {
    mkdirSync(join(project, 'node_modules'), { recursive: true });
    for (const entry of ['lib', 'imports']) symlinkSync(join(root, entry), join(project, entry));
    for (const entry of readdirSync(join(root, 'node_modules')).filter((name) => name !== '.cache'))
      symlinkSync(join(root, 'node_modules', entry), join(project, 'node_modules', entry));
    const extended = {
      extends: join(root, 'tsconfig.json'),
      include: ['main.ts'],
      compilerOptions: { typeRoots: ['node_modules/@types'] },
    };
    writeFileSync(join(project, 'tsconfig.synth.json'), JSON.stringify(extended));
    writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  });

  const graph = (image: string): string => `import { App } from 'cdk8s';
import { DynamoChart, DynamoGraph } from './lib/graph/index.ts';
const app = new App();
const graph = new DynamoGraph(new DynamoChart(app, 'models'), 'g', { frontend: false });
graph.addManifest('W', { componentType: 'frontend', extraPodSpec: { mainContainer: { image: ${image} } } });
app.synth();
`;

  test('writes nothing where the app has a wrong type, and says so on stderr, since cdk8s shows no stdout', () => {
    const { status, stdout, stderr } = run('const replicas: number = "two";\nexport { replicas };\n');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain("main.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.");
    expect(existsSync(join(project, 'dist'))).toBe(false);
  });

  test('names the line of the author where a graph is wrong, and writes what is right', () => {
    const wrong = run(graph("''"));
    expect(wrong.status).toBe(1);
    expect(wrong.stderr).toMatch(/main\.ts:5:7: DYN-\S+ spec\.services\.W\.extraPodSpec\.mainContainer\.image/);
    const right = run(graph("'example.com/frontend:1'"));
    expect([right.status, readdirSync(join(project, 'dist'))]).toEqual([0, ['models.k8s.yaml']]);
  });
});
