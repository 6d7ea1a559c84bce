import { DynamoGraph, Engine, Router, type DynamoChart } from '../../../lib/graph/index.ts';
import { qwen } from './qwen.ts';

/** The router guesses what workers hold, and workers publish nothing. */
export const vllmAggRouterKvApprox = (chart: DynamoChart) =>
  DynamoGraph.aggregated(chart, 'vllm-agg-router-kv-approx', {
    model: qwen,
    engine: Engine.vllm(),
    router: Router.kv({ events: false }),
    worker: { replicas: 2 },
  });
