import { renderArgs, type Layout, type Num } from './engine/flag.ts';

/** Options every way of routing has. */
export interface RouterOptions {
  /**
   * Whether the router forgets its state at start: `--router-reset-states`.
   * @default false
   */
  readonly resetStates?: boolean;
  /**
   * Whether the mode is an argument of the frontend even where its environment could say it.
   * @default - an argument only beside others
   */
  readonly modeInArgs?: boolean;
}

/** Options of routing by KV cache. */
export interface KvRouterBaseOptions extends RouterOptions {
  /**
   * Tokens in a block of the KV cache; the same as the workers': `--kv-cache-block-size`.
   * @default - what the workers report
   */
  readonly blockSize?: Num;
  /**
   * How much shared prefixes weigh against load: `--kv-overlap-score-weight`.
   * @default - the router's own, 1.0
   */
  readonly overlapScoreWeight?: Num;
  /**
   * How much chance there is in the choice of a worker: `--router-temperature`.
   * @default - the router's own, 0.0
   */
  readonly temperature?: Num;
  /**
   * Whether replicas of the frontend share what they know: `--router-replica-sync`.
   * @default false
   */
  readonly replicaSync?: boolean;
  /**
   * Messages after which state is written down: `--router-snapshot-threshold`.
   * @default - the router's own
   */
  readonly snapshotThreshold?: Num;
  /**
   * Whether blocks of running requests count; `false` is `--no-track-active-blocks`.
   * @default true
   */
  readonly trackActiveBlocks?: boolean;
  /**
   * Whether a block once computed is taken to be still there; `false` is `--no-assume-kv-reuse`.
   * @default true
   */
  readonly assumeKvReuse?: boolean;
  /**
   * Whether blocks of answers count too: `--track-output-blocks`.
   * @default false
   */
  readonly trackOutputBlocks?: boolean;
  /**
   * Part of a worker's blocks in use at which it is busy: `--active-decode-blocks-threshold`.
   * @default - none
   */
  readonly activeDecodeBlocksThreshold?: Num;
  /**
   * Tokens in prefill at which a worker is busy: `--active-prefill-tokens-threshold`.
   * @default - none
   */
  readonly activePrefillTokensThreshold?: Num;
  /**
   * Whether requests wait for a prefill worker rather than being served whole by a decode worker: `--enforce-disagg`.
   * @default false
   */
  readonly enforceDisagg?: boolean;
}

/** Options of `Router.kv`: without events the router guesses, and how long it trusts its guesses can be set. */
export type KvRouterOptions = KvRouterBaseOptions &
  (
    | {
        /**
         * Whether workers report their KV blocks; `false` is `--no-kv-events`.
         * @default true
         */
        readonly events?: true;
        readonly ttl?: undefined;
        readonly maxTreeSize?: undefined;
        readonly pruneTargetRatio?: undefined;
      }
    | {
        /** Guess from the requests sent what each worker holds. */
        readonly events: false;
        /**
         * Seconds a guess is trusted: `--router-ttl`.
         * @default - the router's own, 120
         */
        readonly ttl?: Num;
        /**
         * Blocks remembered: `--router-max-tree-size`.
         * @default - the router's own, 1048576
         */
        readonly maxTreeSize?: Num;
        /**
         * Part of the blocks kept when too many are remembered: `--router-prune-target-ratio`.
         * @default - the router's own, 0.8
         */
        readonly pruneTargetRatio?: Num;
      }
  );

/** The order of the router's flags on the frontend's command line. */
export const routerLayout: Layout = [
  { option: 'blockSize', flag: '--kv-cache-block-size', kind: 'number' },
  { slot: 'mode' },
  { option: 'overlapScoreWeight', flag: '--kv-overlap-score-weight', kind: 'number' },
  { option: 'temperature', flag: '--router-temperature', kind: 'number' },
  { option: 'resetStates', flag: '--router-reset-states', kind: 'switch' },
  { option: 'replicaSync', flag: '--router-replica-sync', kind: 'switch' },
  { option: 'snapshotThreshold', flag: '--router-snapshot-threshold', kind: 'number' },
  { option: 'trackActiveBlocks', flag: '', off: '--no-track-active-blocks', kind: 'switch' },
  { option: 'assumeKvReuse', flag: '', off: '--no-assume-kv-reuse', kind: 'switch' },
  { option: 'trackOutputBlocks', flag: '--track-output-blocks', kind: 'switch' },
  { option: 'activeDecodeBlocksThreshold', flag: '--active-decode-blocks-threshold', kind: 'number' },
  { option: 'activePrefillTokensThreshold', flag: '--active-prefill-tokens-threshold', kind: 'number' },
  { option: 'enforceDisagg', flag: '--enforce-disagg', kind: 'switch' },
  { option: 'events', flag: '', off: '--no-kv-events', kind: 'switch' },
  { option: 'ttl', flag: '--router-ttl', kind: 'number' },
  { option: 'maxTreeSize', flag: '--router-max-tree-size', kind: 'number' },
  { option: 'pruneTargetRatio', flag: '--router-prune-target-ratio', kind: 'number' },
];

/** How the frontend chooses a worker for each request. */
export class Router {
  /** By the KV blocks workers already hold. */
  static kv(options: KvRouterOptions = {}): Router {
    return new Router('kv', options, options.events ?? true);
  }

  /** In turn. */
  static roundRobin(options: RouterOptions = {}): Router {
    return new Router('round-robin', options, undefined);
  }

  /** By chance. */
  static random(options: RouterOptions = {}): Router {
    return new Router('random', options, undefined);
  }

  /** How workers are chosen. */
  readonly mode: 'kv' | 'round-robin' | 'random';
  /** Whether workers report KV blocks (`true`), must not (`false`), or nobody asks. */
  readonly events: boolean | undefined;
  private readonly options: KvRouterOptions;

  private constructor(mode: Router['mode'], options: KvRouterOptions, events: boolean | undefined) {
    this.mode = mode;
    this.options = options;
    this.events = events;
  }

  /** Environment of the frontend: the mode, when there is nothing else to say. */
  get env(): Readonly<Record<string, string>> {
    return this.mode !== 'round-robin' && this.args.length === 0 ? { DYN_ROUTER_MODE: this.mode } : {};
  }

  /** Arguments of the frontend, none when the mode alone says it all. */
  get args(): readonly string[] {
    const tuning = renderArgs(routerLayout, this.options, {});
    if (tuning.length === 0 && this.options.modeInArgs !== true) return [];
    return renderArgs(routerLayout, this.options, { mode: this.mode === 'round-robin' ? [] : ['--router-mode', this.mode] });
  }
}
