/** `npm run playground` as a user has it: what it prints works, and nothing outlives it. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stringAt, valueAt, type JsonObject } from '../../lib/json/index.ts';
import { canRunOperator } from './operator-cluster.ts';

const project = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const isLong = process.env['LONG'] !== undefined;

/** Processes whose command line has a text in it: their command lines by id. */
function processesWith(text: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const line = readFileSync(`/proc/${entry}/cmdline`, 'utf8').replaceAll('\0', ' ');
      if (line.includes(text)) found.set(Number(entry), line);
    } catch {
      // It has ended.
    }
  }
  return found;
}

/** The group that a terminal would signal a process with. */
function groupOf(pid: number): number {
  const [, afterName = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  return Number(afterName.split(' ')[2]);
}

/** Kills a group when this process ends in the middle of a test, which a Ctrl-C would do that does not reach the group. */
function killGroupWithTest(group: number): void {
  const script = `cat; kill -KILL -${group}`;
  const guard = spawn('sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  onTestFinished(() => void process.kill(-(guard.pid ?? 0), 'SIGKILL'));
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 300_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`${what} did not happen within five minutes`);
    await setTimeout(200);
  }
}

describe.skipIf(!canRunOperator({ nodes: 1 }))('the playground', () => {
  test.each(isLong ? (['SIGINT', 'SIGTERM'] as const) : (['SIGINT'] as const))(
    'has what it promises, and leaves nothing after %s',
    async (signal) => {
      const temporary = mkdtempSync(join(tmpdir(), 'dynamo-cdk8s-playing-'));
      const args = ['--import', 'tsx', 'test/playground/serve.ts'];
      const child = spawn(process.execPath, args, { cwd: project, detached: true, env: { ...process.env, TMPDIR: temporary } });
      const group = child.pid ?? 0;
      onTestFinished(async () => {
        child.kill('SIGKILL');
        await until('the end of all processes', () => processesWith(temporary).size === 0);
        rmSync(temporary, { recursive: true, force: true });
      });
      killGroupWithTest(group);
      let [out, said] = ['', ''];
      child.stdout.on('data', (data) => (out += String(data)));
      child.stderr.on('data', (data) => (said += String(data)));
      await until('the start', () => said.includes('Ctrl-C') || child.exitCode !== null);
      expect(child.exitCode, said).toBeNull();
      const started = [...processesWith(temporary).keys()];
      expect(started.length).toBeGreaterThan(5);
      // A Ctrl-C must not reach them before their owner has ended them.
      expect(started.map(groupOf)).not.toContain(group);
      expect(out.trim().startsWith(temporary)).toBe(true);
      if (signal === 'SIGINT') await tryCommands(said);

      // A terminal signals the whole group at Ctrl-C; `kill` signals one process.
      process.kill(signal === 'SIGINT' ? -group : group, signal);
      await once(child, 'exit');
      expect(child.exitCode, said).toBe(0);
      expect([...processesWith(temporary).values()]).toEqual([]);
      // tsx keeps a cache of its own there.
      expect(readdirSync(temporary).filter((entry) => !entry.startsWith('tsx-'))).toEqual([]);
    },
  );
});

/** What there is to try. */
const promised = [
  /^export KUBECONFIG=\S+ PATH=\S+:\$PATH$/,
  /^node .* status -n models --watch$/,
  /^kubectl patch dgd qwen3 -n models .*"replicas":4/,
  /^kubectl patch dgd qwen3 -n models .*"restart":\{"id":/,
  /^kubectl delete node gpu-0$/,
  /^kubectl patch dgd qwen3 -n models .*"image":"\S*broken/,
];

/** Does what the playground says, word for word; ordinary runs only watch and scale. */
async function tryCommands(said: string): Promise<void> {
  const lines = said.split('\n').flatMap((line) => (line.startsWith('  ') ? [line.trim()] : []));
  expect(lines).toEqual(promised.map((pattern): unknown => expect.stringMatching(pattern)));
  const [setup = '', watch = '', scale = '', restart = '', kill = '', breakImage = ''] = lines;
  const shell = async (command: string): Promise<string> =>
    (await run('bash', ['-c', `${setup}\n${command}`], { cwd: project, maxBuffer: 1 << 26 })).stdout;
  const graph = async (): Promise<JsonObject> => JSON.parse(await shell('kubectl get dgd qwen3 -n models -o json')) as JsonObject;
  const isReady = async (): Promise<boolean> => stringAt(await graph(), 'status', 'state') === 'successful';

  expect(await shell(watch)).toContain('DynamoGraphDeployment/qwen3 in models');
  await shell(scale);
  await until('scaling', async () => valueAt(await graph(), 'status', 'services', 'decode', 'readyReplicas') === 4 && isReady());
  if (!isLong) return;
  await shell(restart);
  await until('the restart', async () => stringAt(await graph(), 'status', 'restart', 'phase') === 'Completed');
  await shell(kill);
  await until('the move of pods', async () => {
    const pods = await shell('kubectl get pods -n models -o jsonpath="{.items[*].spec.nodeName}"');
    return !pods.includes('gpu-0') && isReady();
  });
  await shell(breakImage);
  await until('a word about the image', async () => {
    const shown = await run('bash', ['-c', `${setup}\n${watch.replace(' --watch', '')}`], { cwd: project }).catch(
      (error: { readonly stdout?: string }) => ({ stdout: error.stdout ?? '' }),
    );
    return shown.stdout.includes('ImagePullBackOff');
  });
}
