import type { Num } from './flag.ts';
import { MockerEngine, type MockerOptions } from './mocker.ts';
import { SglangEngine, type SglangOptions } from './sglang.ts';
import { TrtllmEngine, type TrtllmOptions } from './trtllm.ts';
import { VllmEngine, type VllmOptions } from './vllm.ts';

/** Any engine with its options. */
export type Engine = VllmEngine | SglangEngine | TrtllmEngine | MockerEngine;

/** The same engine with some options changed, for callers that do not know which engine it is; the options must be of its kind. */
export function varyEngine<E extends Engine>(engine: E, options: object): E {
  // Every engine's `with` returns its own kind.
  return (engine.with as (options: object) => Engine).call(engine, options) as E;
}

/** The engines a worker can run. */
export const Engine = {
  /** vLLM. */
  vllm: <T extends Num, P extends Num, D extends Num>(options: VllmOptions<T, P, D> = {}): VllmEngine => new VllmEngine(options),
  /** SGLang. */
  sglang: <T extends Num, P extends Num, D extends Num, X extends Num>(options: SglangOptions<T, P, D, X> = {}): SglangEngine =>
    new SglangEngine(options),
  /** TensorRT-LLM. */
  trtllm: <T extends Num, P extends Num, X extends Num>(options: TrtllmOptions<T, P, X> = {}): TrtllmEngine =>
    new TrtllmEngine(options),
  /** A pretended engine for trying out graphs without GPUs. */
  mocker: (options: MockerOptions = {}): MockerEngine => new MockerEngine(options),
} as const;
