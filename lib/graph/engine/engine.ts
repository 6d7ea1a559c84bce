import type { Num } from './flag.ts';
import { MockerEngine, type MockerOptions } from './mocker.ts';
import { SglangEngine, type SglangOptions } from './sglang.ts';
import { TrtllmEngine, type TrtllmOptions } from './trtllm.ts';
import { VllmEngine, type VllmOptions } from './vllm.ts';

/** Any engine with its options. */
export type Engine = VllmEngine | SglangEngine | TrtllmEngine | MockerEngine;

/** An engine of any kind with some options changed; the options must be those of its kind. */
export function varyEngine<E extends Engine>(engine: E, options: object): E {
  // The method `with` of an engine returns an engine of the same kind.
  return (engine.with as (options: object) => Engine).call(engine, options) as E;
}

/** Engines that a worker can run. */
export const Engine = {
  /** vLLM. */
  vllm: <T extends Num, P extends Num, D extends Num>(options: VllmOptions<T, P, D> = {}): VllmEngine => new VllmEngine(options),
  /** SGLang. */
  sglang: <T extends Num, P extends Num, D extends Num, X extends Num>(options: SglangOptions<T, P, D, X> = {}): SglangEngine =>
    new SglangEngine(options),
  /** TensorRT-LLM. */
  trtllm: <T extends Num, P extends Num, X extends Num>(options: TrtllmOptions<T, P, X> = {}): TrtllmEngine =>
    new TrtllmEngine(options),
  /** Simulated engine, for trying out graphs without GPUs. */
  mocker: (options: MockerOptions = {}): MockerEngine => new MockerEngine(options),
} as const;
