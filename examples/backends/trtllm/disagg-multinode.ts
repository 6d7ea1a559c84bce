import { Size } from 'cdk8s';
import { DynamoGraph, Engine, ModelCache, type DynamoChart, type TrtllmConfig } from '../../../lib/graph/index.ts';
import { qwen } from './qwen.ts';

const config: TrtllmConfig = {
  tensor_parallel_size: 8,
  moe_expert_parallel_size: 1,
  enable_attention_dp: false,
  max_num_tokens: 8192,
  trust_remote_code: true,
  backend: 'pytorch',
  enable_chunked_prefill: true,
  disable_overlap_scheduler: true,
  kv_cache_config: { free_gpu_memory_fraction: 0.8 },
  cache_transceiver_config: { backend: 'DEFAULT' },
};

/** Each worker spans two nodes of four GPUs, as the engine's configuration says; weights come from a shared claim. */
export const trtllmDisaggMultinode = (chart: DynamoChart) => {
  const engine = Engine.trtllm({ config, workingDir: '/workspace/' });
  return DynamoGraph.disaggregated(chart, 'trtllm-disagg-tp8', {
    model: qwen,
    backend: 'trtllm',
    engine,
    modelCache: new ModelCache(chart, 'models', {
      model: qwen,
      size: Size.gibibytes(100),
      mountPath: '/models',
      download: false,
    }),
    env: { OMPI_ALLOW_RUN_AS_ROOT: '1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1' },
    frontend: { workingDir: '/workspace/examples/backends/trtllm' },
    workers: { gpusPerNode: 4 },
    prefill: { name: 'prefill' },
    decode: { name: 'decode', engine: engine.with({ config: { disable_overlap_scheduler: false } }) },
  });
};
