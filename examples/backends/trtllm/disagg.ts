import { DynamoGraph, type DynamoChart } from '../../../lib/graph/index.ts';
import { qwen, trtllm } from './qwen.ts';

/** Prompts and answers computed by different workers, each with its own configuration. */
export const trtllmDisagg = (chart: DynamoChart) =>
  DynamoGraph.disaggregated(chart, 'trtllm-disagg', {
    model: qwen,
    engine: trtllm('prefill'),
    decode: { engine: trtllm('decode') },
  });
