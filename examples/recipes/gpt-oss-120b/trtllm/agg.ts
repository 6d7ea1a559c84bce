import { Size } from 'cdk8s';
import { DynamoGraph, Engine, Model, ModelCache, Placement, type DynamoChart } from '../../../../lib/graph/index.ts';

/** Four GPUs, attention and experts spread over them. */
export const gptOssAgg = (chart: DynamoChart) => {
  const model = Model.huggingFace('openai/gpt-oss-120b');
  return DynamoGraph.aggregated(chart, 'gpt-oss-agg', {
    model,
    backend: 'trtllm',
    engine: Engine.trtllm({
      parallel: { tensor: 4, expert: 4 },
      maxBatchSize: 800,
      freeGpuMemoryFraction: 0.9,
      config: {
        enable_attention_dp: true,
        stream_interval: 20,
        cuda_graph_config: { max_batch_size: 800, enable_padding: true },
        kv_cache_config: { enable_block_reuse: false },
        moe_config: { backend: 'CUTLASS' },
      },
      env: { TRTLLM_ENABLE_PDL: '1', TRT_LLM_DISABLE_LOAD_WEIGHTS_IN_PARALLEL: 'True' },
    }),
    modelCache: new ModelCache(chart, 'model-cache', { model, size: Size.gibibytes(300), mountPath: '/opt/models' }),
    frontend: { modelCache: false },
    worker: { name: 'TrtllmWorker', sharedMemory: Size.gibibytes(80), placement: Placement.gpuNodes() },
  });
};
