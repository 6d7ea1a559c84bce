/** Runs every command of the tutorial and of the pages about authoring as a reader would, in a project that has this package. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ShellSession } from '../docs/shell-session.ts';
import { stepsOf, strayCommands } from '../docs/shell-steps.ts';

const isLong = process.env['LONG'] !== undefined;
const root = resolve(import.meta.dirname, '../..');
const docs = join(root, 'docs');
const pages = ['tutorial.md', 'examples.md', ...readdirSync(join(docs, 'concepts')).map((file) => `concepts/${file}`)];
const read = (page: string): string => readFileSync(join(docs, page), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'pages-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A project that has this package, its peers and its tools, as after an install. */
function makeProject(name: string): string {
  const project = join(folder, name);
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  const link = (path: string): void => symlinkSync(join(root, 'node_modules', path), join(modules, path));
  for (const entry of readdirSync(join(root, 'node_modules'))) if (!entry.startsWith('.')) link(entry);
  for (const entry of readdirSync(join(root, 'node_modules/.bin'))) link(`.bin/${entry}`);
  symlinkSync(root, join(modules, 'dynamo-cdk8s'));
  symlinkSync(join(root, 'build/cli/dynamo-cdk8s.js'), join(modules, '.bin/dynamo-cdk8s'));
  return project;
}

const example = join(root, 'examples/backends/vllm/disagg.yaml');
const node =
  'apiVersion: v1\nkind: Node\nmetadata: { name: a }\nstatus: { allocatable: { cpu: "64", memory: 512Gi, nvidia.com/gpu: "8" } }\n';

/** What is there before a block: the reader has it, and the page does not write it. */
const players: Readonly<Record<string, (project: string) => void>> = {
  'graph.yaml': (project) => {
    for (const path of [project, join(project, 'my-graphs')])
      if (existsSync(path)) copyFileSync(example, join(path, 'graph.yaml'));
  },
  'graph.yaml and nodes.yaml': (project) => {
    copyFileSync(example, join(project, 'graph.yaml'));
    writeFileSync(join(project, 'nodes.yaml'), node);
  },
  'dist/ in Git': (project) => {
    mkdirSync(join(project, 'dist'));
    copyFileSync(example, join(project, 'dist/graphs.k8s.yaml'));
    for (const words of [['init'], ['add', 'dist'], ['commit', '-m', 'Add graphs']])
      execFileSync('git', words, { cwd: project, env: environment(project), stdio: 'ignore' });
  },
  'this repository': (project) => {
    cpSync(join(root, 'examples'), join(project, 'examples'), { recursive: true });
    cpSync(join(root, 'scripts'), join(project, 'scripts'), { recursive: true });
    symlinkSync(join(root, 'lib'), join(project, 'lib'));
  },
};

/** The reader's environment: a name for commits, and the remote of the tutorial as a folder. */
function environment(project: string): Readonly<Record<string, string>> {
  const remote = join(project, 'remote.git');
  if (!existsSync(remote)) execFileSync('git', ['init', '--bare', remote], { stdio: 'ignore' });
  return {
    PATH: [join(project, 'node_modules/.bin'), dirname(process.execPath), process.env['PATH'] ?? ''].join(':'),
    HOME: project,
    GIT_AUTHOR_NAME: 'reader',
    GIT_AUTHOR_EMAIL: 'reader@example.com',
    GIT_COMMITTER_NAME: 'reader',
    GIT_COMMITTER_EMAIL: 'reader@example.com',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.file://${remote}.insteadOf`,
    GIT_CONFIG_VALUE_0: 'https://git.example.com/team/my-graphs.git',
    CDK8S_CHECK_UPGRADE: 'false',
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  };
}

test('what is not run is known, with its reason', () => {
  const left = pages.flatMap((page) =>
    stepsOf(read(page)).flatMap(({ kind, detail }) => (kind === 'not run' ? [`${page}: ${detail}`] : [])),
  );
  expect(left).toEqual([
    'tutorial.md: needs a registry; the tests of the package install a packed tarball',
    'tutorial.md: needs a cluster; the tests of the control plane run it',
  ]);
});

test('commands are in blocks, where they are run', () => {
  for (const page of pages) expect(strayCommands(read(page)), page).toEqual([]);
});

/** An ordinary run does the tutorial. */
const done = pages.filter((page) => stepsOf(read(page)).length > 0 && (isLong || page === 'tutorial.md'));

test.each(done)('docs/%s does what it says', async (page) => {
  const project = makeProject(page.replaceAll('/', '-'));
  const play = async (name: string): Promise<void> => {
    const player = players[name];
    if (player === undefined) throw new Error(`nobody plays '${name}'`);
    player(project);
  };
  const shell = new ShellSession({ folder: project, env: environment(project), play });
  for (const step of stepsOf(read(page))) await shell.step(step);
  const written: Readonly<Record<string, readonly string[]>> = {
    'tutorial.md': ['my-graphs/dist/chat.k8s.yaml', 'my-graphs/dist/mine.k8s.yaml', 'remote.git/refs/heads/main'],
    'concepts/import.md': ['graph.ts', 'dist/graph.k8s.yaml'],
  };
  for (const path of written[page] ?? []) expect(existsSync(join(project, path)), path).toBe(true);
});
