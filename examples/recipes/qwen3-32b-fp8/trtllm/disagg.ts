import { DynamoGraph, type DynamoChart } from '../../../../lib/graph/index.ts';
import { qwen32bFp8, trtllm, worker } from '../qwen.ts';

const everySize = Array.from({ length: 128 }, (_, i) => i + 1);
const cache_transceiver_config = { backend: 'DEFAULT' };

/** Four prefill workers of one GPU, two decode workers of two. */
export const qwen32bFp8Disagg = (chart: DynamoChart) =>
  DynamoGraph.disaggregated(chart, 'qwen3-32b-fp8-disagg', {
    ...qwen32bFp8(chart),
    engine: trtllm(1, 1, 7800, [1, 2, 4, 8, 16, 32, 64, 128, 256], { cache_transceiver_config, disable_overlap_scheduler: true }),
    workers: worker,
    prefill: { name: 'TrtllmPrefillWorker', replicas: 4 },
    decode: { name: 'TrtllmDecodeWorker', replicas: 2, engine: trtllm(2, 128, 7800, everySize, { cache_transceiver_config }) },
  });
