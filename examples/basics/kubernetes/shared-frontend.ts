import { Size } from 'cdk8s';
import { DynamoGraph, Engine, Model, ModelCache, type DynamoChart } from '../../../lib/graph/index.ts';
import { addMultimodalWorkers, qwenTemplate } from '../../multimodal/workers.ts';

/** One frontend serves the workers of two other graphs. */
export const sharedFrontend = (chart: DynamoChart) => {
  const model = Model.huggingFace('Qwen/Qwen3-0.6B');
  const storage = {
    size: Size.gibibytes(100),
    accessMode: 'ReadWriteOnce',
    mountPath: '/root/.cache/huggingface',
    download: false,
  } as const;
  const modelCache = new ModelCache(chart, 'dynamo-model-cache', { model, ...storage });
  new DynamoGraph(chart, 'frontend').addFrontend({ globalNamespace: true });
  DynamoGraph.aggregated(chart, 'vllm-agg', { model, engine: Engine.vllm(), modelCache, frontend: false });
  const qwen = new DynamoGraph(chart, 'agg-qwen', { backend: 'vllm', frontend: false });
  addMultimodalWorkers(qwen, 'Qwen/Qwen2.5-VL-7B-Instruct', qwenTemplate, { modelCache });
};
