import { Secret } from 'cdk8s-plus-28';
import { DynamoGraph, Engine, LoraStore, type DynamoChart } from '../../../lib/graph/index.ts';
import { qwen } from './qwen.ts';

/** Adapters from an S3-compatible store, one of them loaded at once. */
export const vllmAggLora = (chart: DynamoChart) => {
  const credentials = Secret.fromSecretName(chart, 'minio', 'minio-secret');
  const store = LoraStore.s3({ bucket: 'my-loras', endpoint: 'http://minio:9000', allowHttp: true, credentials });
  const graph = DynamoGraph.aggregated(chart, 'vllm-agg-lora', {
    model: qwen,
    engine: Engine.vllm({ enforceEager: true, lora: { maxRank: 64, store, path: '/tmp/dynamo_loras_minio' } }),
    worker: { subType: 'decode' },
  });
  const modelName = 'codelion/Qwen3-0.6B-accuracy-recovery-lora';
  graph.addLora('codelion-recovery-lora', { modelName, uri: `s3://my-loras/${modelName}` });
};
