import { EngineBase, type EngineOptions, type Launch } from './base.ts';
import { roleArgs } from './role-args.ts';
import { renderArgs, type Layout, type Num } from './flag.ts';

/** Options of `Engine.mocker`. */
export interface MockerOptions extends EngineOptions {
  /**
   * How much faster than a real engine it answers: `--speedup-ratio`.
   * @default - the mocker's own, 1
   */
  readonly speedupRatio?: Num;
  /**
   * Folder with profiling results the timings are taken from: `--planner-profile-data`.
   * @default - none
   */
  readonly plannerProfileData?: string;
  /**
   * Tokens in a block of the pretended KV cache: `--block-size`.
   * @default - the mocker's own, 64
   */
  readonly blockSize?: Num;
  /**
   * Blocks in the pretended KV cache: `--num-gpu-blocks-override`.
   * @default - the mocker's own
   */
  readonly numGpuBlocks?: Num;
  /**
   * Pretended workers in one pod: `--num-workers`.
   * @default 1
   */
  readonly numWorkers?: Num;
  /**
   * Seconds the pretended model takes to load: `--startup-time`.
   * @default - none
   */
  readonly startupTime?: Num;
}

/** The order of the mocker's command line. */
export const mockerLayout: Layout = [
  { slot: 'model' },
  { option: 'speedupRatio', flag: '--speedup-ratio', kind: 'number' },
  { option: 'plannerProfileData', flag: '--planner-profile-data', kind: 'text' },
  { option: 'blockSize', flag: '--block-size', kind: 'number' },
  { option: 'numGpuBlocks', flag: '--num-gpu-blocks-override', kind: 'number' },
  { option: 'numWorkers', flag: '--num-workers', kind: 'number' },
  { option: 'startupTime', flag: '--startup-time', kind: 'number' },
  { slot: 'role' },
  { slot: 'extra' },
];

/** An engine that only pretends, and needs no GPU. */
export class MockerEngine extends EngineBase<MockerOptions> {
  readonly backend = 'mocker';
  readonly module = 'dynamo.mocker';
  readonly runtime = 'vllm-runtime';

  /** The same engine with some options changed. */
  with(options: MockerOptions): MockerEngine {
    return new MockerEngine({ ...this.options, ...options });
  }

  args(launch: Launch): string[] {
    return renderArgs(mockerLayout, this.options, {
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
