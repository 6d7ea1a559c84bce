import { Duration } from 'cdk8s';
import { DynamoGraphRequest, Model, type DynamoChart } from '../../../lib/graph/index.ts';

/** Asks for a graph of a mixture-of-experts model, starting from a graph in a ConfigMap. */
export const slaMoe = (chart: DynamoChart) =>
  new DynamoGraphRequest(chart, 'sla-moe', {
    model: Model.huggingFace('deepseek-ai/DeepSeek-R1'),
    backend: 'sglang',
    sla: { isl: 3000, osl: 150, ttft: Duration.millis(200), itl: Duration.millis(20) },
    hardware: { minGpus: 8, maxGpus: 16, gpusPerNode: 8 },
    modelCache: { cache: { claimName: 'model-cache' }, path: 'deepseek-r1' },
    base: { configMap: { name: 'deepseek-r1-config' }, key: 'tep16p-dep16d-disagg.yaml' },
    autoApply: true,
  });
