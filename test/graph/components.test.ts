import { Duration, Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { describe, expect, test } from 'vitest';
import { ComputeDomain, DynamoGraph, Engine, Fabric, Placement, Scaler } from '../../lib/graph/index.ts';
import { args, env, objects, qwen, sampleChart, service, vllm } from './sample-chart.ts';

describe('further components', () => {
  test('a planner knows its backend, targets and the GPUs of each side', () => {
    const graph = DynamoGraph.disaggregated(sampleChart(), 'g', {
      model: qwen,
      engine: Engine.vllm({ parallel: { tensor: 2 } }),
      planner: { ttft: Duration.millis(300), adjustmentInterval: Duration.minutes(2) },
    });
    expect(args(graph, 'Planner')).toEqual([
      '--environment=kubernetes',
      '--backend=vllm',
      '--adjustment-interval=120',
      '--profile-results-dir=/workspace/profiling_results',
      '--ttft=300',
      '--prefill-engine-num-gpu=2',
      '--decode-engine-num-gpu=2',
    ]);
  });

  test('an endpoint picker has the block size and the model of the workers', () => {
    const graph = DynamoGraph.aggregated(sampleChart(), 'g', { model: qwen, engine: Engine.vllm({ blockSize: 128 }), epp: {} });
    expect(env(graph, 'Epp')).toEqual({ DYN_KV_BLOCK_SIZE: '128', DYN_MODEL: qwen.servedName });
    expect(graph.inferencePoolName).toBe('g-pool');
  });

  test('a NVLink domain counts the nodes of its components', () => {
    const chart = sampleChart();
    const graph = new DynamoGraph(chart, 'g', { model: qwen });
    graph.addFrontend();
    graph.addPrefill('prefill', { engine: Engine.trtllm({ config: { tensor_parallel_size: 4 } }), gpusPerNode: 4 });
    graph.addDecode('decode', { engine: Engine.trtllm({ config: { tensor_parallel_size: 32 } }), gpusPerNode: 4 });
    new ComputeDomain(chart, 'domain', { graph });
    expect(objects(chart, 'ComputeDomain')[0]?.['spec'].numNodes).toBe(9);
    expect(service(graph, 'decode').extraPodSpec['resourceClaims']).toEqual([
      { name: 'compute-domain-channel', resourceClaimTemplateName: 'domain-channel' },
    ]);
    expect(service(graph, 'Frontend').extraPodSpec['resourceClaims']).toBeUndefined();
  });

  test('a fabric asks for one device per GPU', () => {
    const graph = DynamoGraph.aggregated(sampleChart(), 'g', {
      model: qwen,
      engine: Engine.vllm({ parallel: { tensor: 2 } }),
      fabric: Fabric.infiniband(),
    });
    expect(service(graph, 'worker').resources?.limits?.['custom']).toEqual({ 'rdma/ib': '2' });
  });

  test('placement, probes, mounts and claims of cdk8s-plus end up in the pod', () => {
    const chart = sampleChart();
    const volume = kplus.Volume.fromEmptyDir(chart, 'scratch', 'scratch', { sizeLimit: Size.gibibytes(1) });
    const graph = DynamoGraph.aggregated(chart, 'g', {
      model: qwen,
      engine: vllm,
      worker: {
        placement: Placement.gpuNodes(),
        mounts: [{ volume, path: '/scratch', readOnly: true }],
        startupProbe: kplus.Probe.fromHttpGet('/live', { port: 9090, failureThreshold: 600 }),
        cpu: kplus.Cpu.units(4),
        memory: Size.gibibytes(32),
      },
    });
    const pod = service(graph, 'worker').extraPodSpec;
    expect(pod['volumes']).toEqual([{ name: 'scratch', emptyDir: { sizeLimit: '1024Mi' } }]);
    expect(pod.mainContainer['volumeMounts']).toEqual([{ name: 'scratch', mountPath: '/scratch', readOnly: true }]);
    expect(pod.mainContainer['startupProbe']).toMatchObject({ failureThreshold: 600, httpGet: { path: '/live', port: 9090 } });
    expect(service(graph, 'worker').resources).toEqual({
      limits: { gpu: '1', cpu: '4', memory: '32Gi' },
      requests: { cpu: '4', memory: '32Gi' },
    });
  });
});

describe('autoscaling', () => {
  test('KEDA scales the adapter by a metric of the graph, and the adapter is on', () => {
    const chart = sampleChart();
    const graph = DynamoGraph.aggregated(chart, 'g', { model: qwen, engine: vllm });
    graph.component('worker').autoscale(Scaler.keda({ metric: 'ttft-p95', threshold: 0.5, min: 2, max: 10 }));
    expect(service(graph, 'worker')['scalingAdapter']).toEqual({ enabled: true });
    const [scaled] = objects(chart, 'ScaledObject');
    expect(scaled?.['spec']).toMatchObject({
      minReplicaCount: 2,
      scaleTargetRef: { kind: 'DynamoGraphDeploymentScalingAdapter', name: 'g-worker' },
    });
    expect(scaled?.['spec'].triggers[0].metadata.query).toContain('dynamo_namespace="llm-g"');
  });

  test('rejects a second autoscaler on one component', () => {
    const worker = DynamoGraph.aggregated(sampleChart(), 'g', { model: qwen, engine: vllm }).component('worker');
    worker.autoscale(Scaler.hpa({ metricName: 'queue', averageValue: '10', max: 4 }));
    expect(() => worker.autoscale(Scaler.hpa({ metricName: 'queue', averageValue: '10', max: 4 }))).toThrow('autoscaled twice');
  });
});
