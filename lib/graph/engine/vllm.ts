import { loraArgs, loraEnv, type LoraOptions } from '../lora.ts';
import type { KvConnector } from '../kv-connector.ts';
import type { Env } from '../plain.ts';
import { EngineBase, type EngineOptions, type Launch } from './base.ts';
import { roleArgs } from './role-args.ts';
import type { Count } from './count.ts';
import { flagCount, flagValue, renderArgs, type JsonText, type Layout, type Num } from './flag.ts';

/** How vLLM spreads a model over GPUs. */
export interface VllmParallel<T extends Num = Num, P extends Num = Num, D extends Num = Num> {
  /**
   * GPUs each layer is split over: `--tensor-parallel-size`.
   * @default 1
   */
  readonly tensor?: T & Count<T>;
  /**
   * Groups of GPUs the layers are dealt out to: `--pipeline-parallel-size`.
   * @default 1
   */
  readonly pipeline?: P & Count<P>;
  /**
   * Copies of the attention layers: `--data-parallel-size`.
   * @default 1
   */
  readonly data?: D & Count<D>;
  /**
   * Whether the copies balance load per node: `--data-parallel-hybrid-lb`.
   * @default false
   */
  readonly hybridLoadBalancing?: boolean;
  /**
   * Whether experts are spread over all GPUs: `--enable-expert-parallel`.
   * @default false
   */
  readonly expert?: boolean;
}

/** Options of vLLM that any worker may have. */
export interface VllmBaseOptions<T extends Num = Num, P extends Num = Num, D extends Num = Num> extends EngineOptions {
  /**
   * How the model is spread over GPUs; the GPUs and nodes of the component follow from it.
   * @default - one GPU
   */
  readonly parallel?: VllmParallel<T, P, D>;
  /**
   * Whether every request is logged; `false` is `--disable-log-requests`.
   * @default - vLLM's own
   */
  readonly logRequests?: boolean;
  /**
   * Part of GPU memory vLLM may take, 0 to 1: `--gpu-memory-utilization`.
   * @default - vLLM's own, 0.9
   */
  readonly gpuMemoryUtilization?: Num;
  /**
   * Whether KV blocks of equal prefixes are shared: `--enable-prefix-caching` or `--no-enable-prefix-caching`.
   * @default - vLLM's own, on
   */
  readonly prefixCaching?: boolean;
  /**
   * Whether scheduling overlaps with the GPU's work: `--async-scheduling`.
   * @default - vLLM's own
   */
  readonly asyncScheduling?: boolean;
  /**
   * Tokens in a block of the KV cache: `--block-size`.
   * @default - vLLM's own, 16
   */
  readonly blockSize?: Num;
  /**
   * Overrides of the model's own configuration: `--hf-overrides`.
   * @default - none
   */
  readonly hfOverrides?: JsonText;
  /**
   * Longest context, in tokens: `--max-model-len`.
   * @default - the model's own
   */
  readonly maxModelLen?: Num;
  /**
   * Sequences in one step: `--max-num-seqs`.
   * @default - vLLM's own
   */
  readonly maxNumSeqs?: Num;
  /**
   * Tokens in one step: `--max-num-batched-tokens`.
   * @default - vLLM's own
   */
  readonly maxNumBatchedTokens?: Num;
  /**
   * Type of the weights in memory, such as `bfloat16`: `--dtype`.
   * @default - the model's own
   */
  readonly dtype?: string;
  /**
   * Type of the KV cache, such as `fp8`: `--kv-cache-dtype`.
   * @default - that of the model
   */
  readonly kvCacheDtype?: string;
  /**
   * Quantization method: `--quantization`.
   * @default - the model's own
   */
  readonly quantization?: string;
  /**
   * Whether code that comes with the model may run: `--trust-remote-code`.
   * @default false
   */
  readonly trustRemoteCode?: boolean;
  /**
   * Kernels that exchange tokens between experts, such as `deepep_low_latency`: `--all2all-backend`.
   * @default - vLLM's own
   */
  readonly all2allBackend?: string;
  /**
   * Whether two batches overlap computation and communication: `--enable-dbo`.
   * @default false
   */
  readonly enableDbo?: boolean;
  /**
   * Tokens from which decode batches overlap: `--dbo-decode-token-threshold`.
   * @default - vLLM's own
   */
  readonly dboDecodeTokenThreshold?: Num;
  /**
   * Whether experts move between GPUs to balance load: `--enable-eplb`.
   * @default false
   */
  readonly enableEplb?: boolean;
  /**
   * How experts are balanced: `--eplb-config`.
   * @default - vLLM's own
   */
  readonly eplbConfig?: JsonText;
  /**
   * How the model is compiled: `--compilation-config`.
   * @default - vLLM's own
   */
  readonly compilationConfig?: JsonText;
  /**
   * Whether CUDA graphs are left out: `--enforce-eager`.
   * @default false
   */
  readonly enforceEager?: boolean;
  /**
   * Parser of tool calls, such as `hermes`: `--dyn-tool-call-parser`.
   * @default - none
   */
  readonly toolCallParser?: string;
  /**
   * Parser of reasoning text, such as `qwen3`: `--dyn-reasoning-parser`.
   * @default - none
   */
  readonly reasoningParser?: string;
  /**
   * Times a request may move to another worker: `--migration-limit`.
   * @default - never
   */
  readonly migrationLimit?: Num;
}

/** Options of `Engine.vllm`: LoRA adapters exclude a connector. */
export type VllmOptions<T extends Num = Num, P extends Num = Num, D extends Num = Num> = VllmBaseOptions<T, P, D> &
  (
    | {
        /**
         * How KV blocks leave the GPU.
         * @default - vLLM's own, `nixl`
         */
        readonly connector?: KvConnector;
        readonly lora?: undefined;
      }
    | {
        readonly connector?: undefined;
        /** Serve LoRA adapters; turns the connector off. */
        readonly lora: LoraOptions;
      }
  );

/** The order of vLLM's command line. */
export const vllmLayout: Layout = [
  { slot: 'model' },
  { slot: 'role' },
  { slot: 'servedName' },
  { slot: 'revision' },
  { option: 'all2allBackend', flag: '--all2all-backend', kind: 'text' },
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
  { option: 'dtype', flag: '--dtype', kind: 'text' },
  { option: 'kvCacheDtype', flag: '--kv-cache-dtype', kind: 'text' },
  { option: 'quantization', flag: '--quantization', kind: 'text' },
  { option: 'trustRemoteCode', flag: '--trust-remote-code', kind: 'switch' },
  { option: 'compilationConfig', flag: '--compilation-config', aliases: ['--compilation_config'], kind: 'json' },
  { option: 'enforceEager', flag: '--enforce-eager', kind: 'switch' },
  { slot: 'connector' },
  { slot: 'lora' },
  { slot: 'events' },
  { option: 'toolCallParser', flag: '--dyn-tool-call-parser', kind: 'text' },
  { option: 'reasoningParser', flag: '--dyn-reasoning-parser', kind: 'text' },
  { option: 'migrationLimit', flag: '--migration-limit', kind: 'number' },
  { slot: 'extra' },
];

/** vLLM with its options. */
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
    return renderArgs(vllmLayout, this.options, {
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
    const args = renderArgs(vllmLayout, this.options, { extra: this.options.extraArgs ?? [] });
    return (
      flagCount(args, ['--tensor-parallel-size', '-tp']) *
      flagCount(args, ['--pipeline-parallel-size', '-pp']) *
      flagCount(args, ['--data-parallel-size', '-dp'])
    );
  }

  override get blockSize(): number | undefined {
    const size = flagValue(renderArgs(vllmLayout, this.options, { extra: this.options.extraArgs ?? [] }), ['--block-size']);
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
