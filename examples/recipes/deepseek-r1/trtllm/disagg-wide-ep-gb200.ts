import { Duration, Size } from 'cdk8s';
import { Probe } from 'cdk8s-plus-28';
import {
  ComputeDomain,
  DynamoGraph,
  Engine,
  Model,
  ModelCache,
  type DynamoChart,
  type TrtllmConfig,
} from '../../../../lib/graph/index.ts';

const prefill: TrtllmConfig = {
  max_batch_size: 4,
  max_num_tokens: 4608,
  max_seq_len: 1227,
  tensor_parallel_size: 4,
  moe_expert_parallel_size: 4,
  enable_attention_dp: true,
  pipeline_parallel_size: 1,
  cuda_graph_config: null,
  print_iter_log: true,
  disable_overlap_scheduler: true,
  kv_cache_config: { enable_block_reuse: false, free_gpu_memory_fraction: 0.85, dtype: 'fp8' },
  cache_transceiver_config: { max_tokens_in_buffer: 4608, backend: 'DEFAULT' },
};
const decode: TrtllmConfig = {
  tensor_parallel_size: 32,
  moe_expert_parallel_size: 32,
  enable_attention_dp: true,
  pipeline_parallel_size: 1,
  max_batch_size: 32,
  max_num_tokens: 32,
  max_seq_len: 2251,
  print_iter_log: true,
  stream_interval: 20,
  cuda_graph_config: { enable_padding: true, batch_sizes: [1, 2, 4, 8, 16, 32, 64, 128, 256, 384, 512, 768, 1024, 2048] },
  kv_cache_config: { enable_block_reuse: false, free_gpu_memory_fraction: 0.7, dtype: 'fp8' },
  moe_config: { backend: 'WIDEEP' },
  cache_transceiver_config: { max_tokens_in_buffer: 4608, backend: 'DEFAULT' },
};

/** Prefill on one node, decode on eight, joined by NVLink: the domain's nine nodes are counted from both. */
export const dsr1TrtllmWideEpGb200 = (chart: DynamoChart) => {
  const model = Model.path('/model-cache/deepseek-r1-fp4', {
    servedName: 'deepseek-ai/DeepSeek-R1',
    repository: 'nvidia/DeepSeek-R1-FP4',
  });
  const engine = Engine.trtllm({ config: prefill, workingDir: '/workspace/components/backends/trtllm' });
  const times = {
    initialDelaySeconds: Duration.seconds(30),
    periodSeconds: Duration.seconds(10),
    timeoutSeconds: Duration.seconds(5),
  };
  const graph = DynamoGraph.disaggregated(chart, 'trtllm-disagg-multinode', {
    model,
    engine,
    backend: 'trtllm',
    modelCache: new ModelCache(chart, 'model-cache', { model, size: Size.gibibytes(1500), mountPath: '/model-cache' }),
    env: {
      NCCL_MNNVL_ENABLE: '1',
      NCCL_CUMEM_ENABLE: '1',
      TLLM_LOG_LEVEL: 'info',
      TRTLLM_MOE_ENABLE_ALLTOALL_WITHOUT_ALLGATHER: '1',
      TRTLLM_ENABLE_PDL: '1',
    },
    frontend: { modelCache: false },
    workers: {
      gpusPerNode: 4,
      cpu: 130,
      memory: Size.gibibytes(850),
      sharedMemory: Size.gibibytes(800),
      startupProbe: Probe.fromHttpGet('/live', { port: 9090, ...times, failureThreshold: 600 }),
    },
    prefill: { name: 'prefill' },
    decode: { name: 'decode', engine: Engine.trtllm({ config: decode, workingDir: engine.workingDir }) },
  });
  new ComputeDomain(chart, 'trtllm-test-compute-domain', { graph });
};
