import type { DynamoChart } from '../../../lib/graph/index.ts';
import { disaggKvbm } from './kvbm.ts';
import { eager } from './qwen.ts';

/** The same with two workers on either side. */
export const vllmDisaggKvbm2p2d = (chart: DynamoChart) => disaggKvbm(chart, 'vllm-disagg-kvbm-2p2d', eager, { replicas: 2 });
