import { DynamoGraph, Engine, type DynamoChart } from '../../../lib/graph/index.ts';
import { qwen } from './qwen.ts';

/** A planner scales prefill and decode workers. */
export const vllmDisaggPlanner = (chart: DynamoChart) =>
  DynamoGraph.disaggregated(chart, 'vllm-disagg-planner', {
    model: qwen,
    engine: Engine.vllm(),
    planner: { envFromSecret: false },
  });
