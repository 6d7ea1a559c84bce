import { DynamoGraph, type DynamoChart } from '../../../lib/graph/index.ts';
import { qwen, sglang } from './qwen.ts';

/** Prompts and answers computed by different workers. */
export const sglangDisagg = (chart: DynamoChart) =>
  DynamoGraph.disaggregated(chart, 'sglang-disagg', { model: qwen, engine: sglang });
