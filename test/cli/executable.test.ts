import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { built } from '../built.ts';

let folder = '';
/** Gives a command a terminal of its own; part of util-linux. */
const hasScript = spawnSync('script', ['--version']).status === 0;

/** The bundle as users get it, in a package without any other. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dynamo-cdk8s-bundle-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const part of ['cli', 'manager']) cpSync(built(part), join(folder, 'build', part), { recursive: true });
  symlinkSync(join(folder, 'build/cli/dynamo-cdk8s.js'), join(folder, 'dynamo-cdk8s'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const graph =
  'apiVersion: nvidia.com/v1alpha1\nkind: DynamoGraphDeployment\nmetadata: {name: g}\nspec: {services: {a: {extraPodSpec: {mainContainer: {image: x}}}}}\n';

function start(args: readonly string[], input = '', env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'build/cli/dynamo-cdk8s.js'), ...args], {
    cwd: folder,
    input,
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}

describe('the bundled command', () => {
  test('prints the version of the package', () => {
    expect(start(['--version']).out).toMatch(/^\d+\.\d+\.\d+/);
  });

  test('validates stdin', () => {
    expect(start(['validate', '-f', '-'], graph)).toEqual({ code: 0, out: '', err: 'no problems: 1 object in 1 file\n' });
  });

  test('runs through a symbolic link, as npm installs it', () => {
    const { stdout } = spawnSync(join(folder, 'dynamo-cdk8s'), ['--version'], { encoding: 'utf8' });
    expect(stdout).toMatch(/^\d/);
  });

  test("tells a user's mistake without a stack trace", () => {
    const ran = start(['validate', '-f', 'nope.yaml', '--strict']);
    expect(ran).toMatchObject({ code: 1, out: 'nope.yaml: no such file or folder\n' });
    expect(ran.err).not.toMatch(/\n\s+at /);
  });

  test('writes no colour into a pipe, whatever the terminal', () => {
    expect(start(['validate', '-f', '-'], 'a: [', { TERM: 'xterm-256color' }).out).not.toContain('\u001b');
  });

  test.skipIf(!hasScript)('is coloured on a terminal, unless NO_COLOR is set', () => {
    writeFileSync(join(folder, 'bad.yaml'), graph.replace('extraPodSpec', 'replicas: -1, extraPodSpec'));
    const command = `"${process.execPath}" build/cli/dynamo-cdk8s.js validate -f bad.yaml`;
    const shown = (env: NodeJS.ProcessEnv): string =>
      spawnSync('script', ['-qec', command, '/dev/null'], {
        cwd: folder,
        env: { PATH: process.env['PATH'], TERM: 'xterm', ...env },
        encoding: 'utf8',
      }).stdout;
    expect(shown({})).toContain('\u001b[31mspec.services.a.replicas');
    expect(shown({ NO_COLOR: '1' })).not.toContain('\u001b[');
    expect(shown({ TERM: 'dumb' })).not.toContain('\u001b[');
  });

  test('ends quietly when its reader has seen enough', async () => {
    const twice = Array.from({ length: 4000 }, (_, i) => `a${i}: 1\na${i}: 1\n`).join('');
    const many = `apiVersion: v1\nkind: ConfigMap\n${twice}`;
    const child = spawn(
      'bash',
      ['-c', `"${process.execPath}" build/cli/dynamo-cdk8s.js validate -f - | head -n 1; echo "\${PIPESTATUS[0]}"`],
      { cwd: folder },
    );
    child.stdin.end(many);
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    await new Promise((done) => child.on('close', done));
    expect(out).toBe('<stdin>:4:1 key "a0" is given twice; kubectl keeps the last\n1\n');
    expect(err).toBe('1000 errors: 0 objects in 1 file\n');
  });

  test('is bounded in memory on hostile input', () => {
    const small = { NODE_OPTIONS: '--max-old-space-size=300' };
    expect(start(['validate', '-f', '-'], `a: ${'['.repeat(100_000)}`, small)).toMatchObject({
      code: 1,
      out: expect.stringContaining('nested deeper'),
    });
    expect(start(['validate', '-f', '-'], 'a: b\n'.repeat(4_200_000), small)).toMatchObject({
      code: 1,
      out: expect.stringContaining('MiB'),
    });
  });
});

describe('the one file of the operator', () => {
  const manager = (args: readonly string[]) =>
    spawnSync(join(folder, 'build/manager'), [...args], { cwd: folder, env: { PATH: process.env['PATH'] }, encoding: 'utf8' });

  test('runs where it was built, inside a package of modules', () => {
    expect(manager(['-h'])).toMatchObject({ status: 0, stdout: expect.stringContaining('--leader-elect'), stderr: '' });
  });

  test('ends with the exit codes of the original', () => {
    expect(manager(['--bogus'])).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^flag provided but not defined: -bogus\nUsage: /),
    });
    expect(manager([])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('planner-cluster-role-name is required in cluster-wide mode'),
    });
  });
});
