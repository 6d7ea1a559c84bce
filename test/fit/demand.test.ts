import { describe, expect, test } from 'vitest';
import { demandOf, podRequests, totalsOf, type Gang } from '../../lib/fit/index.ts';
import type { JsonObject } from '../../lib/json/index.ts';
import { renderLevels, type RenderableResource } from '../../lib/render/index.ts';
import { component, context, graph, type groups } from '../render/graphs.ts';

const gpu = 'nvidia.com/gpu';

describe('requests of a pod', () => {
  const container = (requests: JsonObject, more: JsonObject = {}): JsonObject => ({ ...more, resources: { requests } });

  test('are the sum of its containers, by resource', () => {
    const containers = [container({ cpu: '1', memory: '1Ki' }), container({ cpu: '250m', [gpu]: 2 })];
    expect(podRequests({ containers })).toEqual({ cpu: 1.25, memory: 1024, [gpu]: 2 });
  });

  test('count nothing for an amount that is none', () => {
    expect(podRequests({ containers: [container({ cpu: 'many' })], overhead: { memory: 'some' } })).toEqual({
      cpu: 0,
      memory: 0,
    });
  });

  test('are by resource those of an init container that asks for more, since it runs before the others', () => {
    const containers = [container({ cpu: '2', memory: '4' })];
    const initContainers = [container({ cpu: '3', [gpu]: 1 }), container({ cpu: '1', memory: '5' })];
    expect(podRequests({ containers, initContainers })).toEqual({ cpu: 3, memory: 5, [gpu]: 1 });
  });

  // https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/#resource-sharing-within-containers
  test('add sidecars to the containers, and to the init containers that start after them', () => {
    const sidecar = container({ cpu: '2' }, { restartPolicy: 'Always' });
    const containers = [container({ cpu: '1' })];
    expect(podRequests({ containers, initContainers: [sidecar] })).toEqual({ cpu: 3 });
    expect(podRequests({ containers, initContainers: [sidecar, container({ cpu: '4' })] })).toEqual({ cpu: 6 });
    expect(podRequests({ containers, initContainers: [container({ cpu: '4' }), sidecar] })).toEqual({ cpu: 4 });
    expect(podRequests({ containers, initContainers: [sidecar, sidecar, container({ cpu: '1' })] })).toEqual({ cpu: 5 });
  });

  test('add the overhead of the runtime class', () => {
    expect(podRequests({ containers: [container({ cpu: '1' })], overhead: { cpu: '250m', memory: '1Ki' } })).toEqual({
      cpu: 1.25,
      memory: 1024,
    });
  });
});

describe('pods of a graph', () => {
  const image = { extraPodSpec: { mainContainer: { image: 'i:1', command: ['python3', '-m', 'dynamo.sglang'], args: ['--x'] } } };
  const web = { componentType: 'frontend', replicas: 3, ...image };
  const spread = {
    componentType: 'worker',
    replicas: 2,
    multinode: { nodeCount: 3 },
    resources: { limits: { gpu: '4' } },
    ...image,
  };
  const rendered = (resource: RenderableResource, orchestrator: keyof typeof groups) =>
    demandOf(renderLevels(resource, context(orchestrator)).objects);
  const shape = (gangs: readonly Gang[]) =>
    gangs.map(({ component: of, name, pods }) => [
      of,
      name,
      pods.map((pod) => [pod.component, pod.name, pod.requests[gpu] ?? 0]),
    ]);

  test('of Deployments start each on their own', () => {
    expect(shape(rendered(graph({ Web: web }), 'none'))).toEqual(
      [0, 1, 2].map((i) => ['Web', `g-web ${i}`, [['Web', 'g-web', 0]]]),
    );
    expect(rendered(graph({ Web: { ...web, replicas: 0 } }), 'none')).toEqual([]);
  });

  test('of LeaderWorkerSets start with their replica', () => {
    const gangs = rendered(graph({ Worker: spread }), 'lws');
    expect(gangs.map(({ component: of, pods }) => [of, pods.length])).toEqual([
      ['Worker', 3],
      ['Worker', 3],
    ]);
    expect(totalsOf(gangs)).toMatchObject({ pods: 6, gpus: 24 });
    for (const { pods } of gangs) expect(pods.map(({ labels }) => labels['role'])).toEqual(['leader', 'worker', 'worker']);
  });

  test('of cliques in a scaling group start with their replica, others each on their own', () => {
    const worker = (name: string, count: number) => Array.from({ length: count }, () => ['Worker', name, 4]);
    expect(shape(rendered(graph({ Web: web, Worker: spread }), 'grove'))).toEqual([
      ...[0, 1].map((i) => ['Worker', `worker ${i}`, [...worker('worker-ldr', 1), ...worker('worker-wkr', 2)]]),
      ...[0, 1, 2].map((i) => ['Web', `web ${i}`, [['Web', 'web', 0]]]),
    ]);
  });

  test('are one where the graph says nothing of replicas', () => {
    const { replicas: _web, ...oneWeb } = web;
    const { replicas: _spread, ...oneSpread } = spread;
    for (const orchestrator of ['grove', 'lws'] as const)
      expect(totalsOf(rendered(graph({ Web: oneWeb, Worker: oneSpread }), orchestrator))).toMatchObject({ pods: 4, gpus: 12 });
  });

  test('have their labels, their spec and a place among the pods of a node', () => {
    for (const orchestrator of ['none', 'grove'] as const) {
      const [gang] = rendered(graph({ Web: { ...web, extraPodMetadata: { labels: { a: 'b' } } } }), orchestrator);
      const [pod] = gang?.pods ?? [];
      expect(pod?.labels).toMatchObject({ a: 'b', 'nvidia.com/dynamo-component-type': 'frontend' });
      expect(pod?.spec).toHaveProperty('containers');
      expect(pod?.requests['pods']).toBe(1);
    }
  });

  test('of a component on its own have the name of its workload', () => {
    expect(shape(rendered(component({ componentType: 'frontend', replicas: 1, ...image }), 'none'))).toEqual([
      ['c', 'c 0', [['c', 'c', 0]]],
    ]);
  });
});

test('totals are those of the largest replica for nodes and GPUs each, and sums for the rest', () => {
  const pod = (gpus: number) => ({ component: 'A', name: 'a', labels: {}, spec: {}, requests: { [gpu]: gpus } });
  const gangs = [
    { component: 'A', name: 'a', pods: [pod(2), pod(4)] },
    { component: 'A', name: 'a', pods: [pod(1)] },
    { component: 'B', name: 'b', pods: [pod(8)] },
  ];
  expect(totalsOf(gangs)).toEqual({
    components: [
      { component: 'A', replicas: 2, nodes: 2, pods: 3, gpusPerPod: 4, gpus: 7 },
      { component: 'B', replicas: 1, nodes: 1, pods: 1, gpusPerPod: 8, gpus: 8 },
    ],
    pods: 4,
    gpus: 15,
  });
  expect(totalsOf([])).toEqual({ components: [], pods: 0, gpus: 0 });
});
