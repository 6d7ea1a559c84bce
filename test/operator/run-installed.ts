/** Runs a file of test/installed in a network namespace, where the ports and Services of rendered manifests are free to use. */
import { expect } from 'vitest';
import { hasNetworkNamespaces, runInNamespace } from '../control-plane/network-namespace.ts';
import { canRunOperator } from './operator-cluster.ts';

/** Whether this machine can run such a file. */
export function canRunInstalled(): boolean {
  return canRunOperator({ nodes: 1 }) && hasNetworkNamespaces();
}

/** Runs the tests of one file, and says which of them were skipped. */
export async function runInstalled(file: string): Promise<void> {
  const report = await runInNamespace('installed', [`test/installed/${file}`]);
  const skipped = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status !== 'passed')
    .map(({ fullName }) => fullName);
  if (skipped.length > 0) process.stderr.write(`skipped:\n${skipped.map((name) => `  ${name}\n`).join('')}`);
  expect(report.numPassedTests).toBeGreaterThan(0);
}
