import { Size } from 'cdk8s';
import { DynamoGraph, type DynamoChart } from '../../../../lib/graph/index.ts';
import { llama, vllm } from '../llama.ts';

/** Behind an inference gateway: an endpoint picker chooses the worker. */
export const llama70bAggGaie = (chart: DynamoChart) => {
  const { frontend, ...shared } = llama(chart);
  return DynamoGraph.aggregated(chart, 'llama3-70b-agg', {
    ...shared,
    engine: vllm(4).with({ env: { DYN_STORE_KV: 'mem' } }),
    frontend: { ...frontend, envFromSecret: { name: 'hf-token-secret' } },
    epp: {},
    worker: { sharedMemory: Size.gibibytes(20) },
  });
};
