import type { Size } from 'cdk8s';
import type { Env } from './plain.ts';

/** Options of `KvConnector.kvbm`. */
export interface KvbmOptions {
  /** Host memory per worker for KV blocks; the memory limit of the component must be larger. */
  readonly cpu: Size;
  /**
   * Disk space per worker for KV blocks.
   * @default - none
   */
  readonly disk?: Size;
}

/** Options of `KvConnector.lmcache`. */
export interface LmcacheOptions {
  /**
   * Host memory per worker for KV blocks; the memory limit of the component must be larger.
   * @default - LMCache's default, 5Gi
   */
  readonly cpu?: Size;
  /**
   * Folder and disk space per worker for KV blocks.
   * @default - none
   */
  readonly disk?: { readonly path: string; readonly size: Size };
  /**
   * Tokens per chunk, the unit that LMCache stores.
   * @default - LMCache's default, 256
   */
  readonly chunkSize?: number;
}

/** How vLLM and TensorRT-LLM transfer KV blocks between workers and offload them from GPU memory. */
export class KvConnector {
  /** NIXL, between prefill and decode workers. */
  static nixl(): StackableKvConnector {
    return new StackableKvConnector(['nixl'], {});
  }

  /** LMCache, which keeps KV blocks in host memory or on disk; prefill and decode workers also need NIXL, combined by `multi`. */
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

  /** No connector; not for prefill and decode workers. */
  static none(): KvConnector {
    return new KvConnector(['none'], {});
  }

  /** Names of the connectors on the engine's command line, in order. */
  readonly names: readonly string[];
  /** Environment variables of the connectors. */
  readonly env: Env;

  protected constructor(names: readonly string[], env: Env) {
    this.names = names;
    this.env = env;
  }
}

/** A connector that `KvConnector.multi` can combine with others. */
export class StackableKvConnector extends KvConnector {
  /** Makes the types differ for the compiler: `none` cannot be combined. */
  readonly stackable = true;
}
