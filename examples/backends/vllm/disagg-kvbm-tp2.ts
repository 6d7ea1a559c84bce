import type { DynamoChart } from '../../../lib/graph/index.ts';
import { disaggKvbm } from './kvbm.ts';
import { eager } from './qwen.ts';

/** The same with two GPUs to a worker. */
export const vllmDisaggKvbmTp2 = (chart: DynamoChart) =>
  disaggKvbm(chart, 'vllm-disagg-kvbm-tp2', eager.with({ parallel: { tensor: 2 }, gpuMemoryUtilization: 0.23 }));
