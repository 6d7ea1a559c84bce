import { Size } from 'cdk8s';
import { Engine, Model, ModelCache, type DynamoChart } from '../../../lib/graph/index.ts';

const model = Model.huggingFace('RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic');

/** vLLM as tuned for Llama, on so many GPUs. */
export const vllm = (tensor: number) =>
  Engine.vllm({ parallel: { tensor, data: 1 }, gpuMemoryUtilization: '0.90', prefixCaching: false, blockSize: 128 });

/** What all Llama recipes share. */
export const llama = (chart: DynamoChart) => ({
  model,
  backend: 'vllm' as const,
  modelCache: new ModelCache(chart, 'model-cache', { model, size: Size.gibibytes(100), mountPath: '/opt/models' }),
  frontend: { workingDir: '/workspace/examples/backends/vllm' },
});
