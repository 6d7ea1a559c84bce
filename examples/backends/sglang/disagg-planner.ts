import { DynamoGraph, type DynamoChart } from '../../../lib/graph/index.ts';
import { qwen, sglang } from './qwen.ts';

/** A planner scales prefill and decode workers. */
export const sglangDisaggPlanner = (chart: DynamoChart) =>
  DynamoGraph.disaggregated(chart, 'sglang-disagg-planner', {
    model: qwen,
    engine: sglang,
    workers: { replicas: 2 },
    planner: {},
  });
