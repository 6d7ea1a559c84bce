import { DynamoGraph, Engine, type DynamoChart } from '../../../lib/graph/index.ts';
import { qwen } from './qwen.ts';

/** Prompts and answers computed by different workers. */
export const vllmDisagg = (chart: DynamoChart) =>
  DynamoGraph.disaggregated(chart, 'vllm-disagg', { model: qwen, engine: Engine.vllm() });
