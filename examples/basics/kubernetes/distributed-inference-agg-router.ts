import { HostPathVolumeType, Volume } from 'cdk8s-plus-28';
import { DynamoGraph, Engine, Model, Router, type DynamoChart } from '../../../lib/graph/index.ts';

/** Four workers with weights cached on each node's disk. */
export const distributedInferenceAggRouter = (chart: DynamoChart) => {
  const disk = { path: '/YOUR/LOCAL/CACHE/FOLDER', type: HostPathVolumeType.DIRECTORY_OR_CREATE };
  return DynamoGraph.aggregated(chart, 'vllm-agg-router', {
    model: Model.huggingFace('Qwen/Qwen2.5-1.5B-Instruct'),
    engine: Engine.vllm({ env: { DYN_LOG: 'debug' } }),
    router: Router.kv(),
    worker: {
      replicas: 4,
      mounts: [{ path: '/root/.cache', volume: Volume.fromHostPath(chart, 'cache', 'local-model-cache', disk) }],
    },
  });
};
