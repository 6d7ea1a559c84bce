/** Graphs over one node and over several become ready with the real Grove and the real LeaderWorkerSets under the installed operator. */
import { describe, expect, test } from 'vitest';
import { stringAt } from '../../lib/json/index.ts';
import { groveFolder } from '../../tools/grove.ts';
import { succeeded } from '../control-plane/client.ts';
import { addNode } from '../control-plane/nodes.ts';
import { type Act, play } from './acts.ts';
import { countGraphs, createExample, isMultinode, isStub, readExamples, type Example } from './examples.ts';
import { installPlatform, type Installation } from './install-platform.ts';
import { judgeRights, type ProjectGroup, refusedCalls, runDisturbedManager } from './judge-rights.ts';
import { groveActs, leaderWorkerSetActs } from './orchestrator-acts.ts';
import { startGrove, startLeaderWorkerSets, startScheduler } from './orchestrators.ts';
import { runManager } from './run-manager.ts';
import { items, untilGraphsReady } from './until-ready.ts';

const isLong = process.env['LONG'] !== undefined;
const single = /^backends\/(vllm\/agg|vllm\/disagg-planner|sglang\/disagg)$/;
const sample = /^backends\/(vllm\/agg|sglang\/disagg-multinode)$/;
const examples = readExamples().filter(
  (example) => !isStub(example) && (isLong ? isMultinode(example) || single.test(example.name) : sample.test(example.name)),
);

describe('installed beside a real orchestrator', () => {
  test.skipIf(groveFolder === undefined)(
    'it brings up graphs on Grove (skipped where DYNAMO_CORPUS has no live/grove)',
    async () => {
      const installation = await installPlatform({
        profile: 'secure',
        groups: ['inference.networking.k8s.io', 'scheduling.run.ai'],
      });
      const { cluster } = installation;
      succeeded(await cluster.client.create({ apiVersion: 'scheduling.run.ai/v2', kind: 'Queue', metadata: { name: 'dynamo' } }));
      await startScheduler(cluster, 'kai-scheduler');
      await startGrove(cluster, groveFolder ?? '');
      await bringUp(installation, examples);
      expect(await items(cluster.client, 'grove.io/v1alpha1', 'PodCliqueSet')).toHaveLength(countGraphs(examples));
      if (isLong) await judge(installation, groveActs, ['grove.io', 'scheduling.run.ai']);
    },
  );

  test('it brings up graphs on LeaderWorkerSets', async () => {
    const installation = await installPlatform({ profile: 'secure', groups: ['inference.networking.k8s.io'] });
    await startLeaderWorkerSets(installation.cluster);
    await bringUp(installation, examples);
    const sets = await items(installation.cluster.client, 'leaderworkerset.x-k8s.io/v1', 'LeaderWorkerSet');
    const namespaces = new Set(sets.map((set) => stringAt(set, 'metadata', 'namespace')));
    expect(namespaces).toEqual(new Set(examples.filter(isMultinode).map(({ namespace }) => namespace)));
    if (isLong) await judge(installation, leaderWorkerSetActs, ['leaderworkerset.x-k8s.io', 'scheduling.volcano.sh']);
  });
});

async function bringUp(installation: Installation, of: readonly Example[]): Promise<void> {
  const { client } = installation.cluster;
  for (let node = 0; node < (isLong ? 100 : 8); node += 1)
    await addNode(client, {
      name: `gpu-${node}`,
      labels: { 'nvidia.com/gpu.present': 'true' },
      devices: { 'rdma/ib': '8' },
      isRoomy: true,
    });
  const manager = await runManager(installation);
  for (const example of of) await createExample(client, example);
  expect(await untilGraphsReady(client)).toBe(countGraphs(of));
  expect(await manager.stop()).toBe(0);
  expect(await refusedCalls(installation)).toEqual([]);
}

/** Every right on the objects of an orchestrator is used by the end of some acts. */
async function judge(installation: Installation, acts: readonly Act[], groups: readonly ProjectGroup[]): Promise<void> {
  const { manager, proxy } = await runDisturbedManager(installation);
  await play(acts, { cluster: installation.cluster, proxy });
  expect(await manager.stop()).toBe(0);
  expect(await refusedCalls(installation)).toEqual([]);
  const isJudged = (group: string): boolean => groups.some((one) => one === group);
  expect(await judgeRights(installation, isJudged)).toEqual({ unused: [], stale: [] });
}
