import { Duration } from 'cdk8s';
import { DynamoGraphRequest, Model, Search, type DynamoChart } from '../../../lib/graph/index.ts';

/** Asks for a graph by computation: no GPU is used to find it. */
export const slaAic = (chart: DynamoChart) =>
  new DynamoGraphRequest(chart, 'sla-aic', {
    model: Model.huggingFace('Qwen/Qwen3-32B'),
    backend: 'trtllm',
    search: Search.aiConfigurator({ system: 'h200_sxm' }),
    sla: { isl: 3000, osl: 150, ttft: Duration.millis(500), itl: Duration.millis(30) },
    autoApply: true,
  });
