/** Brings up examples beside a real orchestrator, and judges what the operator may do to its objects. */
import { expect } from 'vitest';
import { stringAt } from '../../lib/json/index.ts';
import { addNode } from '../control-plane/nodes.ts';
import { type Act, play } from './acts.ts';
import { countGraphs, createExample, isMultinode, isStub, readExamples, type Example } from './examples.ts';
import type { Installation } from './install-platform.ts';
import { judgeRights, type ProjectGroup, refusedCalls, runDisturbedManager } from './judge-rights.ts';
import { runManager } from './run-manager.ts';
import { readSecret } from './secret-files.ts';
import { items, untilGraphsReady } from './until-ready.ts';

const isLong = process.env['LONG'] !== undefined;
const single = /^backends\/(vllm\/agg|vllm\/disagg-planner|sglang\/disagg)$/;
const sample = /^backends\/(vllm\/agg|sglang\/disagg-multinode)$/;
const sound = readExamples().filter((example) => !isStub(example));

/** Examples over several nodes, and a few over one. */
export const orchestrated = sound.filter((example) =>
  isLong ? isMultinode(example) || single.test(example.name) : sample.test(example.name),
);

/** Examples over several nodes whose pods reach each other with the SSH key of the platform. */
export const overSsh = sound.filter(({ name }) => name === 'backends/trtllm/disagg-multinode');

/** Brings examples up until all are ready, without a call that the API server refuses. */
export async function bringUp(installation: Installation, examples: readonly Example[]): Promise<void> {
  const { client } = installation.cluster;
  for (let node = 0; node < (isLong ? 100 : 8); node += 1)
    await addNode(client, {
      name: `gpu-${node}`,
      labels: { 'nvidia.com/gpu.present': 'true' },
      devices: { 'rdma/ib': '8' },
      isRoomy: true,
    });
  const manager = await runManager(installation);
  for (const example of examples) await createExample(client, example);
  expect(await untilGraphsReady(client)).toBe(countGraphs(examples));
  expect(await manager.stop()).toBe(0);
  expect(await refusedCalls(installation)).toEqual([]);
}

/** Every pod of the workers of examples mounts the SSH key that the platform's hook made. */
export async function expectSshKey({ cluster, namespace }: Installation, examples: readonly Example[]): Promise<void> {
  const name = 'mpi-run-ssh-secret';
  const key = (await readSecret(cluster, namespace, name)).get('private.key')?.toString() ?? '';
  expect(examples).not.toEqual([]);
  expect(key).toMatch(/^-----BEGIN [A-Z ]*PRIVATE KEY-----\n/);
  for (const example of examples) {
    expect((await readSecret(cluster, example.namespace, name)).get('private.key')?.toString()).toBe(key);
    const pods = await items(cluster.client, 'v1', 'Pod', example.namespace);
    const mounting = pods.filter((pod) => JSON.stringify(pod['spec']).includes(`"secretName":"${name}"`));
    expect(mounting.length).toBeGreaterThanOrEqual(4);
    expect(mounting.map((pod) => stringAt(pod, 'status', 'phase'))).toEqual(mounting.map(() => 'Running'));
  }
}

/** Every right on the objects of an orchestrator is used by the end of some acts. */
export async function judge(installation: Installation, acts: readonly Act[], groups: readonly ProjectGroup[]): Promise<void> {
  const { manager, proxy } = await runDisturbedManager(installation);
  await play(acts, { cluster: installation.cluster, proxy });
  expect(await manager.stop()).toBe(0);
  expect(await refusedCalls(installation)).toEqual([]);
  const isJudged = (group: string): boolean => groups.some((one) => one === group);
  expect(await judgeRights(installation, isJudged)).toEqual({ unused: [], stale: [] });
}
