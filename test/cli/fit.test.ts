import { expect, test } from 'vitest';
import { run } from './run.ts';

const image = 'nvcr.io/nvidia/ai-dynamo/sglang-runtime:0.9.0';
const graph = `apiVersion: nvidia.com/v1alpha1
kind: DynamoGraphDeployment
metadata: {name: demo}
spec:
  services:
    Frontend:
      componentType: frontend
      replicas: 1
      extraPodSpec: {mainContainer: {image: ${image}}}
    Worker:
      componentType: worker
      replicas: 2
      multinode: {nodeCount: 2}
      resources: {limits: {gpu: "8"}}
      extraPodSpec:
        mainContainer: {image: ${image}, command: [python3, -m, dynamo.sglang], args: [--model-path, m, --tp, "16"]}
`;
function nodes(count: number): string {
  const one = (i: number): string =>
    `- {apiVersion: v1, kind: Node, metadata: {name: n${i}}, status: {allocatable: {cpu: "8", memory: 64Gi, nvidia.com/gpu: "8"}}}\n`;
  return `apiVersion: v1\nkind: List\nitems:\n${Array.from({ length: count }, (_, i) => one(i)).join('')}`;
}

test.each(['grove', 'lws'])('says that a graph fits, with its sums, under %s', async (orchestrator) => {
  const files = { 'g.yaml': graph, 'n.yaml': nodes(4) };
  const { code, out } = await run(['fit', '-f', 'g.yaml', '--nodes', 'n.yaml', '--orchestrator', orchestrator], { files });
  expect(code).toBe(0);
  expect(out).toMatch(/Worker +2 +2 +4 +8 +32\n/);
  expect(out).toMatch(/total +5 +32\n/);
  expect(out).toContain('cluster: 4 nodes with 32 GPUs, 32 cores and 256Gi\nfits, if nothing else runs there\n');
});

test('says what is missing where it does not', async () => {
  const { code, out } = await run(['fit', '-f', 'g.yaml', '--nodes', 'n.yaml'], {
    files: { 'g.yaml': graph, 'n.yaml': nodes(3) },
  });
  expect(code).toBe(1);
  expect(out).toContain(
    'does not fit:\n  Worker: no room for 1 replica of 2 pods each\n    2 of 3 nodes: insufficient nvidia.com/gpu\n    1 of 3 nodes: room for some but not all 2 pods of the gang\n  not placed in total: 16 GPUs\n',
  );
});

test('answers as JSON', async () => {
  const { out } = await run(['fit', '-f', 'g.yaml', '--nodes', 'n.yaml', '-o', 'json'], {
    files: { 'g.yaml': graph, 'n.yaml': nodes(4) },
  });
  expect(JSON.parse(out)).toMatchObject({ fits: true, totals: { pods: 5, gpus: 32 }, missing: [] });
});

test.each([
  ['no nodes', { 'g.yaml': graph, 'n.yaml': 'apiVersion: v1\nkind: Pod\n' }, 'no Node in --nodes'],
  ['no graph', { 'g.yaml': 'apiVersion: v1\nkind: Pod\n', 'n.yaml': nodes(1) }, 'nothing to place'],
  [
    'a graph that is refused',
    { 'g.yaml': graph.replace('replicas: 2', 'replicas: -2'), 'n.yaml': nodes(1) },
    'spec.services.Worker.replicas',
  ],
  ['no orchestrator', { 'g.yaml': graph, 'n.yaml': nodes(1) }, 'no multinode orchestrator available'],
])('fails on %s', async (what, files, message) => {
  const none = what === 'no orchestrator' ? ['--orchestrator', 'none'] : [];
  const { code, err } = await run(['fit', '-f', 'g.yaml', '--nodes', 'n.yaml', ...none], { files });
  expect(code).toBe(1);
  expect(err).toContain(message);
});

test('imagines nodes that are not there yet, of which only the GPUs count', async () => {
  const files = { 'g.yaml': graph.replace('replicas: 2', 'replicas: 2\n      envs: []') };
  const fits = await run(['fit', '-f', 'g.yaml', '--nodes', '4', '--gpus-per-node', '8', '--orchestrator', 'grove'], { files });
  expect(fits.out).toContain(
    'cluster: 4 nodes with 32 GPUs, and enough of all other resources\nfits, if nothing else runs there\n',
  );
  expect(fits.code).toBe(0);
  const tight = await run(['fit', '-f', 'g.yaml', '--nodes', '3', '--gpus-per-node', '8', '--orchestrator', 'grove'], { files });
  expect(tight.out).toContain('not placed in total: 16 GPUs');
  expect(tight.code).toBe(1);
});

test('counts the GPUs of imagined nodes once, also where pods ask for parts of them', async () => {
  const files = {
    'g.yaml': graph,
    'm.yaml': graph.replace('name: ', 'name: mig-').replaceAll(/gpu: ("?\d+"?)/g, 'gpu: $1, gpuType: nvidia.com/mig-1g.5gb'),
  };
  const { out } = await run(
    ['fit', '-f', 'g.yaml', '-f', 'm.yaml', '--nodes', '9', '--gpus-per-node', '8', '--orchestrator', 'grove'],
    { files },
  );
  expect(files['m.yaml']).toContain('mig-1g.5gb');
  expect(out).toContain('cluster: 9 nodes with 72 GPUs');
});

test('rejects GPUs of nodes that come from a file', async () => {
  const files = { 'g.yaml': graph, 'n.yaml': nodes(1) };
  const { code, err } = await run(['fit', '-f', 'g.yaml', '--nodes', 'n.yaml', '--gpus-per-node', '8'], { files });
  expect([code, err]).toEqual([
    1,
    '--gpus-per-node: needs one number of nodes from 1 to 999999, as in --nodes 4 --gpus-per-node 8, got --nodes n.yaml\n',
  ]);
});

test('rejects a number of nodes without their GPUs, or outside its range, unless it names a file', async () => {
  const files = { 'g.yaml': graph, '2': nodes(4) };
  const fit = async (...argv: readonly string[]) =>
    await run(['fit', '-f', 'g.yaml', '--orchestrator', 'lws', ...argv], { files });
  for (const number of ['2', '0', '-1'])
    expect(await fit('--nodes', number)).toEqual({
      code: 1,
      out: '',
      err: `--nodes: a number of nodes needs --gpus-per-node, as in --nodes 4 --gpus-per-node 8, got --nodes ${number}; name a file of that name ./${number}\n`,
    });
  for (const number of ['0', '1000000', '1e3'])
    expect(await fit('--nodes', number, '--gpus-per-node', '8')).toEqual({
      code: 1,
      out: '',
      err: `--gpus-per-node: needs one number of nodes from 1 to 999999, as in --nodes 4 --gpus-per-node 8, got --nodes ${number}\n`,
    });
  expect((await fit('--nodes', './2')).code).toBe(0);
});

// The API server accepts both numbers; to place so many pods would take longer than anybody waits.
test.each([
  ['replicas', graph.replace('replicas: 2', 'replicas: 2147483647'), 4294967295],
  ['nodeCount', graph.replace('nodeCount: 2', 'nodeCount: 2147483647'), 4294967295],
])('rejects more pods than a cluster can have, by %s', async (_, text, pods) => {
  const argv = ['fit', '-f', 'g.yaml', '--nodes', '4', '--gpus-per-node', '8', '--orchestrator', 'grove'];
  const { code, out, err } = await run(argv, { files: { 'g.yaml': text } });
  expect(err).toContain(
    `${pods} pods are more than the 150000 that Kubernetes supports in one cluster; lower replicas or multinode.nodeCount, most of all of Worker with ${pods - 1} pods\n`,
  );
  expect([code, out]).toEqual([1, '']);
});
