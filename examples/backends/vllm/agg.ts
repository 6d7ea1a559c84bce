import { DynamoGraph, Engine, type DynamoChart } from '../../../lib/graph/index.ts';
import { qwen } from './qwen.ts';

/** One vLLM worker that serves whole requests. */
export const vllmAgg = (chart: DynamoChart) =>
  DynamoGraph.aggregated(chart, 'vllm-agg', {
    model: qwen,
    engine: Engine.vllm(),
    frontend: { envFromSecret: { name: 'hf-token-secret' } },
  });
