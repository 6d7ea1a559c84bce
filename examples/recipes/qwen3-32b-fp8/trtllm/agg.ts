import { DynamoGraph, type DynamoChart } from '../../../../lib/graph/index.ts';
import { qwen32bFp8, trtllm, worker } from '../qwen.ts';

/** One worker of two GPUs. */
export const qwen32bFp8Agg = (chart: DynamoChart) =>
  DynamoGraph.aggregated(chart, 'qwen3-32b-fp8-agg', {
    ...qwen32bFp8(chart),
    engine: trtllm(2, 96, 7964, [1, 2, 4, 8, 16, 32, 64, 96]),
    worker: { ...worker, name: 'TrtllmWorker' },
  });
