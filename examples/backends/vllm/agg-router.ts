import { DynamoGraph, Engine, Router, type DynamoChart } from '../../../lib/graph/index.ts';
import { qwen } from './qwen.ts';

/** Two workers; requests go to the one that holds most of the prompt. */
export const vllmAggRouter = (chart: DynamoChart) =>
  DynamoGraph.aggregated(chart, 'vllm-agg-router', {
    model: qwen,
    engine: Engine.vllm(),
    router: Router.kv(),
    worker: { replicas: 2 },
  });
