import { DynamoGraph, Engine, Router, type DynamoChart } from '../../../lib/graph/index.ts';
import { qwen } from './qwen.ts';

/** Two prefill workers, chosen by what they hold, and two decode workers. */
export const vllmDisaggRouter = (chart: DynamoChart) =>
  DynamoGraph.disaggregated(chart, 'vllm-v1-disagg-router', {
    model: qwen,
    engine: Engine.vllm(),
    router: Router.kv(),
    workers: { replicas: 2 },
  });
