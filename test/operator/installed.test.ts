/** Runs the tests of test/installed in a network namespace, where the ports and Services of rendered manifests are free to use. */
import { describe, expect, test } from 'vitest';
import { hasNetworkNamespaces, runInNamespace } from '../control-plane/network-namespace.ts';
import { canRunOperator } from './operator-cluster.ts';

describe.skipIf(!canRunOperator({ nodes: 1 }) || !hasNetworkNamespaces())('the platform as users install it', () => {
  test('passes every test of test/installed', async () => {
    const report = await runInNamespace('installed');
    const skipped = report.testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status !== 'passed')
      .map(({ fullName }) => fullName);
    if (skipped.length > 0) process.stderr.write(`skipped:\n${skipped.map((name) => `  ${name}\n`).join('')}`);
    expect(report.numPassedTests).toBeGreaterThan(0);
  });
});
