import { DynamoGraph, type DynamoChart } from '../../../lib/graph/index.ts';
import { qwen, sglang } from './qwen.ts';

/** One SGLang worker that serves whole requests. */
export const sglangAgg = (chart: DynamoChart) => DynamoGraph.aggregated(chart, 'sglang-agg', { model: qwen, engine: sglang });
