import type { KvConnector } from '../kv-connector.ts';
import type { Env } from '../plain.ts';
import { EngineBase, type EngineOptions, type Launch, type Role } from './base.ts';
import type { Count } from './count.ts';
import type { TrtllmConfig } from './trtllm-config.ts';
import { flagCount, flagValue, renderArgs, type JsonText, type Layout, type Num } from './flag.ts';

/** How TensorRT-LLM spreads a model over GPUs. */
export interface TrtllmParallel<T extends Num = Num, P extends Num = Num, X extends Num = Num> {
  /**
   * GPUs each layer is split over: `--tensor-parallel-size`.
   * @default - `tensor_parallel_size` of `config`, or 1
   */
  readonly tensor?: T & Count<T>;
  /**
   * Groups of GPUs the layers are dealt out to: `--pipeline-parallel-size`.
   * @default - `pipeline_parallel_size` of `config`, or 1
   */
  readonly pipeline?: P & Count<P>;
  /**
   * GPUs the experts are spread over: `--expert-parallel-size`.
   * @default - `moe_expert_parallel_size` of `config`
   */
  readonly expert?: X & Count<X>;
}

/** Options of TensorRT-LLM beside its configuration file. */
export interface TrtllmBaseOptions<T extends Num = Num, P extends Num = Num, X extends Num = Num> extends EngineOptions {
  /**
   * How the model is spread over GPUs; the GPUs and nodes of the component follow from it.
   * @default - as `config` says, or one GPU
   */
  readonly parallel?: TrtllmParallel<T, P, X>;
  /**
   * Requests in one batch: `--max-batch-size`.
   * @default - as the configuration says
   */
  readonly maxBatchSize?: Num;
  /**
   * Tokens in one batch: `--max-num-tokens`.
   * @default - as the configuration says
   */
  readonly maxNumTokens?: Num;
  /**
   * Longest sequence, in tokens: `--max-seq-len`.
   * @default - as the configuration says
   */
  readonly maxSeqLen?: Num;
  /**
   * Part of free GPU memory for the KV cache, 0 to 1: `--free-gpu-memory-fraction`.
   * @default - as the configuration says
   */
  readonly freeGpuMemoryFraction?: Num;
  /**
   * Tokens in a block of the KV cache: `--kv-block-size`.
   * @default - TensorRT-LLM's own, 32
   */
  readonly kvBlockSize?: Num;
  /**
   * Overrides of the configuration file: `--override-engine-args`.
   * @default - none
   */
  readonly overrides?: JsonText;
  /**
   * How KV blocks leave the GPU.
   * @default - none
   */
  readonly connector?: KvConnector;
  /**
   * Parser of tool calls: `--dyn-tool-call-parser`.
   * @default - none
   */
  readonly toolCallParser?: string;
  /**
   * Parser of reasoning text: `--dyn-reasoning-parser`.
   * @default - none
   */
  readonly reasoningParser?: string;
}

/** Options of `Engine.trtllm`: the configuration is given as data or as a file of the image, not both. */
export type TrtllmOptions<T extends Num = Num, P extends Num = Num, X extends Num = Num> = TrtllmBaseOptions<T, P, X> &
  (
    | {
        /**
         * The engine's configuration; it becomes a ConfigMap mounted into each worker.
         * @default - none; of prefill and decode workers, what disaggregation needs
         */
        readonly config?: TrtllmConfig;
        /**
         * Keys of the configuration that `TrtllmConfig` does not know.
         * @default - none
         */
        readonly extraConfig?: Readonly<Record<string, unknown>>;
        readonly configFile?: undefined;
      }
    | {
        readonly config?: undefined;
        readonly extraConfig?: undefined;
        /** A configuration file that is in the image already; of a disaggregated worker it must hold what its role needs. */
        readonly configFile: string;
      }
  );

/** The order of TensorRT-LLM's command line. */
export const trtllmLayout: Layout = [
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
  { option: 'toolCallParser', flag: '--dyn-tool-call-parser', kind: 'text' },
  { option: 'reasoningParser', flag: '--dyn-reasoning-parser', kind: 'text' },
  { slot: 'extra' },
];

/** What the configuration of a role cannot do without: both sides exchange KV blocks, and a prefill worker that overlaps scheduling hands them over too early. */
const needs = {
  aggregated: {},
  prefill: { cache_transceiver_config: { backend: 'DEFAULT' }, disable_overlap_scheduler: true },
  decode: { cache_transceiver_config: { backend: 'DEFAULT' } },
} as const satisfies Record<Role, TrtllmConfig>;

function withKeys(keys: Readonly<Record<string, unknown>>, overrides: JsonText | undefined): JsonText | undefined {
  if (Object.keys(keys).length === 0) return overrides;
  if (typeof overrides !== 'string') return { ...keys, ...overrides };
  const parsed: unknown = JSON.parse(overrides);
  return typeof parsed === 'object' && parsed !== null ? { ...keys, ...parsed } : overrides;
}

function mergeKeys<T extends object>(one: T | undefined, other: T | undefined): T | undefined {
  // Both are of one type, all of whose keys are optional.
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
    // A file of the image cannot be added to; what overrides it can.
    const revision = configFile !== undefined && launch.model.revision !== undefined ? { revision: launch.model.revision } : {};
    return renderArgs(
      trtllmLayout,
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
    const all = { ...revision, ...needs[role], ...config, ...extraConfig };
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
    return renderArgs(trtllmLayout, this.options, { extra: this.options.extraArgs ?? [] });
  }

  private parallelSize(flag: string, key: string): number {
    const args = this.optionArgs();
    if (flagValue(args, [flag]) !== undefined) return flagCount(args, [flag]);
    const size: unknown = { ...this.options.config, ...this.options.extraConfig }[key];
    return typeof size === 'number' && Number.isInteger(size) && size > 0 ? size : 1;
  }
}
