import { DynamoGraph, Engine, Model, type DynamoChart } from '../../../lib/graph/index.ts';

/** A graph without GPUs: the engine only pretends, at the speed that was measured on an H200. */
export const mockerAgg = (chart: DynamoChart) =>
  DynamoGraph.aggregated(chart, 'mocker-agg', {
    model: Model.huggingFace('nvidia/Llama-3.1-8B-Instruct-FP8'),
    engine: Engine.mocker({
      speedupRatio: '1.0',
      plannerProfileData: '/workspace/tests/planner/profiling_results/H200_TP1P_TP1D',
    }),
    worker: { subType: 'decode' },
  });
