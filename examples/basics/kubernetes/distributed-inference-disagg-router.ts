import { HostPathVolumeType, Volume } from 'cdk8s-plus-28';
import { DynamoGraph, Engine, Model, Router, type DynamoChart } from '../../../lib/graph/index.ts';

/** A decode worker of eight GPUs and a prefill worker of four. */
export const distributedInferenceDisaggRouter = (chart: DynamoChart) => {
  const disk = { path: '/YOUR/LOCAL/CACHE/FOLDER', type: HostPathVolumeType.DIRECTORY_OR_CREATE };
  const engine = Engine.vllm({ env: { DYN_LOG: 'debug' } });
  return DynamoGraph.disaggregated(chart, 'vllm-v1-disagg-router', {
    model: Model.huggingFace('meta-llama/Llama-3.1-70B-Instruct'),
    engine,
    router: Router.kv(),
    workers: { mounts: [{ path: '/root/.cache', volume: Volume.fromHostPath(chart, 'cache', 'local-model-cache', disk) }] },
    prefill: { engine: engine.with({ parallel: { tensor: 4 } }) },
    decode: { engine: engine.with({ parallel: { tensor: 8 } }) },
  });
};
