/** The operator's image, as far as that goes without a registry: its commands, and its root file system with `/manager` run in it. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { built } from '../built.ts';
import { bundleProgram } from '../bundle-program.ts';
import { imageCommands, type ImageTool } from '../../scripts/image-commands.ts';

const project = resolve(import.meta.dirname, '../..');
const two = ['linux/amd64', 'linux/arm64'];

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'dynamo-cdk8s-image-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

/** `npm run image` as npm runs it, with nothing but what a folder holds in its path. */
async function imageUnder(
  env: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<{ readonly status: number | null; readonly stderr: string }> {
  const program = await bundleProgram('scripts/image.ts');
  return spawnSync(process.execPath, [program, ...words], { cwd: project, encoding: 'utf8', env });
}

const image = (path: string, ...words: readonly string[]) => imageUnder({ PATH: path }, ...words);

test('an option that is not known is told with the command that shows all', async () => {
  const { status, stderr } = await image('', '--bogus');
  expect(status).toBe(1);
  expect(stderr).toContain("Unknown option '--bogus'");
  expect(stderr).toContain('(npm run image -- --help shows what is allowed)');
});

test.each<[ImageTool, readonly string[], boolean, string]>([
  ['docker', [], false, 'docker build --tag r/op:1 .'],
  ['docker', ['linux/arm64'], false, 'docker build --platform linux/arm64 --tag r/op:1 .'],
  ['docker', two, false, 'docker buildx build --platform linux/amd64,linux/arm64 --tag r/op:1 .'],
  ['docker', two, true, 'docker buildx build --platform linux/amd64,linux/arm64 --tag r/op:1 --push .'],
  ['docker', [], true, 'docker push r/op:1'],
  ['podman', [], false, 'podman build --tag r/op:1 .'],
  ['podman', two, true, 'podman manifest push --all r/op:1 docker://r/op:1'],
  ['buildah', [], false, 'buildah build --tag r/op:1 .'],
  ['buildah', [], true, 'buildah push r/op:1'],
])('with %s for %j, pushing %s: %s', (tool, platforms, push, command) => {
  expect(imageCommands({ tool, tag: 'r/op:1', platforms, push }).map(({ words }) => words.join(' '))).toEqual([command]);
});

test.each<ImageTool>(['podman', 'buildah'])('%s removes the manifest list of an earlier build, to which it would add', (tool) => {
  expect(imageCommands({ tool, tag: 'r/op:1', platforms: two, push: false })).toEqual([
    { words: [tool, 'manifest', 'rm', 'r/op:1'], mayFail: true },
    { words: [tool, 'build', '--platform', 'linux/amd64,linux/arm64', '--manifest', 'r/op:1', '.'] },
  ]);
});

test.each<[ImageTool, readonly string[], boolean]>([
  ['docker', [], false],
  ['docker', two, true],
  ['podman', [], false],
  ['buildah', two, false],
])('%s for %j, pushing %s, builds from the base image that is named', (tool, platforms, push) => {
  const commands = imageCommands({ tool, tag: 'r/op:1', platforms, push, nodeImage: 'mirror:5000/node:20' });
  expect(commands.at(-1)?.words.join(' ')).toContain(' --build-arg NODE_IMAGE=mirror:5000/node:20 ');
});

test('takes the tool it finds, passes its failure on, and says where there is none', async () => {
  const path = folder();
  expect(await image(path)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('docker, podman, buildah: not found in PATH'),
  });
  const said = join(path, 'said');
  writeFileSync(join(path, 'podman'), `#!/bin/sh\necho "$@" >>${said}\n[ "$1" = build ]\n`);
  chmodSync(join(path, 'podman'), 0o755);
  expect(await image(path, '--tag', 'r/op:1')).toMatchObject({ status: 0, stderr: 'podman build --tag r/op:1 .\n' });
  expect(await image(path, 'push', '--tag', 'r/op:1')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('podman exited with 1'),
  });
  expect(readFileSync(said, 'utf8')).toBe('build --tag r/op:1 .\npush r/op:1\n');
  expect(await image(path, '--tool', 'docker')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('docker: not found'),
  });
});

test('runs what it prints, without regard to a manifest list that was not there', async () => {
  const path = folder();
  const said = join(path, 'said');
  writeFileSync(join(path, 'buildah'), `#!/bin/sh\necho "$@" >>${said}\necho noise >&2\n[ "$1" = build ]\n`);
  chmodSync(join(path, 'buildah'), 0o755);
  const words = ['--tag', 'localhost:5000/op:1', '--platform', 'linux/amd64, linux/s390x', '--platform', 'linux/arm64'];
  const commands = [
    'manifest rm localhost:5000/op:1',
    'build --platform linux/amd64,linux/s390x,linux/arm64 --manifest localhost:5000/op:1 .',
  ];
  expect(await image(path, ...words)).toMatchObject({ status: 0, stderr: `buildah ${commands.join('\nbuildah ')}\nnoise\n` });
  expect(readFileSync(said, 'utf8')).toBe(`${commands.join('\n')}\n`);
});

test('says why a tool cannot be run', async () => {
  const path = folder();
  writeFileSync(join(path, 'docker'), '#!/nowhere/sh\n');
  chmodSync(join(path, 'docker'), 0o755);
  expect(await image(path)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('cannot run docker: spawnSync docker ENOENT'),
  });
});

test.each<[readonly string[], string]>([
  [['push'], '--tag: must name the registry to push to, such as registry.example.com/dynamo-operator:'],
  [['push', 'r/op:1'], "unexpected argument 'r/op:1': only options are allowed"],
  [['--platform', 'linux/amd64,', 'linux/arm64'], "unexpected argument 'linux/arm64'"],
  [['--tag', ''], "--tag: must not be empty, got ''; write REGISTRY/REPOSITORY:TAG"],
  [['push', '--tag=--all-tags'], '--tag: must have letters and digits'],
  [['--node-image', 'https://mirror/node:20'], '--node-image: must not start with a URL scheme'],
  [['--tool', 'kaniko'], '--tool: must be docker, podman, buildah, got kaniko'],
])('rejects %j and says what to write', async (words, reason) => {
  const path = folder();
  writeFileSync(join(path, 'docker'), '#!/bin/sh\n');
  chmodSync(join(path, 'docker'), 0o755);
  const { status, stderr } = await image(path, ...words);
  expect(stderr).toContain(reason);
  expect(status).toBe(1);
});

test('rejects an option that npm kept for itself, since a dry run would run', async () => {
  const { status, stderr } = await imageUnder(
    { npm_config_dry_run: 'true', npm_lifecycle_event: 'push' },
    'push',
    '--tag',
    'r/op:1',
  );
  expect(stderr).toBe('--dry-run: was not passed on by npm; write npm run push -- --dry-run ...\n');
  expect(status).toBe(1);
});

const enter = (root: string): readonly string[] => ['--user', '--map-user=65532', '--map-group=65532', `--root=${root}`];
const canEnter = spawnSync('unshare', [...enter('/'), 'true']).status === 0;

describe.skipIf(!canEnter)('the root file system of the image', () => {
  const root = mkdtempSync(join(tmpdir(), 'dynamo-cdk8s-root-'));
  const run = (...words: readonly string[]): { readonly status: number | null; readonly stdout: string } =>
    spawnSync('unshare', [...enter(root), ...words], { encoding: 'utf8', env: {} });
  beforeAll(() => {
    execFileSync('sh', ['scripts/image-files.sh', built('manager'), root], { cwd: project });
    return () => rmSync(root, { recursive: true });
  });

  test('runs /manager as 65532 with nothing else there', () => {
    const { status, stdout } = run('/manager', '--help');
    expect(status).toBe(0);
    expect(stdout).toContain('--leader-elect');
    expect(run('/nodejs/bin/node', '-p', '[process.getuid(), process.getgid()].join()').stdout).toBe('65532,65532\n');
    // Without a cluster it fails as the original does, and not for want of a file.
    expect(run('/manager').status).toBe(1);
  });

  test('holds one executable of ours, Node, and no packages, shell or set-uid file', () => {
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((file) => `/${file}`);
    expect(files.filter((file) => /node_modules|\.(?:js|cjs|mjs|ts|json)$|\/(?:sh|bash|env)$/.test(file))).toEqual([]);
    const modes = files.map((file) => statSync(join(root, file)).mode);
    expect(modes.filter((mode) => (mode & 0o6000) !== 0)).toEqual([]);
    expect(readFileSync(join(root, 'manager'), 'utf8').split('\n', 1)).toEqual(['#!/nodejs/bin/node']);
  });
});

test('the Dockerfile bundles the very file that is tested, from what it copies', () => {
  const lines = readFileSync(join(project, 'Dockerfile'), 'utf8').split('\n');
  const bundle = lines.slice(0, lines.lastIndexOf('FROM ${NODE_IMAGE} AS files'));
  const sent = readFileSync(join(project, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'));
  const source = folder();
  const copied = bundle.flatMap((line) => (line.startsWith('COPY ') ? line.split(' ').slice(1, -1) : []));
  for (const name of copied) {
    expect(sent).toContain(`!${name}`);
    cpSync(join(project, name), join(source, name), { recursive: true });
  }
  symlinkSync(join(project, 'node_modules'), join(source, 'node_modules'));
  const [install, build = '', ...more] = bundle.flatMap((line) => (line.startsWith('RUN ') ? [line.slice(4)] : []));
  expect(install).toMatch(/^npm ci /);
  expect(more).toEqual([]);
  execFileSync('sh', ['-c', build], { cwd: source });
  // The very file that the other tests run: without tsconfig.json, say, its modules would not be in strict mode.
  const packages = `${relative(realpathSync(source), project)}/node_modules/`;
  const inImage = readFileSync(join(source, 'build/manager'), 'utf8').replaceAll(packages, 'node_modules/');
  expect(inImage === readFileSync(built('manager'), 'utf8')).toBe(true);
  expect(lines).toContain('COPY --from=bundle /source/build/manager /source/build/manager');
  expect(lines).toContain('COPY scripts/image-files.sh /source/image-files.sh');
});

test('the Dockerfile runs the very script that the test runs, and ends as 65532 with /manager alone', () => {
  const lines = readFileSync(join(project, 'Dockerfile'), 'utf8').split('\n');
  expect(lines).toContain('RUN sh /source/image-files.sh /source/build/manager /image');
  const last = lines.slice(lines.lastIndexOf('FROM scratch'));
  expect(last).toEqual(expect.arrayContaining(['COPY --from=files /image /', 'USER 65532:65532', 'ENTRYPOINT ["/manager"]']));
  expect(last.filter((line) => line.startsWith('RUN'))).toEqual([]);
});
