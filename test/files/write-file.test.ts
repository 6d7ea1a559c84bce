import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bundleProgram } from '../bundle-program.ts';
import { writeFileWhole } from '../../lib/files/index.ts';
import { run } from '../cli/run.ts';
import { fileSystemReason } from '../../lib/files/reason.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'write-file-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test('writes a new file and leaves nothing beside it', () => {
  const at = folder();
  expect(writeFileWhole(join(at, 'a.ts'), 'new')).toBeUndefined();
  expect(readFileSync(join(at, 'a.ts'), 'utf8')).toBe('new');
  expect(readdirSync(at)).toEqual(['a.ts']);
});

test('replaces a file and keeps its mode', () => {
  const at = folder();
  writeFileSync(join(at, 'a.sh'), 'old');
  chmodSync(join(at, 'a.sh'), 0o755);
  expect(writeFileWhole(join(at, 'a.sh'), 'new')).toBeUndefined();
  expect(readFileSync(join(at, 'a.sh'), 'utf8')).toBe('new');
  expect(statSync(join(at, 'a.sh')).mode & 0o777).toBe(0o755);
});

test('writes where a symbolic link leads and keeps the link', () => {
  const at = folder();
  mkdirSync(join(at, 'real'));
  writeFileSync(join(at, 'real/a.yaml'), 'old');
  symlinkSync('real/a.yaml', join(at, 'link.yaml'));
  expect(writeFileWhole(join(at, 'link.yaml'), 'new')).toBeUndefined();
  expect(lstatSync(join(at, 'link.yaml')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(at, 'real/a.yaml'), 'utf8')).toBe('new');
  expect(readdirSync(join(at, 'real'))).toEqual(['a.yaml']);
});

test.each([
  ['a read-only file', (at: string) => (writeFileSync(join(at, 'x'), 'old'), chmodSync(join(at, 'x'), 0o444)), 'it is read-only'],
  ['a folder', (at: string) => mkdirSync(join(at, 'x')), 'it is a folder'],
  ['a full device', (at: string) => symlinkSync('/dev/full', join(at, 'x')), 'the disk is full'],
])('rejects %s in words', (_, prepare, reason) => {
  const at = folder();
  prepare(at);
  expect(writeFileWhole(join(at, 'x'), 'new')).toBe(reason);
  expect(readdirSync(at)).toEqual(['x']);
});

test('rejects a file in a folder that does not exist', () => {
  expect(writeFileWhole(join(folder(), 'none/x'), 'new')).toBe('its folder does not exist');
});

test('an error that is not of the file system is thrown on', () => {
  expect(() => fileSystemReason(new TypeError('ours'))).toThrow('ours');
  expect(fileSystemReason(Object.assign(new Error('x'), { code: 'EWEIRD' }))).toBe('EWEIRD');
});

const fixable = `apiVersion: nvidia.com/v1alpha1
kind: DynamoGraphDeployment
metadata: {name: g}
spec:
  services:
    Worker:
      componentType: main
      resources: {limits: {gpu: "1"}}
      extraPodSpec: {mainContainer: {image: "example.com/vllm:1", command: [python3, -m, dynamo.vllm], args: [--model, Qwen/Qwen3-0.6B]}}
# ${'x'.repeat(2000)}
`;

test('lint --fix rejects a read-only file in words and leaves it', async () => {
  const at = folder();
  writeFileSync(join(at, 'g.yaml'), fixable);
  chmodSync(join(at, 'g.yaml'), 0o444);
  const { code, err } = await run(['lint', '--fix', '-f', 'g.yaml'], { cwd: at });
  expect(code).toBe(1);
  expect(err).toContain('g.yaml: cannot be written (it is read-only); the file is unchanged\n');
  expect(err).not.toContain('fixed g.yaml');
  expect(readFileSync(join(at, 'g.yaml'), 'utf8')).toBe(fixable);
});

describe('when the disk takes no more in the middle of a file', () => {
  /** Runs the command line with files limited to so many blocks of 512 bytes, as a full disk cuts them short. */
  async function limited(
    cwd: string,
    blocks: number,
    ...argv: readonly string[]
  ): Promise<{ readonly status: number | null; readonly stderr: string }> {
    const command = `ulimit -f ${blocks}; exec node "${await bundleProgram('lib/cli/bin.ts')}" "$@"`;
    return spawnSync('bash', ['-c', command, 'bash', ...argv], { cwd, encoding: 'utf8' });
  }
  const services = Array.from(
    { length: 24 },
    (_, i) =>
      `    w${i}: {componentType: worker, resources: {limits: {gpu: "1"}}, extraPodSpec: {mainContainer: {image: example.com/worker:1}}}\n`,
  ).join('');
  const graph = `apiVersion: nvidia.com/v1alpha1\nkind: DynamoGraphDeployment\nmetadata: {name: g}\nspec:\n  services:\n${services}`;

  test('import leaves no file', async () => {
    const at = folder();
    writeFileSync(join(at, 'g.yaml'), graph);
    const { status, stderr } = await limited(at, 1, 'import', '-f', 'g.yaml', '-o', 'g.ts');
    expect(stderr).toBe('g.ts: cannot be written (it would exceed the largest file size allowed)\n');
    expect(status).toBe(1);
    expect(readdirSync(at)).toEqual(['g.yaml']);
  });

  test('lint --fix leaves the file as it was', async () => {
    const at = folder();
    writeFileSync(join(at, 'g.yaml'), fixable);
    const before = readFileSync(join(at, 'g.yaml'), 'utf8');
    const { status, stderr } = await limited(at, 1, 'lint', '--fix', '-f', 'g.yaml');
    expect(stderr).toContain(
      'g.yaml: cannot be written (it would exceed the largest file size allowed); the file is unchanged\n',
    );
    expect(status).toBe(1);
    expect(readFileSync(join(at, 'g.yaml'), 'utf8')).toBe(before);
    expect(readdirSync(at)).toEqual(['g.yaml']);
  });

  test('a folder stays as it was', async () => {
    const at = folder();
    mkdirSync(join(at, 'out'));
    writeFileSync(join(at, 'out/mine.txt'), 'mine');
    const { status, stderr } = await limited(at, 2, 'platform', '-o', 'out');
    expect(stderr).toContain('out: cannot be written (it would exceed the largest file size allowed)\n');
    expect(status).toBe(1);
    expect(readdirSync(join(at, 'out'))).toEqual(['mine.txt']);
    expect((await limited(at, 2, 'platform', '-o', 'new')).status).toBe(1);
    expect(existsSync(join(at, 'new'))).toBe(false);
  });
});
