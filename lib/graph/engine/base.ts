import type { Env } from '../plain.ts';
import type { Model } from '../model.ts';

/** The engines Dynamo can run. */
export type Backend = 'vllm' | 'sglang' | 'trtllm' | 'mocker';

/** What a worker does: all of a request, or one of its two phases. */
export type Role = 'aggregated' | 'prefill' | 'decode';

/** Options every engine has. */
export interface EngineOptions {
  /**
   * Arguments put after all others, as they are.
   * @default - none
   */
  readonly extraArgs?: readonly string[];
  /**
   * Environment of every worker that runs this engine.
   * @default - none
   */
  readonly env?: Env;
  /**
   * Image to run.
   * @default - the platform's image of the engine
   */
  readonly image?: string;
  /**
   * Folder the engine starts in.
   * @default - `/workspace/examples/backends/` and the engine's name; `/workspace` for the mocker; `/workspace/` for TensorRT-LLM with a relative `configFile`
   */
  readonly workingDir?: string;
}

/** What an engine's command line depends on besides its own options. */
export interface Launch {
  readonly model: Model;
  readonly role: Role;
  /** Whether the graph routes by KV cache and wants events (`true`), or routes by it without events (`false`). */
  readonly events: boolean | undefined;
  /** Where the engine's configuration is mounted, for an engine that has one. */
  readonly configPath: string | undefined;
}

/** An engine and its options; `with` makes a variant. */
export abstract class EngineBase<O extends EngineOptions> {
  /** The options as given. */
  readonly options: O;
  /** Name of the engine. */
  abstract readonly backend: Backend;
  /** Python module that runs a worker. */
  abstract readonly module: string;
  /** Name of the runtime image. */
  abstract readonly runtime: string;

  constructor(options: O) {
    this.options = options;
  }

  /** The command line after the module, in a fixed order. */
  abstract args(launch: Launch): string[];

  /** GPUs of one replica over all its nodes, by the parallelism asked for. */
  abstract get gpus(): number;

  /** Tokens in a block of the KV cache; `undefined` leaves it to the engine. */
  get blockSize(): number | undefined {
    return undefined;
  }

  /** Tokens in a block of the KV cache when no option says it; `undefined` where the engine decides by the model. */
  get defaultBlockSize(): number | undefined {
    return undefined;
  }

  /** Environment the options ask for. */
  get env(): Env {
    return this.options.env ?? {};
  }

  /** The configuration file's content for a worker, for an engine that has one. */
  configFor(_worker: Pick<Launch, 'role' | 'model'>): Readonly<Record<string, unknown>> | undefined {
    return undefined;
  }

  /** Folder the engine starts in. */
  get workingDir(): string {
    return this.options.workingDir ?? `/workspace/examples/backends/${this.backend}`;
  }
}
