import { loraArgs, loraEnv, type LoraOptions } from '../lora.ts';
import type { KvConnector } from '../kv-connector.ts';
import type { Env } from '../plain.ts';
import { EngineBase, type EngineOptions, type Launch } from './base.ts';
import { roleArgs } from './role-args.ts';
import type { Count } from './count.ts';
import { flagCount, flagValue, renderArgs, type JsonText, type FlagOrder, type Num } from './flag.ts';

/** How vLLM distributes a model over GPUs. */
export interface VllmParallel<T extends Num = Num, P extends Num = Num, D extends Num = Num> {
  /**
   * Tensor parallelism: GPUs that each layer is split over: `--tensor-parallel-size`.
   * @default 1
   */
  readonly tensor?: T & Count<T>;
  /**
   * Pipeline parallelism: stages that the layers are divided into: `--pipeline-parallel-size`.
   * @default 1
   */
  readonly pipeline?: P & Count<P>;
  /**
   * Data parallelism: copies of the attention layers: `--data-parallel-size`.
   * @default 1
   */
  readonly data?: D & Count<D>;
  /**
   * Whether each node balances load among its data-parallel copies: `--data-parallel-hybrid-lb`.
   * @default false
   */
  readonly hybridLoadBalancing?: boolean;
  /**
   * Expert parallelism: whether experts are distributed over all GPUs: `--enable-expert-parallel`.
   * @default false
   */
  readonly expert?: boolean;
}

/** Options of vLLM for every worker. */
export interface VllmBaseOptions<T extends Num = Num, P extends Num = Num, D extends Num = Num> extends EngineOptions {
  /**
   * How the model is distributed over GPUs; determines the GPUs and nodes of the component.
   * @default - one GPU
   */
  readonly parallel?: VllmParallel<T, P, D>;
  /**
   * Whether every request is logged; `false` is `--disable-log-requests`.
   * @default - vLLM's default
   */
  readonly logRequests?: boolean;
  /**
   * Fraction of GPU memory that vLLM may use, 0 to 1: `--gpu-memory-utilization`.
   * @default - vLLM's default, 0.9
   */
  readonly gpuMemoryUtilization?: Num;
  /**
   * Whether requests share the KV blocks of equal prefixes: `--enable-prefix-caching` or `--no-enable-prefix-caching`.
   * @default - vLLM's default, enabled
   */
  readonly prefixCaching?: boolean;
  /**
   * Whether scheduling overlaps with GPU computation: `--async-scheduling`.
   * @default - vLLM's default
   */
  readonly asyncScheduling?: boolean;
  /**
   * Tokens per KV cache block: `--block-size`.
   * @default - vLLM's default, 16
   */
  readonly blockSize?: Num;
  /**
   * Overrides of the model's Hugging Face configuration: `--hf-overrides`.
   * @default - none
   */
  readonly hfOverrides?: JsonText;
  /**
   * Maximum context length in tokens: `--max-model-len`.
   * @default - from the model's configuration
   */
  readonly maxModelLen?: Num;
  /**
   * Maximum sequences per step: `--max-num-seqs`.
   * @default - vLLM's default
   */
  readonly maxNumSeqs?: Num;
  /**
   * Maximum tokens per step: `--max-num-batched-tokens`.
   * @default - vLLM's default
   */
  readonly maxNumBatchedTokens?: Num;
  /**
   * Data type of weights and activations, such as `bfloat16`: `--dtype`.
   * @default - from the model's configuration
   */
  readonly dtype?: string;
  /**
   * Data type of the KV cache, such as `fp8`: `--kv-cache-dtype`.
   * @default - the data type of the model
   */
  readonly kvCacheDtype?: string;
  /**
   * Quantization method: `--quantization`.
   * @default - from the model's configuration
   */
  readonly quantization?: string;
  /**
   * Whether code from the model repository may run: `--trust-remote-code`.
   * @default false
   */
  readonly trustRemoteCode?: boolean;
  /**
   * Kernels that exchange tokens between experts, such as `deepep_low_latency`: `--all2all-backend`.
   * @default - vLLM's default
   */
  readonly all2allBackend?: string;
  /**
   * Dual batch overlap: whether computation and communication of two batches overlap: `--enable-dbo`.
   * @default false
   */
  readonly enableDbo?: boolean;
  /**
   * Minimum tokens of a decode batch for dual batch overlap: `--dbo-decode-token-threshold`.
   * @default - vLLM's default
   */
  readonly dboDecodeTokenThreshold?: Num;
  /**
   * Expert parallel load balancing: whether experts move between GPUs: `--enable-eplb`.
   * @default false
   */
  readonly enableEplb?: boolean;
  /**
   * Settings of expert parallel load balancing: `--eplb-config`.
   * @default - vLLM's default
   */
  readonly eplbConfig?: JsonText;
  /**
   * Settings of model compilation: `--compilation-config`.
   * @default - vLLM's default
   */
  readonly compilationConfig?: JsonText;
  /**
   * Whether to run without CUDA graphs: `--enforce-eager`.
   * @default false
   */
  readonly enforceEager?: boolean;
  /**
   * Parser for tool calls, such as `hermes`: `--dyn-tool-call-parser`.
   * @default - none
   */
  readonly toolCallParser?: string;
  /**
   * Parser for reasoning content, such as `qwen3`: `--dyn-reasoning-parser`.
   * @default - none
   */
  readonly reasoningParser?: string;
  /**
   * How often a request may migrate to another worker: `--migration-limit`.
   * @default - no migration
   */
  readonly migrationLimit?: Num;
}

/** Options of `Engine.vllm`; a connector and LoRA adapters exclude each other. */
export type VllmOptions<T extends Num = Num, P extends Num = Num, D extends Num = Num> = VllmBaseOptions<T, P, D> &
  (
    | {
        /**
         * Connector that transfers and offloads KV blocks.
         * @default - vLLM's default, `nixl`
         */
        readonly connector?: KvConnector;
        readonly lora?: undefined;
      }
    | {
        readonly connector?: undefined;
        /** LoRA adapters; disables the connector. */
        readonly lora: LoraOptions;
      }
  );

/** Order of vLLM's command line. */
export const vllmFlagOrder: FlagOrder = [
  { slot: 'model' },
  { slot: 'role' },
  { slot: 'servedName' },
  { slot: 'revision' },
  { option: 'all2allBackend', flag: '--all2all-backend', kind: 'string' },
  { option: 'parallel.hybridLoadBalancing', flag: '--data-parallel-hybrid-lb', kind: 'switch' },
  { option: 'parallel.tensor', flag: '--tensor-parallel-size', aliases: ['-tp'], kind: 'number' },
  { option: 'parallel.pipeline', flag: '--pipeline-parallel-size', aliases: ['-pp'], kind: 'number' },
  { option: 'parallel.data', flag: '--data-parallel-size', aliases: ['-dp'], kind: 'number' },
  { option: 'parallel.expert', flag: '--enable-expert-parallel', kind: 'switch' },
  { option: 'logRequests', flag: '', off: '--disable-log-requests', kind: 'switch' },
  { option: 'gpuMemoryUtilization', flag: '--gpu-memory-utilization', kind: 'number' },
  { option: 'prefixCaching', flag: '--enable-prefix-caching', off: '--no-enable-prefix-caching', kind: 'switch' },
  { option: 'asyncScheduling', flag: '--async-scheduling', kind: 'switch' },
  { option: 'blockSize', flag: '--block-size', kind: 'number' },
  { option: 'hfOverrides', flag: '--hf-overrides', kind: 'json' },
  { option: 'maxModelLen', flag: '--max-model-len', kind: 'number' },
  { option: 'enableDbo', flag: '--enable-dbo', kind: 'switch' },
  { option: 'dboDecodeTokenThreshold', flag: '--dbo-decode-token-threshold', kind: 'number' },
  { option: 'enableEplb', flag: '--enable-eplb', kind: 'switch' },
  { option: 'eplbConfig', flag: '--eplb-config', kind: 'json' },
  { option: 'maxNumSeqs', flag: '--max-num-seqs', kind: 'number' },
  { option: 'maxNumBatchedTokens', flag: '--max-num-batched-tokens', kind: 'number' },
  { option: 'dtype', flag: '--dtype', kind: 'string' },
  { option: 'kvCacheDtype', flag: '--kv-cache-dtype', kind: 'string' },
  { option: 'quantization', flag: '--quantization', kind: 'string' },
  { option: 'trustRemoteCode', flag: '--trust-remote-code', kind: 'switch' },
  { option: 'compilationConfig', flag: '--compilation-config', aliases: ['--compilation_config'], kind: 'json' },
  { option: 'enforceEager', flag: '--enforce-eager', kind: 'switch' },
  { slot: 'connector' },
  { slot: 'lora' },
  { slot: 'events' },
  { option: 'toolCallParser', flag: '--dyn-tool-call-parser', kind: 'string' },
  { option: 'reasoningParser', flag: '--dyn-reasoning-parser', kind: 'string' },
  { option: 'migrationLimit', flag: '--migration-limit', kind: 'number' },
  { slot: 'extra' },
];

/** The vLLM engine and its options. */
export class VllmEngine extends EngineBase<VllmOptions> {
  readonly backend = 'vllm';
  readonly module = 'dynamo.vllm';
  readonly runtime = 'vllm-runtime';

  /** The same engine with some options changed. */
  with<T extends Num, P extends Num, D extends Num>(options: VllmOptions<T, P, D>): VllmEngine {
    const merged = { ...this.options, ...options, connector: undefined, lora: undefined };
    const transfer = options.lora !== undefined || options.connector !== undefined ? options : this.options;
    return transfer.lora === undefined
      ? new VllmEngine({ ...merged, connector: transfer.connector })
      : new VllmEngine({ ...merged, lora: transfer.lora });
  }

  args(launch: Launch): string[] {
    const { connector, lora, extraArgs } = this.options;
    return renderArgs(vllmFlagOrder, this.options, {
      model: ['--model', launch.model.source],
      role: roleArgs[launch.role],
      servedName: launch.model.servedName === launch.model.source ? [] : ['--served-model-name', launch.model.servedName],
      revision: launch.model.revision === undefined ? [] : ['--revision', launch.model.revision],
      connector:
        lora !== undefined ? ['--connector', 'none'] : connector === undefined ? [] : ['--connector', ...connector.names],
      lora: lora === undefined ? [] : loraArgs(lora),
      events:
        launch.events === false && launch.role !== 'decode' ? ['--kv-events-config', '{"enable_kv_cache_events": false}'] : [],
      extra: extraArgs ?? [],
    });
  }

  get gpus(): number {
    const args = renderArgs(vllmFlagOrder, this.options, { extra: this.options.extraArgs ?? [] });
    return (
      flagCount(args, ['--tensor-parallel-size', '-tp']) *
      flagCount(args, ['--pipeline-parallel-size', '-pp']) *
      flagCount(args, ['--data-parallel-size', '-dp'])
    );
  }

  override get blockSize(): number | undefined {
    const size = flagValue(renderArgs(vllmFlagOrder, this.options, { extra: this.options.extraArgs ?? [] }), ['--block-size']);
    return size === undefined ? undefined : Number(size);
  }

  override get defaultBlockSize(): number {
    return 16;
  }

  override get env(): Env {
    const { connector, lora } = this.options;
    return { ...connector?.env, ...(lora === undefined ? {} : loraEnv(lora)), ...this.options.env };
  }
}
