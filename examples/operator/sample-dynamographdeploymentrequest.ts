import { Duration } from 'cdk8s';
import { DynamoGraphRequest, Model, type DynamoChart } from '../../lib/graph/index.ts';

/** A request with most settings of the profiler. */
export const exampleLlmSla = (chart: DynamoChart) =>
  new DynamoGraphRequest(chart, 'example-llm-sla', {
    model: Model.huggingFace('Qwen/Qwen3-0.6B'),
    backend: 'trtllm',
    sla: { isl: 3000, osl: 500, ttft: Duration.millis(50), itl: Duration.millis(10) },
    hardware: { minGpus: 1, maxGpus: 4 },
    config: {
      engine: { maxContextLength: 16384 },
      sweep: { useAiConfigurator: false, prefillInterpolationGranularity: 16, decodeInterpolationGranularity: 6 },
    },
    base: { configMap: { name: 'my-profiling-config' }, key: 'disagg.yaml' },
    autoApply: true,
  });
