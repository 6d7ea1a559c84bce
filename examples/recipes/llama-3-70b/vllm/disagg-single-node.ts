import { Size } from 'cdk8s';
import { DynamoGraph, Placement, type DynamoChart } from '../../../../lib/graph/index.ts';
import { llama, vllm } from '../llama.ts';

/** Two prefill workers of two GPUs and a decode worker of four, close together. */
export const llama70bDisaggSingleNode = (chart: DynamoChart) =>
  DynamoGraph.disaggregated(chart, 'llama3-70b-disagg-sn', {
    ...llama(chart),
    engine: vllm(2),
    workers: { sharedMemory: Size.gibibytes(80), placement: Placement.besideWorkers() },
    prefill: { replicas: 2 },
    decode: { engine: vllm(4) },
  });
