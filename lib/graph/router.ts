import { renderArgs, type FlagOrder, type Num } from './engine/flag.ts';

/** Options of every routing mode. */
export interface RouterOptions {
  /**
   * Whether the router resets its state at start: `--router-reset-states`.
   * @default false
   */
  readonly resetStates?: boolean;
  /**
   * Whether the routing mode is always an argument of the frontend: `--router-mode`.
   * @default - an argument if there are other router arguments, otherwise the environment variable `DYN_ROUTER_MODE`
   */
  readonly modeInArgs?: boolean;
}

/** Options of KV-aware routing. */
export interface KvRouterBaseOptions extends RouterOptions {
  /**
   * Tokens per KV cache block, equal to that of the workers: `--kv-cache-block-size`.
   * @default - reported by the workers
   */
  readonly blockSize?: Num;
  /**
   * Weight of cached prefixes relative to load: `--kv-overlap-score-weight`.
   * @default - the router's default, 1.0
   */
  readonly overlapScoreWeight?: Num;
  /**
   * Randomness of the choice of a worker; 0 chooses the best one: `--router-temperature`.
   * @default - the router's default, 0.0
   */
  readonly temperature?: Num;
  /**
   * Whether replicas of the frontend synchronize their router state: `--router-replica-sync`.
   * @default false
   */
  readonly replicaSync?: boolean;
  /**
   * Number of messages after which the router state is saved: `--router-snapshot-threshold`.
   * @default - the router's default
   */
  readonly snapshotThreshold?: Num;
  /**
   * Whether KV blocks of running requests count as load; `false` is `--no-track-active-blocks`.
   * @default true
   */
  readonly trackActiveBlocks?: boolean;
  /**
   * Whether the router assumes that workers reuse computed KV blocks; `false` is `--no-assume-kv-reuse`.
   * @default true
   */
  readonly assumeKvReuse?: boolean;
  /**
   * Whether KV blocks of generated tokens count too: `--track-output-blocks`.
   * @default false
   */
  readonly trackOutputBlocks?: boolean;
  /**
   * Fraction of KV blocks in use, 0 to 1, at which a worker is busy: `--active-decode-blocks-threshold`.
   * @default - none
   */
  readonly activeDecodeBlocksThreshold?: Num;
  /**
   * Tokens in prefill at which a worker is busy: `--active-prefill-tokens-threshold`.
   * @default - none
   */
  readonly activePrefillTokensThreshold?: Num;
  /**
   * Whether requests wait for a prefill worker instead of being served entirely by a decode worker: `--enforce-disagg`.
   * @default false
   */
  readonly enforceDisagg?: boolean;
}

/** Options of `Router.kv`; `ttl`, `maxTreeSize` and `pruneTargetRatio` tune the prediction of KV blocks without events. */
export type KvRouterOptions = KvRouterBaseOptions &
  (
    | {
        /**
         * Whether workers publish events about their KV blocks; `false` is `--no-kv-events`.
         * @default true
         */
        readonly events?: true;
        readonly ttl?: undefined;
        readonly maxTreeSize?: undefined;
        readonly pruneTargetRatio?: undefined;
      }
    | {
        /** Predict the KV blocks of each worker from the requests sent to it. */
        readonly events: false;
        /**
         * Seconds after which a predicted block expires: `--router-ttl`.
         * @default - the router's default, 120
         */
        readonly ttl?: Num;
        /**
         * Maximum number of predicted blocks: `--router-max-tree-size`.
         * @default - the router's default, 1048576
         */
        readonly maxTreeSize?: Num;
        /**
         * Fraction of `maxTreeSize`, 0 to 1, that remains after pruning: `--router-prune-target-ratio`.
         * @default - the router's default, 0.8
         */
        readonly pruneTargetRatio?: Num;
      }
  );

/** Order of the router's flags on the frontend's command line. */
export const routerFlagOrder: FlagOrder = [
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
  /** KV-aware: prefers workers that already hold KV blocks of the prompt. */
  static kv(options: KvRouterOptions = {}): Router {
    return new Router('kv', options, options.events ?? true);
  }

  /** Round robin: workers in turn. */
  static roundRobin(options: RouterOptions = {}): Router {
    return new Router('round-robin', options, undefined);
  }

  /** A random worker for each request. */
  static random(options: RouterOptions = {}): Router {
    return new Router('random', options, undefined);
  }

  /** Routing mode. */
  readonly mode: 'kv' | 'round-robin' | 'random';
  /** Whether workers publish events about their KV blocks; `undefined` without KV-aware routing. */
  readonly events: boolean | undefined;
  private readonly options: KvRouterOptions;

  private constructor(mode: Router['mode'], options: KvRouterOptions, events: boolean | undefined) {
    this.mode = mode;
    this.options = options;
    this.events = events;
  }

  /** Environment variables of the frontend: the mode, if there are no arguments. */
  get env(): Readonly<Record<string, string>> {
    return this.mode !== 'round-robin' && this.args.length === 0 ? { DYN_ROUTER_MODE: this.mode } : {};
  }

  /** Arguments of the frontend; none if the mode is an environment variable. */
  get args(): readonly string[] {
    const tuning = renderArgs(routerFlagOrder, this.options, {});
    if (tuning.length === 0 && this.options.modeInArgs !== true) return [];
    return renderArgs(routerFlagOrder, this.options, { mode: this.mode === 'round-robin' ? [] : ['--router-mode', this.mode] });
  }
}
