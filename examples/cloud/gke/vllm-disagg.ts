import { Duration } from 'cdk8s';
import { Probe } from 'cdk8s-plus-28';
import { DynamoGraph, Engine, type DynamoChart } from '../../../lib/graph/index.ts';
import { qwen } from '../../backends/vllm/qwen.ts';
import { prologue } from './prologue.ts';

const times = { initialDelaySeconds: Duration.seconds(180), periodSeconds: Duration.seconds(10), failureThreshold: 720 };

/** vLLM on GKE; the decode worker gets three minutes before it is asked. */
export const gkeVllmDisagg = (chart: DynamoChart) =>
  DynamoGraph.disaggregated(chart, 'vllm-disagg', {
    model: qwen,
    engine: Engine.vllm(),
    workers: { shell: prologue },
    decode: { startupProbe: Probe.fromHttpGet('/live', { port: 9090, ...times }) },
  });
