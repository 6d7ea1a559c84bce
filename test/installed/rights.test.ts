/** The operator uses every right that the profile secure gives it and lacks none, according to the audit log of a whole scenario. */
import { describe, expect, test } from 'vitest';
import { stringAt } from '../../lib/json/index.ts';
import { succeeded } from '../control-plane/client.ts';
import { addNode } from '../control-plane/nodes.ts';
import { play, until } from './acts.ts';
import { home, installPlatform } from './install-platform.ts';
import { judgeRights, refusedCalls, runDisturbedManager } from './judge-rights.ts';
import { narrowGraph } from './rights-graphs.ts';
import { life } from './rights-scenario.ts';
import { runManager } from './run-manager.ts';
import { items, untilGraphsReady } from './until-ready.ts';

const isLong = process.env['LONG'] !== undefined;

describe('the rights of the installed operator', () => {
  test('are those that it uses over the whole of its life', async () => {
    const installation = await installPlatform({
      profile: 'secure',
      values: { 'dynamo-operator': { dynamo: { istio: { enabled: true, gateway: 'istio-system/gateway' } } } },
      groups: ['inference.networking.k8s.io', 'networking.istio.io'],
    });
    const { cluster } = installation;
    for (const name of ['gpu-0', 'gpu-1']) await addNode(cluster.client, { name });
    const { manager, proxy } = await runDisturbedManager(installation);
    await play(life, { cluster, proxy });
    expect(await manager.stop()).toBe(0);
    expect(await refusedCalls(installation)).toEqual([]);
    expect(await judgeRights(installation, () => true)).toEqual({ unused: [], stale: [] });
  });

  test.runIf(isLong)('are enough where it looks after one namespace, and those on Leases are used', async () => {
    const values = { 'dynamo-operator': { namespaceRestriction: { enabled: true } } };
    const installation = await installPlatform({ profile: 'secure', values });
    const { client } = installation.cluster;
    await addNode(client, { name: 'gpu-0' });
    const manager = await runManager(installation);
    succeeded(await client.create({ ...narrowGraph, metadata: { ...narrowGraph.metadata, namespace: home } }));
    expect(await untilGraphsReady(client)).toBe(1);
    const renewals = async (): Promise<readonly string[]> =>
      (await items(client, 'coordination.k8s.io/v1', 'Lease', home)).map((lease) => stringAt(lease, 'spec', 'renewTime'));
    const before = await renewals();
    expect(before.length).toBeGreaterThan(0);
    await until('Leases to be renewed', async () => (await renewals()).every((time) => !before.includes(time)));
    expect(await manager.stop()).toBe(0);
    expect(await refusedCalls(installation)).toEqual([]);
    const isJudged = (group: string): boolean => group === 'coordination.k8s.io';
    expect(await judgeRights(installation, isJudged)).toEqual({ unused: [], stale: [] });
  });
});
