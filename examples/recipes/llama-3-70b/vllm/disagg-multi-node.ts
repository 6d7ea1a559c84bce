import { Size } from 'cdk8s';
import { DynamoGraph, type DynamoChart } from '../../../../lib/graph/index.ts';
import { llama, vllm } from '../llama.ts';

/** A node of eight GPUs on either side. */
export const llama70bDisaggMultiNode = (chart: DynamoChart) =>
  DynamoGraph.disaggregated(chart, 'llama3-70b-disagg-mn', {
    ...llama(chart),
    engine: vllm(8),
    workers: { sharedMemory: Size.gibibytes(80) },
  });
