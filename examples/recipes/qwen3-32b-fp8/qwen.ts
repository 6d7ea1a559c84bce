import { Size } from 'cdk8s';
import { Engine, Model, ModelCache, Placement, type DynamoChart } from '../../../lib/graph/index.ts';

const model = Model.huggingFace('Qwen/Qwen3-32B-FP8');

/** What all Qwen3 32B FP8 recipes share. */
export const qwen32bFp8 = (chart: DynamoChart) => ({
  model,
  backend: 'trtllm' as const,
  modelCache: new ModelCache(chart, 'model-cache', { model, size: Size.gibibytes(100), mountPath: '/opt/models' }),
  frontend: { modelCache: false as const },
});

/** What all its workers share. */
export const worker = { sharedMemory: Size.gibibytes(80), placement: Placement.gpuNodes() };

/** TensorRT-LLM as tuned for it, with CUDA graphs for the batch sizes given. */
export const trtllm = (tensor: number, batch: number, tokens: number, batch_sizes: readonly number[], more: object = {}) =>
  Engine.trtllm({
    env: { TRTLLM_ENABLE_PDL: '1', TRT_LLM_DISABLE_LOAD_WEIGHTS_IN_PARALLEL: 'True' },
    config: {
      backend: 'pytorch',
      tensor_parallel_size: tensor,
      pipeline_parallel_size: 1,
      enable_attention_dp: false,
      enable_chunked_prefill: false,
      max_batch_size: batch,
      max_num_tokens: tokens,
      max_seq_len: tokens,
      kv_cache_config: { enable_block_reuse: false, free_gpu_memory_fraction: 0.7, dtype: 'fp8' },
      cuda_graph_config: { enable_padding: true, batch_sizes },
      disable_overlap_scheduler: false,
      print_iter_log: false,
      ...more,
    },
  });
