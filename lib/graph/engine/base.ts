import type { Env } from '../plain.ts';
import type { Model } from '../model.ts';

/** Engines that Dynamo runs. */
export type Backend = 'vllm' | 'sglang' | 'trtllm' | 'mocker';

/** What a worker serves: whole requests, or the prefill or decode phase. */
export type Role = 'aggregated' | 'prefill' | 'decode';

/** Options of every engine. */
export interface EngineOptions {
  /**
   * Arguments appended to all others.
   * @default - none
   */
  readonly extraArgs?: readonly string[];
  /**
   * Environment variables of every worker that runs this engine.
   * @default - none
   */
  readonly env?: Env;
  /**
   * Image to run.
   * @default - the platform's image for the engine
   */
  readonly image?: string;
  /**
   * Working directory of the engine.
   * @default - `/workspace/examples/backends/BACKEND`; `/workspace` for the mocker; `/workspace/` for TensorRT-LLM with a relative `configFile`
   */
  readonly workingDir?: string;
}

/** What an engine's command line depends on besides the engine's options. */
export interface Launch {
  readonly model: Model;
  readonly role: Role;
  /** Whether workers publish events about their KV blocks; `undefined` without KV-aware routing. */
  readonly events: boolean | undefined;
  /** Path of the engine's mounted configuration file, if there is one. */
  readonly configPath: string | undefined;
}

/** An engine and its options; `with` returns a variant. */
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

  /** The arguments after the module, in a fixed order. */
  abstract args(launch: Launch): string[];

  /** GPUs per replica on all its nodes, derived from the parallelism. */
  abstract get gpus(): number;

  /** Tokens per KV cache block; `undefined` if no option sets it. */
  get blockSize(): number | undefined {
    return undefined;
  }

  /** The engine's default for `blockSize`; `undefined` if it depends on the model or is not known. */
  get defaultBlockSize(): number | undefined {
    return undefined;
  }

  /** Environment variables that the options set. */
  get env(): Env {
    return this.options.env ?? {};
  }

  /** Content of the engine's configuration file for a worker, if there is one. */
  configFor(_worker: Pick<Launch, 'role' | 'model'>): Readonly<Record<string, unknown>> | undefined {
    return undefined;
  }

  /** Working directory of the engine. */
  get workingDir(): string {
    return this.options.workingDir ?? `/workspace/examples/backends/${this.backend}`;
  }
}
