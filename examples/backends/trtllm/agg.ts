import { DynamoGraph, type DynamoChart } from '../../../lib/graph/index.ts';
import { qwen, trtllm } from './qwen.ts';

/** One TensorRT-LLM worker that serves whole requests. */
export const trtllmAgg = (chart: DynamoChart) =>
  DynamoGraph.aggregated(chart, 'trtllm-agg', { model: qwen, engine: trtllm('agg') });
