import { DynamoGraph, type DynamoChart } from '../../../lib/graph/index.ts';
import { qwen, sglang } from '../../backends/sglang/qwen.ts';
import { prologue } from './prologue.ts';

/** SGLang on GKE. */
export const gkeSglangDisagg = (chart: DynamoChart) =>
  DynamoGraph.disaggregated(chart, 'sglang-disagg', {
    model: qwen,
    engine: sglang,
    workers: { shell: [...prologue, 'nvidia-smi'] },
  });
