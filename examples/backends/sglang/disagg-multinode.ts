import { EnvValue, Secret } from 'cdk8s-plus-28';
import { DynamoGraph, Engine, type DynamoChart } from '../../../lib/graph/index.ts';
import { qwen } from './qwen.ts';

/** Each worker spans two nodes of four GPUs: eight by tensor parallelism. */
export const sglangDisaggMultinode = (chart: DynamoChart) =>
  DynamoGraph.disaggregated(chart, 'sglang-disagg-multinode', {
    model: qwen,
    backend: 'sglang',
    engine: Engine.sglang({
      parallel: { tensor: 8 },
      trustRemoteCode: true,
      skipTokenizerInit: true,
      bootstrapPort: 30001,
      memFractionStatic: 0.82,
    }),
    env: {
      HF_TOKEN: EnvValue.fromSecretValue({ secret: Secret.fromSecretName(chart, 'token', 'hf-token-secret'), key: 'HF_TOKEN' }),
      GLOO_SOCKET_IFNAME: 'eth0',
    },
    workers: { gpusPerNode: 4 },
  });
