import { Size } from 'cdk8s';
import { Engine, Model, ModelCache, Placement, Router, type DynamoChart, type TrtllmConfig } from '../../../lib/graph/index.ts';

const model = Model.huggingFace('Qwen/Qwen3-235B-A22B-FP8');

/** What all Qwen3 235B recipes share. */
export const qwen235b = (chart: DynamoChart) => ({
  model,
  backend: 'trtllm' as const,
  router: Router.kv(),
  modelCache: new ModelCache(chart, 'model-cache', { model, size: Size.gibibytes(300), mountPath: '/mnt/model-cache' }),
  frontend: { modelCache: false as const },
});

/** What all its workers share. */
export const worker = { sharedMemory: Size.gibibytes(256), placement: Placement.gpuNodes() };

/** TensorRT-LLM as tuned for it, for so many requests of so many tokens at once. */
export const trtllm = (batch: number, tokens: number, kv: TrtllmConfig['kv_cache_config'], more: TrtllmConfig) =>
  Engine.trtllm({
    workingDir: '/workspace/components/backends/trtllm',
    config: {
      backend: 'pytorch',
      trust_remote_code: true,
      enable_attention_dp: false,
      enable_chunked_prefill: false,
      disable_overlap_scheduler: false,
      print_iter_log: false,
      cache_transceiver_config: { backend: 'DEFAULT' },
      build_config: { max_batch_size: batch, max_num_tokens: tokens, max_seq_len: 8192 },
      kv_cache_config: { enable_block_reuse: true, dtype: 'fp8', ...kv },
      cuda_graph_config: { enable_padding: true, max_batch_size: batch },
      ...more,
    },
  });

/** Four GPUs with experts spread over them. */
export const fourGpus = { tensor_parallel_size: 4, moe_expert_parallel_size: 4, moe_tensor_parallel_size: 1 };
