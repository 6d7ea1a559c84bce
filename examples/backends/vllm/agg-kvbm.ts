import { Size } from 'cdk8s';
import { DynamoGraph, KvConnector, type DynamoChart } from '../../../lib/graph/index.ts';
import { eager, qwen8b } from './qwen.ts';

/** KV blocks that do not fit the GPU move to 100 GiB of host memory. */
export const vllmAggKvbm = (chart: DynamoChart) =>
  DynamoGraph.aggregated(chart, 'vllm-agg-kvbm', {
    model: qwen8b,
    engine: eager.with({ connector: KvConnector.kvbm({ cpu: Size.gibibytes(100) }) }),
    worker: { memoryRequest: Size.gibibytes(200), memory: Size.gibibytes(250) },
  });
