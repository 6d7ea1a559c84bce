import { EngineBase, type EngineOptions, type Launch } from './base.ts';
import { roleArgs } from './role-args.ts';
import { renderArgs, type FlagOrder, type Num } from './flag.ts';

/** Options of `Engine.mocker`. */
export interface MockerOptions extends EngineOptions {
  /**
   * Speed relative to a real engine: `--speedup-ratio`.
   * @default - the mocker's default, 1
   */
  readonly speedupRatio?: Num;
  /**
   * Folder with profiling results for the simulated timings: `--planner-profile-data`.
   * @default - none
   */
  readonly plannerProfileData?: string;
  /**
   * Tokens per block of the simulated KV cache: `--block-size`.
   * @default - the mocker's default, 64
   */
  readonly blockSize?: Num;
  /**
   * Number of blocks of the simulated KV cache: `--num-gpu-blocks-override`.
   * @default - the mocker's default
   */
  readonly numGpuBlocks?: Num;
  /**
   * Simulated workers per pod: `--num-workers`.
   * @default 1
   */
  readonly numWorkers?: Num;
  /**
   * Seconds that the simulated model takes to load: `--startup-time`.
   * @default - none
   */
  readonly startupTime?: Num;
}

/** Order of the mocker's command line. */
export const mockerFlagOrder: FlagOrder = [
  { slot: 'model' },
  { option: 'speedupRatio', flag: '--speedup-ratio', kind: 'number' },
  { option: 'plannerProfileData', flag: '--planner-profile-data', kind: 'string' },
  { option: 'blockSize', flag: '--block-size', kind: 'number' },
  { option: 'numGpuBlocks', flag: '--num-gpu-blocks-override', kind: 'number' },
  { option: 'numWorkers', flag: '--num-workers', kind: 'number' },
  { option: 'startupTime', flag: '--startup-time', kind: 'number' },
  { slot: 'role' },
  { slot: 'extra' },
];

/** A simulated engine, which needs no GPU. */
export class MockerEngine extends EngineBase<MockerOptions> {
  readonly backend = 'mocker';
  readonly module = 'dynamo.mocker';
  readonly runtime = 'vllm-runtime';

  /** The same engine with some options changed. */
  with(options: MockerOptions): MockerEngine {
    return new MockerEngine({ ...this.options, ...options });
  }

  args(launch: Launch): string[] {
    return renderArgs(mockerFlagOrder, this.options, {
      model: ['--model-path', launch.model.source, '--model-name', launch.model.servedName],
      role: roleArgs[launch.role],
      extra: this.options.extraArgs ?? [],
    });
  }

  get gpus(): number {
    return 0;
  }

  override get blockSize(): number | undefined {
    return this.options.blockSize === undefined ? undefined : Number(this.options.blockSize);
  }

  override get defaultBlockSize(): number {
    return 64;
  }

  override get workingDir(): string {
    return this.options.workingDir ?? '/workspace';
  }
}
