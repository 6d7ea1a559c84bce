import { DynamoGraph, Router, type DynamoChart } from '../../../lib/graph/index.ts';
import { qwen, trtllm } from './qwen.ts';

/** Prefill workers publish what they hold; requests follow. */
export const trtllmDisaggRouter = (chart: DynamoChart) =>
  DynamoGraph.disaggregated(chart, 'trtllm-v1-disagg-router', {
    model: qwen,
    engine: trtllm('prefill'),
    router: Router.kv(),
    workers: { replicas: 2 },
    decode: { engine: trtllm('decode') },
  });
