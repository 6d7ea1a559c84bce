import { findEnv, type ComponentView } from '../component-view.ts';
import type { Draft } from '../finding.ts';
import { formatBytes, quantityValue } from '../../fit/index.ts';
import { valueAt } from '../../json/index.ts';
import type { Rule } from '../rule.ts';
import { frontend, graph, tensorParallel, vllmModel, worker } from '../sample.ts';

function* limits(c: ComponentView): Iterable<Draft> {
  const limit = quantityValue(
    valueAt(c.spec, 'resources', 'limits', 'memory') ?? valueAt(c.container, 'resources', 'limits', 'memory'),
  );
  if (limit === undefined) return;
  const cache = findEnv(c, 'DYN_KVBM_CPU_CACHE_GB');
  const gigabytes = cache?.value !== undefined && /^\d+(?:\.\d+)?$/.test(cache.value) ? Number(cache.value) : undefined;
  if (cache && gigabytes !== undefined && gigabytes * 1e9 >= limit)
    yield {
      path: cache.path,
      problem: 'KVBM CPU cache must be smaller than the memory limit',
      found: `${gigabytes} GB of ${formatBytes(limit)}`,
      change: 'raise resources.limits.memory or lower DYN_KVBM_CPU_CACHE_GB',
    };
  const shared =
    valueAt(c.spec, 'sharedMemory', 'disabled') === true ? undefined : quantityValue(valueAt(c.spec, 'sharedMemory', 'size'));
  if (shared !== undefined && shared >= limit)
    yield {
      path: [...c.path, 'sharedMemory', 'size'],
      problem: 'shared memory counts toward the memory limit and must be smaller',
      found: `${formatBytes(shared)} of ${formatBytes(limit)}`,
      change: 'raise resources.limits.memory or lower sharedMemory.size',
    };
}

/** Rules about memory. */
export const memoryRules: readonly Rule[] = [
  {
    id: 'DYN-MEM-001',
    severity: 'error',
    on: 'component',
    check: limits,
    title: 'CPU cache or shared memory that does not fit into the memory limit',
    why: 'Both count toward the memory limit of the container. When they exceed it, the kernel kills the engine.',
    allowed: 'DYN_KVBM_CPU_CACHE_GB and sharedMemory.size below resources.limits.memory.',
    fix: 'Raise the memory limit above the sum of cache, shared memory and the engine itself.',
    example: () => ({
      bad: [
        graph({
          Frontend: frontend(),
          Worker: worker('vllm', [...vllmModel, '--connector', 'kvbm'], {
            resources: { limits: { gpu: '1', memory: '64Gi' } },
            envs: [{ name: 'DYN_KVBM_CPU_CACHE_GB', value: '100' }],
          }),
        }),
      ],
      good: [
        graph({
          Frontend: frontend(),
          Worker: worker('vllm', [...vllmModel, '--connector', 'kvbm'], {
            resources: { limits: { gpu: '1', memory: '250Gi' } },
            envs: [{ name: 'DYN_KVBM_CPU_CACHE_GB', value: '100' }],
          }),
        }),
      ],
    }),
  },
  {
    id: 'DYN-MEM-002',
    severity: 'warning',
    on: 'component',
    check: function* (c) {
      if (c.engine === undefined || c.engine === 'mocker' || (c.gpus ?? 0) < 2 || valueAt(c.spec, 'sharedMemory') !== undefined)
        return;
      yield {
        path: c.path,
        problem: 'worker with several GPUs has the default 8Gi of /dev/shm',
        found: `${c.gpus} GPUs`,
        change: 'set sharedMemory.size, such as 80Gi',
      };
    },
    title: 'multi-GPU worker with the default shared memory',
    why: 'NCCL and the processes of the engine exchange data through /dev/shm. The default of 8Gi is often too small for several GPUs, and the engine fails with a bus error.',
    allowed: 'An explicit sharedMemory.size, or sharedMemory.disabled.',
    fix: 'Set sharedMemory.size. The recipes of Dynamo use 80Gi or more.',
    example: () => ({
      bad: [tensorParallel(4, '4')],
      good: [tensorParallel(4, '4', { sharedMemory: { size: '80Gi' } })],
    }),
  },
];
