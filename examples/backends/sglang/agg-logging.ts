import { DynamoGraph, type DynamoChart } from '../../../lib/graph/index.ts';
import { qwen, sglang } from './qwen.ts';

/** Logs as JSON lines on every component. */
export const sglangAggLogging = (chart: DynamoChart) =>
  DynamoGraph.aggregated(chart, 'sglang-agg', { model: qwen, engine: sglang, env: { DYN_LOGGING_JSONL: '1' } });
