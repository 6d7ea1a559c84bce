import { DynamoGraph, Engine, type DynamoChart } from '../../../lib/graph/index.ts';
import { qwen } from './qwen.ts';

/** The engine's configuration lives here and travels in a ConfigMap; its path follows. */
export const trtllmAggWithConfig = (chart: DynamoChart) =>
  DynamoGraph.aggregated(chart, 'trtllm-agg', {
    model: qwen,
    engine: Engine.trtllm({
      config: {
        tensor_parallel_size: 1,
        moe_expert_parallel_size: 1,
        enable_attention_dp: false,
        max_num_tokens: 8192,
        max_batch_size: 16,
        trust_remote_code: true,
        backend: 'pytorch',
        enable_chunked_prefill: true,
        disable_overlap_scheduler: true,
        kv_cache_config: { free_gpu_memory_fraction: 0.95 },
        cuda_graph_config: { max_batch_size: 16 },
      },
    }),
  });
