import { Duration, Size } from 'cdk8s';
import { Probe } from 'cdk8s-plus-28';
import { DynamoGraph, Engine, Fabric, Model, ModelCache, type DynamoChart } from '../../../../lib/graph/index.ts';

const probe = (port: number, timeout: number, failureThreshold: number) =>
  Probe.fromHttpGet('/health', {
    port,
    periodSeconds: Duration.seconds(10),
    timeoutSeconds: Duration.seconds(timeout),
    failureThreshold,
  });

/** Sixteen data-parallel ranks on two nodes on either side, experts spread over all of them. */
export const dsr1VllmHopper16gpu = (chart: DynamoChart) => {
  const model = Model.path('/model-cache/deepseek-r1', { servedName: 'deepseek-ai/DeepSeek-R1' });
  const engine = Engine.vllm({
    parallel: { tensor: 1, data: 16, hybridLoadBalancing: true, expert: true },
    all2allBackend: 'deepep_high_throughput',
    maxModelLen: 16384,
    maxNumSeqs: 512,
    asyncScheduling: true,
    enableDbo: true,
    dboDecodeTokenThreshold: 32,
    enableEplb: true,
    eplbConfig: { window_size: '1000', step_interval: '3000', num_redundant_experts: '32', log_balancedness: 'False' },
    workingDir: '/workspace/dynamo',
    env: {
      VLLM_USE_DEEP_GEMM: '1',
      VLLM_SKIP_P2P_CHECK: '1',
      VLLM_RANDOMIZE_DP_DUMMY_INPUTS: '1',
      NVIDIA_GDRCOPY: 'enabled',
      GLOO_SOCKET_IFNAME: 'eth0',
    },
  });
  const compilationConfig = { pass_config: { fuse_norm_quant: true, eliminate_noops: true }, cudagraph_mode: 'FULL_DECODE_ONLY' };
  return DynamoGraph.disaggregated(chart, 'vllm-dsr1', {
    model,
    engine,
    backend: 'vllm',
    modelCache: new ModelCache(chart, 'model-cache', { model, size: Size.gibibytes(1500), mountPath: '/model-cache' }),
    fabric: Fabric.infiniband(),
    frontend: { startupProbe: probe(8000, 1800, 60) },
    workers: { sharedMemory: Size.gibibytes(80), startupProbe: probe(9090, 10, 600) },
    prefill: { name: 'prefill' },
    decode: {
      name: 'decode',
      env: { VLLM_MOE_DP_CHUNK_SIZE: '384' },
      engine: engine.with({ all2allBackend: 'deepep_low_latency', compilationConfig }),
    },
  });
};
