import { Duration } from 'cdk8s';
import { DynamoGraph, Engine, Model, type DynamoChart } from '../../lib/graph/index.ts';

/** Components find each other through the Kubernetes API instead of etcd. */
export const discoveryKubernetes = (chart: DynamoChart) =>
  DynamoGraph.disaggregated(chart, 'dynamo', {
    metadata: { annotations: { 'nvidia.com/dynamo-discovery-backend': 'kubernetes' } },
    model: Model.huggingFace('Qwen/Qwen3-0.6B', { token: false }),
    engine: Engine.vllm({ workingDir: '/workspace/components/backends/vllm' }),
    env: { DYN_LOG: 'debug' },
    workers: { terminationGracePeriod: Duration.seconds(120) },
  });
