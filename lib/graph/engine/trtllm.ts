import type { KvConnector } from '../kv-connector.ts';
import type { Env } from '../plain.ts';
import { EngineBase, type EngineOptions, type Launch } from './base.ts';
import { flagCount, flagValue, renderArgs, type JsonText, type Layout, type Num } from './flag.ts';

/** How TensorRT-LLM spreads a model over GPUs. */
export interface TrtllmParallel {
  /**
   * GPUs each layer is split over.
   * @default - `tensor_parallel_size` of `config`, or 1
   */
  readonly tensor?: Num;
  /**
   * Groups of GPUs the layers are dealt out to.
   * @default - `pipeline_parallel_size` of `config`, or 1
   */
  readonly pipeline?: Num;
  /**
   * GPUs the experts are spread over.
   * @default - `moe_expert_parallel_size` of `config`
   */
  readonly expert?: Num;
}

/** TensorRT-LLM's own configuration, as its YAML file spells it; `null` survives. */
export type TrtllmConfig = Readonly<Record<string, unknown>>;

/** Options of TensorRT-LLM beside its configuration file. */
export interface TrtllmBaseOptions extends EngineOptions {
  /**
   * How the model is spread over GPUs; the GPUs and nodes of the component follow from it.
   * @default - as `config` says, or one GPU
   */
  readonly parallel?: TrtllmParallel;
  /**
   * Requests in one batch.
   * @default - as the configuration says
   */
  readonly maxBatchSize?: Num;
  /**
   * Tokens in one batch.
   * @default - as the configuration says
   */
  readonly maxNumTokens?: Num;
  /**
   * Longest sequence, in tokens.
   * @default - as the configuration says
   */
  readonly maxSeqLen?: Num;
  /**
   * Part of free GPU memory for the KV cache, 0 to 1.
   * @default - as the configuration says
   */
  readonly freeGpuMemoryFraction?: Num;
  /**
   * Tokens in a block of the KV cache.
   * @default - TensorRT-LLM's own, 32
   */
  readonly kvBlockSize?: Num;
  /**
   * Overrides of the configuration file.
   * @default - none
   */
  readonly overrides?: JsonText;
  /**
   * How KV blocks leave the GPU.
   * @default - none
   */
  readonly connector?: KvConnector;
  /**
   * Parser of tool calls.
   * @default - none
   */
  readonly toolCallParser?: string;
  /**
   * Parser of reasoning text.
   * @default - none
   */
  readonly reasoningParser?: string;
}

/** Options of `Engine.trtllm`: the configuration is given as data or as a file of the image, not both. */
export type TrtllmOptions = TrtllmBaseOptions &
  (
    | {
        /**
         * The engine's configuration; it becomes a ConfigMap mounted into each worker.
         * @default - none
         */
        readonly config?: TrtllmConfig;
        readonly configFile?: undefined;
      }
    | {
        readonly config?: undefined;
        /** A configuration file that is in the image already. */
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

/** TensorRT-LLM with its options. */
export class TrtllmEngine extends EngineBase<TrtllmOptions> {
  readonly backend = 'trtllm';
  readonly module = 'dynamo.trtllm';
  readonly runtime = 'tensorrtllm-runtime';

  /** The same engine with some options changed; keys of `config` are merged one level deep. */
  with(options: TrtllmOptions): TrtllmEngine {
    const { config, configFile, ...rest } = options;
    const merged = { ...this.options, config: undefined, configFile: undefined, ...rest };
    if (configFile !== undefined) return new TrtllmEngine({ ...merged, configFile });
    if (config !== undefined) return new TrtllmEngine({ ...merged, config: { ...this.options.config, ...config } });
    return this.options.configFile === undefined
      ? new TrtllmEngine({ ...merged, config: this.options.config })
      : new TrtllmEngine({ ...merged, configFile: this.options.configFile });
  }

  args(launch: Launch): string[] {
    const { configFile, connector, extraArgs } = this.options;
    const config = configFile ?? launch.configPath;
    return renderArgs(trtllmLayout, this.options, {
      model: ['--model-path', launch.model.source, '--served-model-name', launch.model.servedName],
      config: config === undefined ? [] : ['--extra-engine-args', config],
      connector: connector === undefined ? [] : ['--connector', ...connector.names],
      role: launch.role === 'aggregated' ? [] : ['--disaggregation-mode', launch.role],
      events: launch.events === true && launch.role !== 'decode' ? ['--publish-events-and-metrics'] : [],
      extra: extraArgs ?? [],
    });
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

  override get config(): TrtllmConfig | undefined {
    return this.options.config;
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
    const size = this.options.config?.[key];
    return typeof size === 'number' && Number.isInteger(size) && size > 0 ? size : 1;
  }
}
