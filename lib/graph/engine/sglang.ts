import { EngineBase, type EngineOptions, type Launch } from './base.ts';
import type { Count } from './count.ts';
import { flagCount, flagValue, renderArgs, type Layout, type Num } from './flag.ts';

/** How SGLang spreads a model over GPUs. */
export interface SglangParallel<T extends Num = Num, P extends Num = Num, D extends Num = Num, X extends Num = Num> {
  /**
   * GPUs each layer is split over: `--tp`.
   * @default 1
   */
  readonly tensor?: T & Count<T>;
  /**
   * Groups of GPUs the layers are dealt out to: `--pp`.
   * @default 1
   */
  readonly pipeline?: P & Count<P>;
  /**
   * Copies of the attention layers, within the tensor-parallel GPUs: `--dp`.
   * @default 1
   */
  readonly data?: D & Count<D>;
  /**
   * Whether attention is data-parallel: `--enable-dp-attention`.
   * @default false
   */
  readonly dpAttention?: boolean;
  /**
   * GPUs the experts are spread over: `--ep-size`.
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
   * How the model is spread over GPUs; the GPUs and nodes of the component follow from it.
   * @default - one GPU
   */
  readonly parallel?: SglangParallel<T, P, D, X>;
  /**
   * Tokens in a page of the KV cache: `--page-size`.
   * @default - SGLang's own
   */
  readonly pageSize?: Num;
  /**
   * Whether code that comes with the model may run: `--trust-remote-code`.
   * @default false
   */
  readonly trustRemoteCode?: boolean;
  /**
   * Whether the tokenizer is left to the frontend: `--skip-tokenizer-init`.
   * @default false
   */
  readonly skipTokenizerInit?: boolean;
  /**
   * Part of GPU memory for weights and KV cache, 0 to 1: `--mem-fraction-static`.
   * @default - SGLang's own
   */
  readonly memFractionStatic?: Num;
  /**
   * How KV blocks travel from prefill to decode; `false` leaves it to SGLang.
   * @default 'nixl'
   */
  readonly transferBackend?: 'nixl' | 'mooncake' | false;
  /**
   * Port on which prefill and decode workers meet, the same on both.
   * @default 12345
   */
  readonly bootstrapPort?: Num;
  /**
   * How requests are dealt to data-parallel copies: `--load-balance-method`.
   * @default - SGLang's own
   */
  readonly loadBalanceMethod?: string;
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

/** The order of SGLang's command line. */
export const sglangLayout: Layout = [
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
  { option: 'loadBalanceMethod', flag: '--load-balance-method', kind: 'text' },
  { option: 'toolCallParser', flag: '--dyn-tool-call-parser', kind: 'text' },
  { option: 'reasoningParser', flag: '--dyn-reasoning-parser', kind: 'text' },
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
    return renderArgs(sglangLayout, this.options, {
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
    const args = renderArgs(sglangLayout, this.options, { extra: this.options.extraArgs ?? [] });
    return (
      flagCount(args, ['--tp', '--tp-size', '--tensor-parallel-size']) *
      flagCount(args, ['--pp', '--pp-size', '--pipeline-parallel-size'])
    );
  }

  override get blockSize(): number | undefined {
    const size = flagValue(renderArgs(sglangLayout, this.options, { extra: this.options.extraArgs ?? [] }), ['--page-size']);
    return size === undefined ? undefined : Number(size);
  }
}
