import { EngineBase, type EngineOptions, type Launch } from './base.ts';
import type { Count } from './count.ts';
import { flagCount, flagValue, renderArgs, type FlagOrder, type Num } from './flag.ts';

/** How SGLang distributes a model over GPUs. */
export interface SglangParallel<T extends Num = Num, P extends Num = Num, D extends Num = Num, X extends Num = Num> {
  /**
   * Tensor parallelism: GPUs that each layer is split over: `--tp`.
   * @default 1
   */
  readonly tensor?: T & Count<T>;
  /**
   * Pipeline parallelism: stages that the layers are divided into: `--pp`.
   * @default 1
   */
  readonly pipeline?: P & Count<P>;
  /**
   * Data parallelism: copies of the attention layers, on the tensor-parallel GPUs: `--dp`.
   * @default 1
   */
  readonly data?: D & Count<D>;
  /**
   * Whether attention is data-parallel: `--enable-dp-attention`.
   * @default false
   */
  readonly dpAttention?: boolean;
  /**
   * Expert parallelism: GPUs that the experts are distributed over: `--ep-size`.
   * @default 1
   */
  readonly expert?: X & Count<X>;
}

/** Options of `Engine.sglang`. */
export interface SglangOptions<
  T extends Num = Num,
  P extends Num = Num,
  D extends Num = Num,
  X extends Num = Num,
> extends EngineOptions {
  /**
   * How the model is distributed over GPUs; determines the GPUs and nodes of the component.
   * @default - one GPU
   */
  readonly parallel?: SglangParallel<T, P, D, X>;
  /**
   * Tokens per page of the KV cache: `--page-size`.
   * @default - SGLang's default
   */
  readonly pageSize?: Num;
  /**
   * Whether code from the model repository may run: `--trust-remote-code`.
   * @default false
   */
  readonly trustRemoteCode?: boolean;
  /**
   * Whether only the frontend tokenizes: `--skip-tokenizer-init`.
   * @default false
   */
  readonly skipTokenizerInit?: boolean;
  /**
   * Fraction of GPU memory for weights and KV cache, 0 to 1: `--mem-fraction-static`.
   * @default - SGLang's default
   */
  readonly memFractionStatic?: Num;
  /**
   * Backend that transfers KV blocks from prefill to decode workers; `false` for SGLang's default.
   * @default 'nixl'
   */
  readonly transferBackend?: 'nixl' | 'mooncake' | false;
  /**
   * Port through which prefill and decode workers connect; must be equal on both.
   * @default 12345
   */
  readonly bootstrapPort?: Num;
  /**
   * How requests are distributed among data-parallel copies: `--load-balance-method`.
   * @default - SGLang's default
   */
  readonly loadBalanceMethod?: string;
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

/** Order of SGLang's command line. */
export const sglangFlagOrder: FlagOrder = [
  { slot: 'model' },
  { slot: 'revision' },
  { option: 'pageSize', flag: '--page-size', kind: 'number' },
  { option: 'parallel.tensor', flag: '--tp', aliases: ['--tp-size', '--tensor-parallel-size'], kind: 'number' },
  { option: 'parallel.pipeline', flag: '--pp', aliases: ['--pp-size', '--pipeline-parallel-size'], kind: 'number' },
  { option: 'parallel.data', flag: '--dp', aliases: ['--dp-size', '--data-parallel-size'], kind: 'number' },
  { option: 'parallel.dpAttention', flag: '--enable-dp-attention', kind: 'switch' },
  { option: 'parallel.expert', flag: '--ep-size', aliases: ['--ep', '--expert-parallel-size'], kind: 'number' },
  { option: 'trustRemoteCode', flag: '--trust-remote-code', kind: 'switch' },
  { option: 'skipTokenizerInit', flag: '--skip-tokenizer-init', kind: 'switch' },
  { slot: 'events' },
  { slot: 'role' },
  { option: 'memFractionStatic', flag: '--mem-fraction-static', kind: 'number' },
  { slot: 'host' },
  { option: 'loadBalanceMethod', flag: '--load-balance-method', kind: 'string' },
  { option: 'toolCallParser', flag: '--dyn-tool-call-parser', kind: 'string' },
  { option: 'reasoningParser', flag: '--dyn-reasoning-parser', kind: 'string' },
  { slot: 'extra' },
];

/** SGLang with its options. */
export class SglangEngine extends EngineBase<SglangOptions> {
  readonly backend = 'sglang';
  readonly module = 'dynamo.sglang';
  readonly runtime = 'sglang-runtime';

  /** The same engine with some options changed. */
  with<T extends Num, P extends Num, D extends Num, X extends Num>(options: SglangOptions<T, P, D, X>): SglangEngine {
    return new SglangEngine({ ...this.options, ...options });
  }

  args(launch: Launch): string[] {
    const { transferBackend = 'nixl', bootstrapPort = 12345, extraArgs = [] } = this.options;
    const disaggregated = launch.role !== 'aggregated';
    const transfer = transferBackend === false ? [] : ['--disaggregation-transfer-backend', transferBackend];
    return renderArgs(sglangFlagOrder, this.options, {
      model: ['--model-path', launch.model.source, '--served-model-name', launch.model.servedName],
      revision: launch.model.revision === undefined ? [] : ['--revision', launch.model.revision],
      events:
        launch.events === true && launch.role !== 'decode'
          ? ['--kv-events-config', '{"publisher":"zmq","topic":"kv-events","endpoint":"tcp://*:5557"}']
          : [],
      role: disaggregated
        ? ['--disaggregation-mode', launch.role, ...transfer, '--disaggregation-bootstrap-port', String(bootstrapPort)]
        : [],
      host: disaggregated ? ['--host', '0.0.0.0'] : [],
      extra: extraArgs,
    });
  }

  get gpus(): number {
    const args = renderArgs(sglangFlagOrder, this.options, { extra: this.options.extraArgs ?? [] });
    return (
      flagCount(args, ['--tp', '--tp-size', '--tensor-parallel-size']) *
      flagCount(args, ['--pp', '--pp-size', '--pipeline-parallel-size'])
    );
  }

  override get blockSize(): number | undefined {
    const size = flagValue(renderArgs(sglangFlagOrder, this.options, { extra: this.options.extraArgs ?? [] }), ['--page-size']);
    return size === undefined ? undefined : Number(size);
  }
}
