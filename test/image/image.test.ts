/** The operator's image, as far as that goes without a registry: its commands, and its root file system with `/manager` run in it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
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

/** `npm run image`, with nothing but what a folder holds in its path. */
async function image(
  path: string,
  ...words: readonly string[]
): Promise<{ readonly status: number | null; readonly stderr: string }> {
  const program = await bundleProgram('scripts/image.ts');
  return spawnSync(process.execPath, [program, ...words], { cwd: project, encoding: 'utf8', env: { PATH: path } });
}

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
  ['podman', two, false, 'podman build --platform linux/amd64,linux/arm64 --manifest r/op:1 .'],
  ['podman', two, true, 'podman manifest push --all r/op:1 docker://r/op:1'],
  ['buildah', [], false, 'buildah build --tag r/op:1 .'],
  ['buildah', [], true, 'buildah push r/op:1'],
])('with %s for %j, pushing %s: %s', (tool, platforms, push, command) => {
  expect(imageCommands({ tool, tag: 'r/op:1', platforms, push }).map((words) => words.join(' '))).toEqual([command]);
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

test('the Dockerfile runs the very script that the test runs, and ends as 65532 with /manager alone', () => {
  const lines = readFileSync(join(project, 'Dockerfile'), 'utf8').split('\n');
  expect(lines).toContain('RUN sh /source/image-files.sh /source/build/manager /image');
  const last = lines.slice(lines.lastIndexOf('FROM scratch'));
  expect(last).toEqual(expect.arrayContaining(['COPY --from=files /image /', 'USER 65532:65532', 'ENTRYPOINT ["/manager"]']));
  expect(last.filter((line) => line.startsWith('RUN'))).toEqual([]);
});
