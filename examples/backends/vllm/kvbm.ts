import { Size } from 'cdk8s';
import { DynamoGraph, KvConnector, type DynamoChart, type VllmEngine, type WorkerProps } from '../../../lib/graph/index.ts';
import { qwen8b } from './qwen.ts';

/** Prefill workers keep KV blocks in 100 GiB of host memory and hand them to decode workers. */
export const disaggKvbm = (chart: DynamoChart, name: string, engine: VllmEngine, workers: WorkerProps<VllmEngine> = {}) =>
  DynamoGraph.disaggregated(chart, name, {
    model: qwen8b,
    engine,
    workers,
    prefill: {
      memoryRequest: Size.gibibytes(200),
      memory: Size.gibibytes(250),
      engine: engine.with({ connector: KvConnector.multi(KvConnector.kvbm({ cpu: Size.gibibytes(100) }), KvConnector.nixl()) }),
    },
  });
