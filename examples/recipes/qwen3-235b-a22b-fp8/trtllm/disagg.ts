import { DynamoGraph, type DynamoChart } from '../../../../lib/graph/index.ts';
import { fourGpus, qwen235b, trtllm, worker } from '../qwen.ts';

const twoGpus = { tensor_parallel_size: 2, moe_tensor_parallel_size: 2, moe_expert_parallel_size: 1 };

/** Six prefill workers of two GPUs, a decode worker of four. */
export const qwen235bDisagg = (chart: DynamoChart) =>
  DynamoGraph.disaggregated(chart, 'qwen3-235b-a22b-disagg', {
    ...qwen235b(chart),
    engine: trtllm(2, 8192, { free_gpu_memory_fraction: 0.7 }, { ...twoGpus, disable_overlap_scheduler: true }),
    workers: worker,
    prefill: { replicas: 6 },
    decode: { engine: trtllm(512, 1024, { free_gpu_memory_fraction: 0.95, enable_block_reuse: false }, fourGpus) },
  });
