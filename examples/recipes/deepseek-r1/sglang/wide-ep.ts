import { Size } from 'cdk8s';
import { DynamoGraph, Engine, Model, ModelCache, type DynamoChart, type SglangOptions } from '../../../../lib/graph/index.ts';

/** DeepSeek R1 with experts and attention spread over so many GPUs on either side. */
export const wideEp = (chart: DynamoChart, gpus: number, options: SglangOptions = {}) => {
  const model = Model.huggingFace('deepseek-ai/DeepSeek-R1', { token: false });
  const tuning = {
    trustRemoteCode: true,
    memFractionStatic: 0.75,
    bootstrapPort: 30001,
    transferBackend: false,
    ...options,
  } as const;
  const engine = Engine.sglang({ ...tuning, parallel: { tensor: gpus, expert: gpus } });
  const decode = { tensor: gpus, data: gpus, dpAttention: true, expert: gpus };
  return DynamoGraph.disaggregated(chart, `sgl-dsr1-${gpus}gpu`, {
    model,
    engine,
    modelCache: new ModelCache(chart, 'model-cache', { model, size: Size.gibibytes(1500), mountPath: '/opt/model' }),
    workers: { sharedMemory: Size.gibibytes(80) },
    prefill: { engine: engine.with({ loadBalanceMethod: 'round_robin' }) },
    decode: { engine: engine.with({ parallel: decode, extraArgs: ['--prefill-round-robin-balance'] }) },
  });
};
