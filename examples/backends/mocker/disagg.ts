import { DynamoGraph, Engine, Model, type DynamoChart } from '../../../lib/graph/index.ts';

/** Prefill and decode without GPUs. */
export const mockerDisagg = (chart: DynamoChart) =>
  DynamoGraph.disaggregated(chart, 'mocker-disagg', {
    model: Model.huggingFace('nvidia/Llama-3.1-8B-Instruct-FP8'),
    engine: Engine.mocker({
      speedupRatio: '1.0',
      plannerProfileData: '/workspace/tests/planner/profiling_results/H200_TP1P_TP1D',
    }),
  });
