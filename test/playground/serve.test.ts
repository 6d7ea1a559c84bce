/** `npm run playground` before anything runs: what it says where programs are missing, and what is left after a stop while they are built. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';

const project = resolve(import.meta.dirname, '../..');
const program = ['--import', 'tsx', 'test/playground/serve.ts'];

/** A folder for all that a playground stores, with nothing in its path but what is put into `bin`. */
function emptyMachine(): { readonly bin: string; readonly cache: string; readonly env: Readonly<Record<string, string>> } {
  const folder = mkdtempSync(join(tmpdir(), 'dynamo-cdk8s-playing-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [bin, cache, temporary] = [join(folder, 'bin'), join(folder, 'cache'), join(folder, 'tmp')];
  for (const made of [bin, temporary]) mkdirSync(made);
  return { bin, cache, env: { PATH: bin, XDG_CACHE_HOME: cache, TMPDIR: temporary } };
}

test('all programs that are missing are named where there is no Go', () => {
  const { env } = emptyMachine();
  const { status, stdout, stderr } = spawnSync(process.execPath, program, { cwd: project, env, encoding: 'utf8' });
  expect(stderr).toMatch(
    /^not found: etcd v\S+, kube-apiserver v\S+, kube-controller-manager v\S+, kube-scheduler v\S+, kwok v\S+, kubectl v\S+, and no Go/,
  );
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
});

test('an option that is not known is told', () => {
  const { env } = emptyMachine();
  const { status, stderr } = spawnSync(process.execPath, [...program, '--nodes'], { cwd: project, env, encoding: 'utf8' });
  expect(stderr).toContain("Unknown option '--nodes'");
  expect(status).toBe(1);
});

test('a stop while a program is built ends Go and leaves no part of a build', async () => {
  const { bin, cache, env } = emptyMachine();
  const pid = join(bin, 'pid');
  writeFileSync(join(bin, 'go'), `#!/bin/sh\necho $$ >${pid}\nexec /bin/sleep 600\n`);
  chmodSync(join(bin, 'go'), 0o755);
  const child = spawn(process.execPath, program, { cwd: project, env, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  while (!existsSync(pid) || readFileSync(pid, 'utf8') === '') await setTimeout(20);
  // Only this process gets the signal, unlike a Ctrl-C in a terminal.
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  const go = `/proc/${readFileSync(pid, 'utf8').trim()}`;
  onTestFinished(() => void (existsSync(go) && process.kill(Number(readFileSync(pid, 'utf8')), 'SIGKILL')));
  for (const deadline = Date.now() + 10_000; existsSync(go) && Date.now() < deadline;) await setTimeout(20);
  expect(existsSync(go)).toBe(false);
  expect(readdirSync(join(cache, 'dynamo-cdk8s/tools'))).toEqual([]);
});

test('a folder does not outlive its owner, even one that ends at once', async () => {
  const { env } = emptyMachine();
  const owner = "import { Processes } from './test/control-plane/processes.ts'; new Processes('made-'); process.exit();";
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', '-e', owner], {
    cwd: project,
    env,
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  const left = (): readonly string[] => readdirSync(env['TMPDIR'] ?? '').filter((entry) => entry.startsWith('made-'));
  for (const deadline = Date.now() + 10_000; left().length > 0 && Date.now() < deadline;) await setTimeout(20);
  expect(left()).toEqual([]);
});
