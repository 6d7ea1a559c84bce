/** What the profile secure lets the operator do, by the audit log. */
import { describe, expect, test, vi } from 'vitest';
import { stringAt } from '../../lib/json/index.ts';
import { succeeded } from '../control-plane/client.ts';
import { addNode } from '../control-plane/nodes.ts';
import { home, installPlatform } from './install-platform.ts';
import { judgeRights, refusedCalls } from './judge-rights.ts';
import { runManager } from './run-manager.ts';
import { items, untilGraphsReady } from './until-ready.ts';

const extraPodSpec = { mainContainer: { image: 'nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.9.0' } };
const graph = {
  apiVersion: 'nvidia.com/v1alpha1',
  kind: 'DynamoGraphDeployment',
  metadata: { namespace: home, name: 'life' },
  spec: { services: { Frontend: { componentType: 'frontend', replicas: 1, extraPodSpec } } },
};

describe.skipIf(process.env['LONG'] === undefined)('the rights of the installed operator', () => {
  test('are enough where it looks after one namespace, and those on Leases are used', async () => {
    const values = { 'dynamo-operator': { namespaceRestriction: { enabled: true } } };
    const installation = await installPlatform({ profile: 'secure', values });
    const { client } = installation.cluster;
    await addNode(client, { name: 'gpu-0' });
    const manager = await runManager(installation);
    succeeded(await client.create(graph));
    expect(await untilGraphsReady(client)).toBe(1);
    const renewals = async (): Promise<readonly string[]> =>
      (await items(client, 'coordination.k8s.io/v1', 'Lease', home)).map((lease) => stringAt(lease, 'spec', 'renewTime'));
    const before = await renewals();
    expect(before.length).toBeGreaterThan(0);
    const isRenewed = async (): Promise<boolean> => (await renewals()).every((time) => !before.includes(time));
    await vi.waitUntil(isRenewed, { timeout: 180_000, interval: 100 });
    expect(await manager.stop()).toBe(0);
    expect(await refusedCalls(installation)).toEqual([]);
    const isJudged = (group: string): boolean => group === 'coordination.k8s.io';
    expect(await judgeRights(installation, isJudged)).toEqual({ unused: [], stale: [] });
  });
});
