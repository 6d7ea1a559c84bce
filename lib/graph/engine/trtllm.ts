import { parseJsonObject } from '../../json/index.ts';
import type { KvConnector } from '../kv-connector.ts';
import type { Env } from '../plain.ts';
import { EngineBase, type EngineOptions, type Launch, type Role } from './base.ts';
import type { Count } from './count.ts';
import type { TrtllmConfig } from './trtllm-config.ts';
import { flagCount, flagValue, renderArgs, type JsonText, type FlagOrder, type Num } from './flag.ts';

/** How TensorRT-LLM distributes a model over GPUs. */
export interface TrtllmParallel<T extends Num = Num, P extends Num = Num, X extends Num = Num> {
  /**
   * Tensor parallelism: GPUs that each layer is split over: `--tensor-parallel-size`.
   * @default - `tensor_parallel_size` of `config`, or 1
   */
  readonly tensor?: T & Count<T>;
  /**
   * Pipeline parallelism: stages that the layers are divided into: `--pipeline-parallel-size`.
   * @default - `pipeline_parallel_size` of `config`, or 1
   */
  readonly pipeline?: P & Count<P>;
  /**
   * Expert parallelism: GPUs that the experts are distributed over: `--expert-parallel-size`.
   * @default - `moe_expert_parallel_size` of `config`
   */
  readonly expert?: X & Count<X>;
}

/** Options of TensorRT-LLM other than its configuration. */
export interface TrtllmBaseOptions<T extends Num = Num, P extends Num = Num, X extends Num = Num> extends EngineOptions {
  /**
   * How the model is distributed over GPUs; determines the GPUs and nodes of the component.
   * @default - from `config`, or one GPU
   */
  readonly parallel?: TrtllmParallel<T, P, X>;
  /**
   * Maximum requests per batch: `--max-batch-size`.
   * @default - from the configuration
   */
  readonly maxBatchSize?: Num;
  /**
   * Maximum tokens per batch: `--max-num-tokens`.
   * @default - from the configuration
   */
  readonly maxNumTokens?: Num;
  /**
   * Maximum sequence length in tokens: `--max-seq-len`.
   * @default - from the configuration
   */
  readonly maxSeqLen?: Num;
  /**
   * Fraction of free GPU memory for the KV cache, 0 to 1: `--free-gpu-memory-fraction`.
   * @default - from the configuration
   */
  readonly freeGpuMemoryFraction?: Num;
  /**
   * Tokens per KV cache block: `--kv-block-size`.
   * @default - TensorRT-LLM's default, 32
   */
  readonly kvBlockSize?: Num;
  /**
   * Overrides of the configuration file: `--override-engine-args`.
   * @default - none
   */
  readonly overrides?: JsonText;
  /**
   * Connector that offloads KV blocks from GPU memory.
   * @default - none
   */
  readonly connector?: KvConnector;
  /**
   * Parser for tool calls: `--dyn-tool-call-parser`.
   * @default - none
   */
  readonly toolCallParser?: string;
  /**
   * Parser for reasoning content: `--dyn-reasoning-parser`.
   * @default - none
   */
  readonly reasoningParser?: string;
}

/** Options of `Engine.trtllm`; the configuration is given as data or as a file in the image, not both. */
export type TrtllmOptions<T extends Num = Num, P extends Num = Num, X extends Num = Num> = TrtllmBaseOptions<T, P, X> &
  (
    | {
        /**
         * Configuration of the engine, in a ConfigMap that is mounted into each worker.
         * @default - none; for prefill and decode workers, the settings that disaggregation requires
         */
        readonly config?: TrtllmConfig;
        /**
         * Keys of the configuration that `TrtllmConfig` does not define.
         * @default - none
         */
        readonly extraConfig?: Readonly<Record<string, unknown>>;
        readonly configFile?: undefined;
      }
    | {
        readonly config?: undefined;
        readonly extraConfig?: undefined;
        /** Path of a configuration file in the image; for prefill and decode workers it must contain the settings of the role. */
        readonly configFile: string;
      }
  );

/** Order of TensorRT-LLM's command line. */
export const trtllmFlagOrder: FlagOrder = [
  { slot: 'model' },
  { slot: 'config' },
  { option: 'parallel.tensor', flag: '--tensor-parallel-size', kind: 'number' },
  { option: 'parallel.pipeline', flag: '--pipeline-parallel-size', kind: 'number' },
  { option: 'parallel.expert', flag: '--expert-parallel-size', kind: 'number' },
  { option: 'maxBatchSize', flag: '--max-batch-size', kind: 'number' },
  { option: 'maxNumTokens', flag: '--max-num-tokens', kind: 'number' },
  { option: 'maxSeqLen', flag: '--max-seq-len', kind: 'number' },
  { option: 'freeGpuMemoryFraction', flag: '--free-gpu-memory-fraction', kind: 'number' },
  { option: 'kvBlockSize', flag: '--kv-block-size', kind: 'number' },
  { option: 'overrides', flag: '--override-engine-args', kind: 'json' },
  { slot: 'connector' },
  { slot: 'role' },
  { slot: 'events' },
  { option: 'toolCallParser', flag: '--dyn-tool-call-parser', kind: 'string' },
  { option: 'reasoningParser', flag: '--dyn-reasoning-parser', kind: 'string' },
  { slot: 'extra' },
];

/** Settings that a role requires: both roles transfer KV blocks, and with the overlap scheduler a prefill worker would transfer them too early. */
const requiredSettings = {
  aggregated: {},
  prefill: { cache_transceiver_config: { backend: 'DEFAULT' }, disable_overlap_scheduler: true },
  decode: { cache_transceiver_config: { backend: 'DEFAULT' } },
} as const satisfies Record<Role, TrtllmConfig>;

function withKeys(keys: Readonly<Record<string, unknown>>, overrides: JsonText | undefined): JsonText | undefined {
  if (Object.keys(keys).length === 0) return overrides;
  if (typeof overrides !== 'string') return { ...keys, ...overrides };
  const parsed = parseJsonObject(overrides);
  return parsed === undefined ? overrides : { ...keys, ...parsed };
}

function mergeKeys<T extends object>(one: T | undefined, other: T | undefined): T | undefined {
  // The result is a T, since all keys of both are optional.
  return one === undefined || other === undefined ? (other ?? one) : { ...one, ...other };
}

/** TensorRT-LLM with its options. */
export class TrtllmEngine extends EngineBase<TrtllmOptions> {
  readonly backend = 'trtllm';
  readonly module = 'dynamo.trtllm';
  readonly runtime = 'tensorrtllm-runtime';

  /** The same engine with some options changed; keys of `config` are merged one level deep. */
  with<T extends Num, P extends Num, X extends Num>(options: TrtllmOptions<T, P, X>): TrtllmEngine {
    const { config, extraConfig, configFile, ...rest } = options;
    const merged = { ...this.options, config: undefined, extraConfig: undefined, configFile: undefined, ...rest };
    const file = configFile ?? (config === undefined && extraConfig === undefined ? this.options.configFile : undefined);
    if (file !== undefined) return new TrtllmEngine({ ...merged, configFile: file });
    return new TrtllmEngine({
      ...merged,
      config: mergeKeys(this.options.config, config),
      extraConfig: mergeKeys(this.options.extraConfig, extraConfig),
    });
  }

  args(launch: Launch): string[] {
    const { configFile, connector, overrides, extraArgs } = this.options;
    const config = configFile ?? launch.configPath;
    // The file in the image cannot be changed, but its settings can be overridden.
    const revision = configFile !== undefined && launch.model.revision !== undefined ? { revision: launch.model.revision } : {};
    return renderArgs(
      trtllmFlagOrder,
      { ...this.options, overrides: withKeys(revision, overrides) },
      {
        model: ['--model-path', launch.model.source, '--served-model-name', launch.model.servedName],
        config: config === undefined ? [] : ['--extra-engine-args', config],
        connector: connector === undefined ? [] : ['--connector', ...connector.names],
        role: launch.role === 'aggregated' ? [] : ['--disaggregation-mode', launch.role],
        events: launch.events === true && launch.role !== 'decode' ? ['--publish-events-and-metrics'] : [],
        extra: extraArgs ?? [],
      },
    );
  }

  get gpus(): number {
    return (
      this.parallelSize('--tensor-parallel-size', 'tensor_parallel_size') *
      this.parallelSize('--pipeline-parallel-size', 'pipeline_parallel_size')
    );
  }

  override get blockSize(): number | undefined {
    const size = flagValue(this.optionArgs(), ['--kv-block-size']);
    return size === undefined ? undefined : Number(size);
  }

  override get defaultBlockSize(): number | undefined {
    const { config, configFile } = this.options;
    return configFile === undefined ? (config?.kv_cache_config?.tokens_per_block ?? 32) : undefined;
  }

  override configFor({ role, model }: Pick<Launch, 'role' | 'model'>): Readonly<Record<string, unknown>> | undefined {
    const { config, extraConfig, configFile } = this.options;
    if (configFile !== undefined) return undefined;
    const revision = model.revision === undefined ? {} : { revision: model.revision };
    const all = { ...revision, ...requiredSettings[role], ...config, ...extraConfig };
    return Object.keys(all).length === 0 && config === undefined && extraConfig === undefined ? undefined : all;
  }

  override get env(): Env {
    return { ...this.options.connector?.env, ...this.options.env };
  }

  override get workingDir(): string {
    const relative = this.options.configFile !== undefined && !this.options.configFile.startsWith('/');
    return this.options.workingDir ?? (relative ? '/workspace/' : super.workingDir);
  }

  private optionArgs(): string[] {
    return renderArgs(trtllmFlagOrder, this.options, { extra: this.options.extraArgs ?? [] });
  }

  private parallelSize(flag: string, key: string): number {
    const args = this.optionArgs();
    if (flagValue(args, [flag]) !== undefined) return flagCount(args, [flag]);
    const size: unknown = { ...this.options.config, ...this.options.extraConfig }[key];
    return typeof size === 'number' && Number.isInteger(size) && size > 0 ? size : 1;
  }
}
