import { DynamoGraph, Engine, type DynamoChart } from '../../../lib/graph/index.ts';
import { qwen } from './qwen.ts';

/** Each worker spans two nodes of one GPU. */
export const vllmDisaggMultinode = (chart: DynamoChart) =>
  DynamoGraph.disaggregated(chart, 'vllm-disagg', {
    model: qwen,
    engine: Engine.vllm({ parallel: { tensor: 2 } }),
    frontend: { workingDir: '/workspace/examples/backends/vllm' },
    workers: { gpusPerNode: 1 },
    prefill: { name: 'prefill' },
    decode: { name: 'decode' },
  });
