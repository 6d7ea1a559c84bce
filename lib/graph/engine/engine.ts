import { MockerEngine, type MockerOptions } from './mocker.ts';
import { SglangEngine, type SglangOptions } from './sglang.ts';
import { TrtllmEngine, type TrtllmOptions } from './trtllm.ts';
import { VllmEngine, type VllmOptions } from './vllm.ts';

/** Any engine with its options. */
export type Engine = VllmEngine | SglangEngine | TrtllmEngine | MockerEngine;

/** The engines a worker can run. */
export const Engine = {
  /** vLLM. */
  vllm: (options: VllmOptions = {}): VllmEngine => new VllmEngine(options),
  /** SGLang. */
  sglang: (options: SglangOptions = {}): SglangEngine => new SglangEngine(options),
  /** TensorRT-LLM. */
  trtllm: (options: TrtllmOptions = {}): TrtllmEngine => new TrtllmEngine(options),
  /** A pretended engine for trying out graphs without GPUs. */
  mocker: (options: MockerOptions = {}): MockerEngine => new MockerEngine(options),
} as const;
