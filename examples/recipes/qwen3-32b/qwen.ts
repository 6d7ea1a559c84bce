import { Size } from 'cdk8s';
import { Engine, Fabric, Model, ModelCache, type DynamoChart } from '../../../lib/graph/index.ts';

/** Qwen3 32B at the revision the recipes were tuned for. */
export const model = Model.huggingFace('Qwen/Qwen3-32B', { revision: '9216db5781bf21249d130ec9da846c4624c16137' });

/** What all Qwen3 32B recipes share: two GPUs to a worker, a context of 128 Ki tokens by YaRN, weights and compiled kernels on claims. */
export const qwen32b = (chart: DynamoChart) => ({
  model,
  engine: Engine.vllm({
    parallel: { tensor: 2 },
    blockSize: 64,
    gpuMemoryUtilization: '0.90',
    maxModelLen: 131072,
    asyncScheduling: true,
    logRequests: false,
    hfOverrides: {
      rope_scaling: { rope_type: 'yarn', factor: 4, original_max_position_embeddings: 32768 },
      max_position_embeddings: 131072,
    },
    workingDir: '/workspace',
    env: { DYN_HEALTH_CHECK_ENABLED: 'false' },
  }),
  modelCache: new ModelCache(chart, 'model-cache', {
    model,
    size: Size.gibibytes(100),
    compilation: Size.gibibytes(50),
    compilationClaimName: 'compilation-cache',
  }),
  fabric: Fabric.infiniband(),
  frontend: { cpu: 8, workingDir: '/workspace' },
});
