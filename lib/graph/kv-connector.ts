import type { Size } from 'cdk8s';
import type { Env } from './plain.ts';

/** Options of `KvConnector.kvbm`. */
export interface KvbmOptions {
  /** Host memory each worker uses for KV blocks; the component's memory limit must be larger. */
  readonly cpu: Size;
  /**
   * Disk space each worker uses for KV blocks.
   * @default - none
   */
  readonly disk?: Size;
}

/** How vLLM and TensorRT-LLM move KV blocks between workers and out of GPU memory. */
export class KvConnector {
  /** NIXL, between prefill and decode workers. */
  static nixl(): StackableKvConnector {
    return new StackableKvConnector(['nixl'], {});
  }

  /** LMCache. */
  static lmcache(): StackableKvConnector {
    return new StackableKvConnector(['lmcache'], {});
  }

  /** KVBM, which offloads KV blocks to host memory or disk. */
  static kvbm(options: KvbmOptions): StackableKvConnector {
    const disk: Env = options.disk === undefined ? {} : { DYN_KVBM_DISK_CACHE_GB: String(options.disk.toGibibytes()) };
    return new StackableKvConnector(['kvbm'], { DYN_KVBM_CPU_CACHE_GB: String(options.cpu.toGibibytes()), ...disk });
  }

  /** Several connectors, tried in the order given. */
  static multi(first: StackableKvConnector, second: StackableKvConnector, ...rest: readonly StackableKvConnector[]): KvConnector {
    const all = [first, second, ...rest];
    return new KvConnector(
      all.flatMap((c) => c.names),
      Object.assign({}, ...all.map((c) => c.env)),
    );
  }

  /** No connector at all; excludes disaggregation. */
  static none(): KvConnector {
    return new KvConnector(['none'], {});
  }

  /** The engine's names of the connectors, in order. */
  readonly names: readonly string[];
  /** Environment the connectors read. */
  readonly env: Env;

  protected constructor(names: readonly string[], env: Env) {
    this.names = names;
    this.env = env;
  }
}

/** A connector that may be combined with others. */
export class StackableKvConnector extends KvConnector {
  /** Tells the two apart for the compiler: `none` cannot be combined. */
  readonly stackable = true;
}
