import { Engine, Model } from '../../../lib/graph/index.ts';

/** The model of the SGLang examples. */
export const qwen = Model.huggingFace('Qwen/Qwen3-0.6B');

/** The engine of the SGLang examples. */
export const sglang = Engine.sglang({ pageSize: 16, parallel: { tensor: 1 }, trustRemoteCode: true, skipTokenizerInit: true });
