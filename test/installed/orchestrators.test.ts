/** Graphs over one node and over several become ready with the real Grove and the real LeaderWorkerSets under the installed operator. */
import { describe, expect, test } from 'vitest';
import { stringAt } from '../../lib/json/index.ts';
import { describeCall } from '../control-plane/audit-log.ts';
import { addNode } from '../control-plane/nodes.ts';
import { groveFolder } from './build-grove.ts';
import { createExample, graphsOf, isMultinode, isStub, readExamples, type Example } from './examples.ts';
import { installPlatform } from './install-platform.ts';
import { startGrove, startLeaderWorkerSets } from './orchestrators.ts';
import { runManager } from './run-manager.ts';
import { items, untilGraphsReady } from './until-ready.ts';

const isLong = process.env['LONG'] !== undefined;
const single = /^backends\/(vllm\/agg|vllm\/disagg-planner|sglang\/disagg)$/;
const examples = readExamples().filter((example) => !isStub(example) && (isMultinode(example) || single.test(example.name)));

describe.skipIf(!isLong)('installed beside a real orchestrator', () => {
  test.skipIf(groveFolder === undefined)(
    'it brings up graphs on Grove (skipped where DYNAMO_CORPUS has no live/grove)',
    async () => {
      const installation = await installPlatform({ profile: 'secure', groups: ['inference.networking.k8s.io'] });
      await startGrove(installation.cluster, groveFolder ?? '');
      await bringUp(installation, examples);
      expect(await items(installation.cluster.client, 'grove.io/v1alpha1', 'PodCliqueSet')).toHaveLength(countGraphs(examples));
    },
  );

  test('it brings up graphs on LeaderWorkerSets', async () => {
    const installation = await installPlatform({ profile: 'secure', groups: ['inference.networking.k8s.io'] });
    await startLeaderWorkerSets(installation.cluster);
    await bringUp(installation, examples);
    const sets = await items(installation.cluster.client, 'leaderworkerset.x-k8s.io/v1', 'LeaderWorkerSet');
    const namespaces = new Set(sets.map((set) => stringAt(set, 'metadata', 'namespace')));
    expect(namespaces).toEqual(new Set(examples.filter(isMultinode).map(({ namespace }) => namespace)));
  });
});

function countGraphs(of: readonly Example[]): number {
  return of.flatMap(({ documents }) => graphsOf(documents)).length;
}

async function bringUp(installation: Awaited<ReturnType<typeof installPlatform>>, of: readonly Example[]): Promise<void> {
  const { client, audit } = installation.cluster;
  for (let node = 0; node < 100; node += 1)
    await addNode(client, { name: `gpu-${node}`, labels: { 'nvidia.com/gpu.present': 'true' }, devices: { 'rdma/ib': '8' } });
  const manager = await runManager(installation);
  for (const example of of) await createExample(client, example);
  expect(await untilGraphsReady(client)).toBe(countGraphs(of));
  const { username } = installation.cluster.user('operator');
  const refused = (await audit.calls({ username })).filter(({ responseStatus }) => responseStatus?.code === 403);
  expect(refused.map(describeCall)).toEqual([]);
  expect(await manager.stop()).toBe(0);
}
