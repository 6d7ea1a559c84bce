import { DynamoGraph, Router, type DynamoChart } from '../../../lib/graph/index.ts';
import { qwen, trtllm } from './qwen.ts';

/** Two workers; requests go to the one that holds most of the prompt. */
export const trtllmAggRouter = (chart: DynamoChart) =>
  DynamoGraph.aggregated(chart, 'trtllm-agg-router', {
    model: qwen,
    engine: trtllm('agg'),
    router: Router.kv(),
    worker: { replicas: 2 },
  });
