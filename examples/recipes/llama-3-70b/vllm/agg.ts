import { Size } from 'cdk8s';
import { DynamoGraph, type DynamoChart } from '../../../../lib/graph/index.ts';
import { llama, vllm } from '../llama.ts';

/** One worker of four GPUs. */
export const llama70bAgg = (chart: DynamoChart) =>
  DynamoGraph.aggregated(chart, 'llama3-70b-agg', {
    ...llama(chart),
    engine: vllm(4),
    worker: { sharedMemory: Size.gibibytes(20) },
  });
