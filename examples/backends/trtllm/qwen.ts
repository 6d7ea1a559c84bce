import { Engine, Model } from '../../../lib/graph/index.ts';

/** The model of the TensorRT-LLM examples. */
export const qwen = Model.huggingFace('Qwen/Qwen3-0.6B');

/** TensorRT-LLM with one of the configuration files of its image. */
export const trtllm = (file: string) =>
  Engine.trtllm({ configFile: `./examples/backends/trtllm/engine_configs/qwen3/${file}.yaml` });
