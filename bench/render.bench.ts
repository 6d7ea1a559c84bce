// Rendering all levels of a graph against the time to copy the result through JSON, which is the least any program could spend on it.
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { normalizeResource, type ComponentSpec, type DynamoGraphDeployment, type Json } from '../lib/api/index.ts';
import { chartConfig, clusterOfDocuments, renderLevels, renderResource, type RenderContext } from '../lib/render/index.ts';

const worker = (index: number): ComponentSpec => ({
  componentType: index % 2 === 0 ? 'decode' : 'prefill',
  replicas: 2,
  envFromSecret: 'hf-token',
  envs: [
    { name: 'NCCL_DEBUG', value: 'INFO' },
    { name: 'MODEL', value: 'Qwen/Qwen3-0.6B' },
  ],
  resources: { limits: { gpu: '1', cpu: '8', memory: '64Gi' }, requests: { cpu: '4000m', memory: '32Gi' } },
  volumeMounts: [{ name: 'models', mountPoint: '/models' }],
  extraPodSpec: {
    tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' }],
    mainContainer: {
      image: 'registry.example.com/vllm-runtime:0.9.0',
      workingDir: '/workspace',
      command: ['/bin/sh', '-c'],
      args: ['python3 -m dynamo.vllm --model Qwen/Qwen3-0.6B --max-model-len 8192'],
    },
  },
});

function graph(services: number): DynamoGraphDeployment {
  const workers = Array.from({ length: services - 1 }, (_, index) => [`Worker${index}`, worker(index)] as const);
  const frontend: ComponentSpec = {
    componentType: 'frontend',
    replicas: 1,
    extraPodSpec: { mainContainer: { image: 'registry.example.com/vllm-runtime:0.9.0' } },
  };
  const { value } = normalizeResource({
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeployment',
    metadata: { name: 'bench', namespace: 'models' },
    spec: { backendFramework: 'vllm', services: { Frontend: frontend, ...Object.fromEntries(workers) } },
  } as unknown as Json);
  return value as unknown as DynamoGraphDeployment;
}

const context = (...groups: readonly string[]): RenderContext => ({
  config: chartConfig(),
  cluster: clusterOfDocuments([], new Set(groups), 'models'),
});

/** Microseconds of one call of each: the fastest of many short batches taken in turn, so that other processes disturb all alike and little. */
function microseconds(works: readonly (() => unknown)[]): readonly number[] {
  const best = works.map(() => Number.POSITIVE_INFINITY);
  for (let batch = 0; batch < 120; batch++) {
    for (const [index, work] of works.entries()) {
      const start = performance.now();
      for (let i = 0; i < 10; i++) work();
      best[index] = Math.min(best[index] ?? 0, (performance.now() - start) * 100);
    }
  }
  return best;
}

console.log('path       services  objects  render us  with quirks us  JSON copy us  render/copy');
for (const [path, groups] of [
  ['component', []],
  ['grove', ['grove.io']],
] as const) {
  for (const services of [3, 12, 24]) {
    const resource = graph(services);
    const around = context(...groups);
    const objects = renderLevels(resource, around).objects.map(({ object }) => object);
    const [render = 0, quirks = 0, copy = 0] = microseconds([
      () => renderLevels(resource, around),
      () => renderResource(resource, around),
      () => JSON.parse(JSON.stringify(objects)) as unknown,
    ]);
    const cells = [services, objects.length, render.toFixed(0), quirks.toFixed(0), copy.toFixed(0), (render / copy).toFixed(2)];
    console.log(`${path.padEnd(10)} ${cells.map((cell, i) => String(cell).padStart([8, 7, 9, 14, 12, 11][i] ?? 0)).join('  ')}`);
  }
}

const heap = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
};
const around = context();
const start = performance.now();
const samples: number[] = [heap()];
for (let i = 1; i <= 10_000; i++) {
  const resource = graph(3);
  renderLevels({ ...resource, metadata: { ...resource.metadata, name: `bench-${i}` } }, around);
  if (i % 2_500 === 0) samples.push(heap());
}
console.log(
  `10,000 graphs one after the other: ${((performance.now() - start) / 1000).toFixed(1)} s, heap in MiB after each 2,500: ${samples.map((s) => s.toFixed(1)).join(', ')}`,
);
