import { DynamoGraph, Router, type DynamoChart } from '../../../../lib/graph/index.ts';
import { qwen32b } from '../qwen.ts';

/** Eight workers in turn. */
export const qwen32bAggRoundRobin = (chart: DynamoChart) =>
  DynamoGraph.aggregated(chart, 'agg-8xtp2', {
    ...qwen32b(chart),
    router: Router.roundRobin({ resetStates: true }),
    worker: { replicas: 8, subType: 'decode', compilationCache: true },
  });
