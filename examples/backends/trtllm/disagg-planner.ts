import { Duration } from 'cdk8s';
import { Probe } from 'cdk8s-plus-28';
import { DynamoGraph, Router, type DynamoChart } from '../../../lib/graph/index.ts';
import { qwen, trtllm } from './qwen.ts';

const probe = (path: string, period: number, failureThreshold: number) =>
  Probe.fromHttpGet(path, {
    port: 9090,
    periodSeconds: Duration.seconds(period),
    timeoutSeconds: Duration.seconds(30),
    failureThreshold,
  });

/** A planner scales both sides; the router guesses what workers hold. Patient probes keep slow decode workers alive. */
export const trtllmDisaggPlanner = (chart: DynamoChart) =>
  DynamoGraph.disaggregated(chart, 'trtllm-disagg-planner', {
    model: qwen,
    engine: trtllm('prefill'),
    router: Router.kv({ events: false, blockSize: 128, overlapScoreWeight: '0.0', temperature: '0.0' }),
    frontend: { workingDir: '/workspace/examples/backends/trtllm' },
    planner: { container: { ports: [{ name: 'metrics', containerPort: 9085 }] } },
    workers: { terminationGracePeriod: Duration.seconds(600) },
    decode: { engine: trtllm('decode'), livenessProbe: probe('/live', 5, 1), readinessProbe: probe('/health', 10, 60) },
  });
