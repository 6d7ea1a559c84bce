/**
 * Runs the tests of test/network, with a control plane of their own, where pods can have addresses: EndpointSlices take no loopback addresses,
 * so they live in a network namespace that has a range of its own.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { describeCluster } from '../control-plane/cluster-test.ts';

const enter = 'ip link set lo up && ip addr add 10.77.0.0/16 dev lo && exec "$@"';
const inNamespace = ['--user', '--map-root-user', '--net', 'sh', '-c', enter, 'sh'];

function hasNetworkNamespaces(): boolean {
  return spawnSync('unshare', [...inNamespace, 'true']).status === 0;
}

describeCluster('pods with addresses', () => {
  test.skipIf(!hasNetworkNamespaces())('passes every test of test/network', async () => {
    const vitest = [
      process.execPath,
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project',
      'network',
      '--no-file-parallelism',
      '--reporter=json',
    ];
    const child = spawn('unshare', [...inNamespace, ...vitest], { stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    expect(exitCode, `${stdout}\n${stderr}`).toBe(0);
    const report: unknown = JSON.parse(stdout);
    expect(report).toMatchObject({ success: true, numFailedTests: 0, numPendingTests: 0, numPassedTests: expect.any(Number) });
    expect(report).not.toMatchObject({ numPassedTests: 0 });
  });
});
