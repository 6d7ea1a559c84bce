/**
 * Runs the tests of test/network on their own control plane in a network namespace: EndpointSlices accept no loopback addresses, so pods need others.
 */
import { expect, test } from 'vitest';
import { describeCluster } from '../control-plane/cluster-test.ts';
import { hasNetworkNamespaces, runInNamespace } from '../control-plane/network-namespace.ts';

describeCluster('pods with addresses', () => {
  test.skipIf(!hasNetworkNamespaces())('passes every test of test/network', async () => {
    const report = await runInNamespace('network');
    expect(report).toMatchObject({ numFailedTests: 0, numPendingTests: 0 });
    expect(report.numPassedTests).toBeGreaterThan(0);
  });
});
