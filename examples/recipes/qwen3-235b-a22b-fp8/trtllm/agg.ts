import { DynamoGraph, type DynamoChart } from '../../../../lib/graph/index.ts';
import { fourGpus, qwen235b, trtllm, worker } from '../qwen.ts';

/** Four workers of four GPUs, chosen by what they hold. */
export const qwen235bAgg = (chart: DynamoChart) =>
  DynamoGraph.aggregated(chart, 'qwen3-235b-a22b-agg', {
    ...qwen235b(chart),
    engine: trtllm(128, 8192, { free_gpu_memory_fraction: 0.8, dtype: 'auto' }, { ...fourGpus, enable_chunked_prefill: true }),
    worker: { ...worker, name: 'TrtllmWorker', replicas: 4 },
  });
