import { Duration } from 'cdk8s';
import { DynamoGraphRequest, Model, type DynamoChart } from '../../../lib/graph/index.ts';

/** Asks for a graph by measurement. */
export const slaOnline = (chart: DynamoChart) =>
  new DynamoGraphRequest(chart, 'sla-online', {
    model: Model.huggingFace('Qwen/Qwen3-0.6B'),
    backend: 'vllm',
    sla: { isl: 3000, osl: 150, ttft: Duration.millis(200), itl: Duration.millis(20) },
    autoApply: true,
  });
