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

/** Options of `KvConnector.lmcache`. */
export interface LmcacheOptions {
  /**
   * Host memory each worker uses for KV blocks; the component's memory limit must be larger.
   * @default - LMCache's own, 5Gi
   */
  readonly cpu?: Size;
  /**
   * Disk space each worker uses for KV blocks, and the folder they lie in.
   * @default - none
   */
  readonly disk?: { readonly path: string; readonly size: Size };
  /**
   * Tokens in a chunk, the unit LMCache stores.
   * @default - LMCache's own, 256
   */
  readonly chunkSize?: number;
}

/** How vLLM and TensorRT-LLM move KV blocks between workers and out of GPU memory. */
export class KvConnector {
  /** NIXL, between prefill and decode workers. */
  static nixl(): StackableKvConnector {
    return new StackableKvConnector(['nixl'], {});
  }

  /** LMCache, which keeps KV blocks in host memory or on disk; prefill and decode workers need NIXL besides, by `multi`. */
  static lmcache(options: LmcacheOptions = {}): StackableKvConnector {
    const { cpu, disk, chunkSize } = options;
    return new StackableKvConnector(['lmcache'], {
      ...(chunkSize === undefined ? {} : { LMCACHE_CHUNK_SIZE: String(chunkSize) }),
      ...(cpu === undefined ? {} : { LMCACHE_LOCAL_CPU: 'True', LMCACHE_MAX_LOCAL_CPU_SIZE: String(cpu.toGibibytes()) }),
      ...(disk === undefined
        ? {}
        : { LMCACHE_LOCAL_DISK: `file://${disk.path}`, LMCACHE_MAX_LOCAL_DISK_SIZE: String(disk.size.toGibibytes()) }),
    });
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
