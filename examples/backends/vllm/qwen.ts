import { Engine, Model } from '../../../lib/graph/index.ts';

/** The model of most vLLM examples. */
export const qwen = Model.huggingFace('Qwen/Qwen3-0.6B');

/** The larger model of the examples that offload KV blocks. */
export const qwen8b = Model.huggingFace('Qwen/Qwen3-8B');

/** The engine of the examples that offload KV blocks. */
export const eager = Engine.vllm({ maxModelLen: 32000, enforceEager: true });
