import { DynamoGraph, Router, type DynamoChart } from '../../../lib/graph/index.ts';
import { qwen, sglang } from './qwen.ts';

/** Requests go to the worker that holds most of the prompt; the worker publishes what it holds. */
export const sglangAggRouter = (chart: DynamoChart) =>
  DynamoGraph.aggregated(chart, 'sglang-agg-router', { model: qwen, engine: sglang, router: Router.kv() });
