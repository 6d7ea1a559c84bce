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

/** Processes whose command line has a text in it. */
function processesWith(text: string): readonly string[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')];
      } catch {
        return [];
      }
    })
    .filter((line) => line.includes(text));
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
      const child = spawn(process.execPath, args, { cwd: project, env: { ...process.env, TMPDIR: temporary } });
      onTestFinished(async () => {
        child.kill('SIGKILL');
        await until('the end of all processes', () => processesWith(temporary).length === 0);
        rmSync(temporary, { recursive: true, force: true });
      });
      let [out, said] = ['', ''];
      child.stdout.on('data', (data) => (out += String(data)));
      child.stderr.on('data', (data) => (said += String(data)));
      await until('the start', () => said.includes('Ctrl-C') || child.exitCode !== null);
      expect(child.exitCode, said).toBeNull();
      expect(processesWith(temporary).length).toBeGreaterThan(5);
      expect(out.trim().startsWith(temporary)).toBe(true);
      if (signal === 'SIGINT') await tryCommands(said);

      child.kill(signal);
      await once(child, 'exit');
      expect(child.exitCode, said).toBe(0);
      expect(processesWith(temporary)).toEqual([]);
      // tsx keeps a cache of its own there.
      expect(readdirSync(temporary).filter((entry) => !entry.startsWith('tsx-'))).toEqual([]);
    },
  );
});

/** Does what the playground says, word for word; ordinary runs only watch and scale. */
async function tryCommands(said: string): Promise<void> {
  const lines = said.split('\n').flatMap((line) => (line.startsWith('  ') ? [line.trim()] : []));
  const [setup = '', watch = '', scale = '', restart = '', kill = '', breakImage = '', ...more] = lines;
  expect(more).toEqual([]);
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
