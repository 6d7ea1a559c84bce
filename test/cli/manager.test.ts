/** The operator's own process, asked how it treats functions that become hot and memory that a burst of work took. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { bundleProgram } from '../bundle-program.ts';

/**
 * Loaded into the process before its program. It prints after how many calls a function is optimized, at once and again on SIGUSR2; then it works for more
 * than a second and prints whether the memory that this took is returned within ten seconds.
 */
const probe = `
  import { setTimeout } from 'node:timers/promises';
  import { getHeapSpaceStatistics } from 'node:v8';
  const isOptimized = (f) => (%GetOptimizationStatus(f) & 16) !== 0;
  const callsUntilOptimized = () => {
    const sum = new Function('n', 'let s = 0; for (let i = 0; i < n; i++) s += i; return s;');
    let calls = 0;
    for (; !isOptimized(sum) && calls < 1_000_000; calls += 1) sum(10);
    return calls;
  };
  const youngMegabytes = () =>
    getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space').physical_space_size / 2 ** 20;
  console.log(callsUntilOptimized());
  process.on('SIGUSR2', async () => {
    console.log(callsUntilOptimized());
    for (const end = Date.now() + 1500; Date.now() < end || youngMegabytes() < 8; ) Array.from({ length: 1000 }, (_, index) => ({ index }));
    const end = Date.now() + 10_000;
    while (youngMegabytes() > 4 && Date.now() < end) await setTimeout(100);
    console.log(youngMegabytes() <= 4);
  });
`;

test.each([
  { webhooks: true, optimizes: 'early' },
  { webhooks: false, optimizes: 'as usual' },
])(
  'with webhooks $webhooks it optimizes hot functions $optimizes; it returns memory after a burst of work',
  async ({ webhooks }) => {
    const folder = mkdtempSync(join(tmpdir(), 'dynamo-cdk8s-manager-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const kubeconfig = join(folder, 'kubeconfig');
    // Nobody listens there: the manager waits for its API server.
    const config = {
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'c' } }],
      clusters: [{ name: 'c', cluster: { server: 'http://127.0.0.1:1' } }],
    };
    writeFileSync(kubeconfig, JSON.stringify(config));
    writeFileSync(join(folder, 'probe.mjs'), probe);
    const flags = [
      `--kubeconfig=${kubeconfig}`,
      '--health-probe-bind-address=0',
      '--metrics-bind-address=0',
      `--enable-webhooks=${webhooks}`,
      '--planner-cluster-role-name=p',
      '--mpi-run-ssh-secret-name=s',
      '--mpi-run-ssh-secret-namespace=n',
    ];
    const v8 = ['--allow-natives-syntax', '--no-concurrent-recompilation', '--import', join(folder, 'probe.mjs')];
    const child = spawn(process.execPath, [...v8, await bundleProgram('lib/cli/manager.ts'), ...flags], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    });
    const printed = createInterface(child.stdout)[Symbol.asyncIterator]();
    const next = async (): Promise<unknown> => JSON.parse(String((await printed.next()).value));
    const before = Number(await next());
    // The first line of its log: it runs.
    await once(child.stderr, 'data');
    child.kill('SIGUSR2');
    const after = Number(await next());
    expect(after).toBeGreaterThan(0);
    expect(after < before / 2).toBe(webhooks);
    expect(await next()).toBe(true);
  },
);
