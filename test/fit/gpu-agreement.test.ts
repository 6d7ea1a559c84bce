import { expect, test } from 'vitest';
import type { JsonObject } from '../../lib/api/index.ts';
import { lintGraph } from '../../lib/lint/index.ts';
import { run } from '../cli/run.ts';

/** A graph of one worker of two replicas with these limits. */
function graph(limits: JsonObject): JsonObject {
  const worker = {
    componentType: 'worker',
    replicas: 2,
    resources: { limits },
    extraPodSpec: { mainContainer: { image: 'i:1', command: ['python3', '-m', 'dynamo.vllm'], args: ['--model', '/m'] } },
  };
  const spec = { services: { Worker: worker } };
  return { apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoGraphDeployment', metadata: { name: 'g' }, spec };
}

test.each([
  ['MIG slices as custom resources', { custom: { 'nvidia.com/mig-1g.5gb': '2' } }, 2],
  ['MIG slices as the type of GPU', { gpu: '2', gpuType: 'nvidia.com/mig-1g.5gb' }, 2],
  [
    'a vGPU with its helpers',
    { custom: { 'nvidia.com/gpucores': '30', 'nvidia.com/gpumem': '10000', 'nvidia.com/vgpu': '1' } },
    1,
  ],
  ['plain GPUs beside others', { gpu: '1', custom: { 'amd.com/gpu': '2', 'rdma/ib': '1' } }, 3],
])('tree, fit and lint count the same for %s', async (_what, limits, each) => {
  const json = JSON.stringify(graph(limits));
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, status: { allocatable: { cpu: '9' } } };
  const files = { 'g.json': json, 'n.json': JSON.stringify(node) };
  expect((await run(['render', '-f', 'g.json', '-o', 'tree'], { files })).out).toContain(
    `total: 1 component, 2 replicas, ${2 * each} GPUs`,
  );
  const { out } = await run(['fit', '-f', 'g.json', '--nodes', 'n.json', '-o', 'json'], { files });
  expect(JSON.parse(out)).toMatchObject({ totals: { gpus: 2 * each, components: [{ gpusPerPod: each }] } });
  // the budget is the lint rule that adds up all GPUs of a graph
  const told = (budget: number) =>
    lintGraph(graph(limits), { gpuBudget: budget }).filter(({ message }) => message.includes(`${2 * each}`));
  expect(told(2 * each - 1).map(({ id }) => id)).toContain('DYN-GPU-006');
  expect(told(2 * each).map(({ id }) => id)).not.toContain('DYN-GPU-006');
});
