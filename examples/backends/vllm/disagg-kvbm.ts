import type { DynamoChart } from '../../../lib/graph/index.ts';
import { disaggKvbm } from './kvbm.ts';
import { eager } from './qwen.ts';

/** KV blocks offloaded by the prefill worker. */
export const vllmDisaggKvbm = (chart: DynamoChart) => disaggKvbm(chart, 'vllm-disagg-kvbm', eager);
