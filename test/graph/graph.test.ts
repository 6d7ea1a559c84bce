import { ApiObject, App, Chart, Duration, JsonPatch, Size, Yaml } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { describe, expect, test } from 'vitest';
import {
  ComputeDomain,
  DynamoGraph,
  DynamoGraphRequest,
  Engine,
  Fabric,
  KvConnector,
  LoraStore,
  Model,
  ModelCache,
  Placement,
  Platform,
  Router,
  Scaler,
  Search,
} from '../../lib/graph/index.ts';
import { args, env, objects, qwen, sampleChart, service, vllm } from './sample-chart.ts';

describe('presets', () => {
  test('an aggregated graph has a frontend and a worker, and nothing that says nothing', () => {
    const graph = DynamoGraph.aggregated(sampleChart({ namespace: undefined }), 'vllm-agg', { model: qwen, engine: vllm });
    expect(Yaml.stringify(graph.toJson())).toMatchInlineSnapshot(`
      "apiVersion: nvidia.com/v1alpha1
      kind: DynamoGraphDeployment
      metadata:
        name: vllm-agg
      spec:
        services:
          Frontend:
            componentType: frontend
            extraPodSpec:
              mainContainer:
                image: nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.9.0
            replicas: 1
          worker:
            componentType: worker
            envFromSecret: hf-token-secret
            extraPodSpec:
              mainContainer:
                args:
                  - --model
                  - Qwen/Qwen3-0.6B
                command:
                  - python3
                  - -m
                  - dynamo.vllm
                image: nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.9.0
                workingDir: /workspace/examples/backends/vllm
            replicas: 1
            resources:
              limits:
                gpu: "1"
      "
    `);
  });

  test.each([
    ['vllm', Engine.vllm(), ['--is-prefill-worker'], ['--is-decode-worker']],
    ['sglang', Engine.sglang(), ['--disaggregation-mode', 'prefill'], ['--disaggregation-mode', 'decode']],
    ['trtllm', Engine.trtllm(), ['--disaggregation-mode', 'prefill'], ['--disaggregation-mode', 'decode']],
    ['mocker', Engine.mocker(), ['--is-prefill-worker'], ['--is-decode-worker']],
  ])('a disaggregated %s graph says each role in its flag and its finer type', (_, engine, prefill, decode) => {
    const graph = DynamoGraph.disaggregated(sampleChart(), 'g', { model: qwen, engine });
    expect(args(graph, 'prefill')).toEqual(expect.arrayContaining(prefill));
    expect(args(graph, 'decode')).toEqual(expect.arrayContaining(decode));
    expect([service(graph, 'prefill')['subComponentType'], service(graph, 'decode')['subComponentType']]).toEqual([
      'prefill',
      'decode',
    ]);
  });

  test('what both roles share is said once and each may say otherwise', () => {
    const graph = DynamoGraph.disaggregated(sampleChart(), 'g', {
      model: qwen,
      engine: vllm,
      workers: { replicas: 2, env: { A: '1' } },
      decode: { replicas: 3, env: { B: '2' } },
    });
    expect([service(graph, 'prefill')['replicas'], service(graph, 'decode')['replicas']]).toEqual([2, 3]);
    expect(env(graph, 'decode')).toEqual({ A: '1', B: '2' });
  });

  test('the order of properties changes no byte', () => {
    const engine = { blockSize: 64, maxModelLen: 4096, enforceEager: true };
    const one = DynamoGraph.disaggregated(sampleChart(), 'g', {
      model: qwen,
      engine: Engine.vllm(engine),
      env: { A: '1', B: '2' },
    });
    const { blockSize, maxModelLen, enforceEager } = engine;
    const other = DynamoGraph.disaggregated(sampleChart(), 'g', {
      env: { B: '2', A: '1' },
      engine: Engine.vllm({ enforceEager, maxModelLen, blockSize }),
      model: qwen,
    });
    expect(Yaml.stringify(other.toJson())).toBe(Yaml.stringify(one.toJson()));
  });

  test('a plain cdk8s chart does as well', () => {
    const graph = DynamoGraph.aggregated(new Chart(new App(), 'plain'), 'g', { model: qwen, engine: vllm });
    expect(graph.toJson()['metadata']).toEqual({ name: 'g' });
  });
});

describe('sizing', () => {
  const shape = (engine: Engine, gpusPerNode = 8) => {
    const graph = DynamoGraph.aggregated(sampleChart(), 'g', { model: qwen, engine, worker: { gpusPerNode } });
    const { gpusPerPod, nodes } = graph.component('worker');
    return [gpusPerPod, nodes];
  };

  test.each([
    ['tensor parallelism', Engine.vllm({ parallel: { tensor: 4 } }), [4, 1]],
    ['tensor by pipeline by data', Engine.vllm({ parallel: { tensor: 2, pipeline: 2, data: 4 } }), [8, 2]],
    ['parallelism among further arguments', Engine.vllm({ extraArgs: ['-tp', '2'] }), [2, 1]],
    [
      'SGLang, whose data parallelism is inside tensor parallelism',
      Engine.sglang({ parallel: { tensor: 16, data: 16 } }),
      [8, 2],
    ],
    ['the configuration of TensorRT-LLM', Engine.trtllm({ config: { tensor_parallel_size: 32 } }), [8, 4]],
    ['the mocker', Engine.mocker(), [0, 1]],
  ])('GPUs and nodes follow from %s', (_, engine, expected) => {
    expect(shape(engine)).toEqual(expected);
  });

  test('a component may have smaller nodes than the platform', () => {
    expect(shape(Engine.vllm({ parallel: { tensor: 8 } }), 4)).toEqual([4, 2]);
  });

  test('GPUs that do not spread evenly are an error at synth', () => {
    const chart = sampleChart();
    DynamoGraph.aggregated(chart, 'g', {
      model: qwen,
      engine: Engine.vllm({ parallel: { tensor: 7 } }),
      worker: { gpusPerNode: 4 },
    });
    expect(() => chart.toJson()).toThrow(/DYN-GPU-001/);
    const graph = DynamoGraph.aggregated(sampleChart(), 'g', {
      model: qwen,
      engine: Engine.vllm({ parallel: { tensor: 3, pipeline: 3 } }),
    });
    expect(graph.findings.map((f) => [f.id, f.message])).toEqual([
      ['DYN-GPU-001', '9 GPUs cannot be spread evenly over nodes of 8; set gpusPerNode to a divisor of 9'],
    ]);
  });

  test('totals count replicas and nodes, and pack small pods together', () => {
    const graph = DynamoGraph.disaggregated(sampleChart(), 'g', {
      model: qwen,
      engine: Engine.vllm({ parallel: { tensor: 2 } }),
      prefill: { replicas: 6 },
      decode: { replicas: 2, engine: Engine.vllm({ parallel: { tensor: 16 } }) },
    });
    expect(graph.totalGpus).toBe(6 * 2 + 2 * 16);
    expect(graph.totalNodes).toBe(2 + 4);
    expect(graph.component('decode').pods).toBe(4);
  });

  test('a pod larger than a node is a warning', () => {
    const graph = DynamoGraph.aggregated(sampleChart({ platform: new Platform({ gpusPerNode: 4 }) }), 'g', {
      model: qwen,
      engine: Engine.vllm({ parallel: { tensor: 8 } }),
      worker: { gpusPerNode: 8, sharedMemory: Size.gibibytes(80) },
    });
    expect(graph.findings.map((f) => [f.id, f.severity])).toEqual([['DYN-GPU-006', 'warning']]);
  });
});

describe('routing', () => {
  test('by KV cache, the mode alone goes into the environment and workers publish', () => {
    const graph = DynamoGraph.disaggregated(sampleChart(), 'g', { model: qwen, engine: Engine.sglang(), router: Router.kv() });
    expect(env(graph, 'Frontend')).toEqual({ DYN_ROUTER_MODE: 'kv' });
    expect(service(graph, 'Frontend').extraPodSpec.mainContainer.args).toBeUndefined();
    expect(args(graph, 'prefill')).toContain('--kv-events-config');
    expect(args(graph, 'decode')).not.toContain('--kv-events-config');
  });

  test('with more to say everything is an argument and nothing is said twice', () => {
    const graph = DynamoGraph.aggregated(sampleChart(), 'g', {
      model: qwen,
      engine: vllm,
      router: Router.kv({ events: false, ttl: 60 }),
    });
    expect(args(graph, 'Frontend')).toEqual(['--router-mode', 'kv', '--no-kv-events', '--router-ttl', '60']);
    expect(env(graph, 'Frontend')).toEqual({});
    expect(args(graph, 'worker').slice(-2)).toEqual(['--kv-events-config', '{"enable_kv_cache_events": false}']);
  });

  test('in turn is the default and says nothing', () => {
    const graph = DynamoGraph.aggregated(sampleChart(), 'g', { model: qwen, engine: vllm, router: Router.roundRobin() });
    expect(service(graph, 'Frontend').extraPodSpec.mainContainer.command).toBeUndefined();
  });
});

describe('model cache', () => {
  test('one construct makes the claim, the download, the mounts and HF_HOME', () => {
    const chart = sampleChart();
    const cache = new ModelCache(chart, 'weights', {
      model: qwen,
      size: Size.gibibytes(10),
      storageClass: 'nfs',
      mountPath: '/models',
    });
    const graph = DynamoGraph.aggregated(chart, 'g', { model: qwen, engine: vllm, modelCache: cache });
    expect(objects(chart, 'PersistentVolumeClaim')[0]?.['spec']).toMatchObject({
      storageClassName: 'nfs',
      accessModes: ['ReadWriteMany'],
    });
    expect(objects(chart, 'Job')[0]?.['metadata'].name).toBe('weights-download');
    expect((graph.toJson() as { spec: object }).spec).toMatchObject({ pvcs: [{ name: 'weights', create: false, size: '0' }] });
    for (const name of ['Frontend', 'worker']) {
      expect(service(graph, name)['volumeMounts']).toEqual([
        { name: 'weights', mountPoint: '/models', useAsCompilationCache: false },
      ]);
      expect(env(graph, name)['HF_HOME']).toBe('/models');
    }
  });

  test('a model given by path is downloaded into that path and needs no HF_HOME', () => {
    const chart = sampleChart();
    const model = Model.path('/models/r1', { servedName: 'deepseek-ai/DeepSeek-R1' });
    const modelCache = new ModelCache(chart, 'weights', { model, size: Size.gibibytes(10), mountPath: '/models' });
    const graph = DynamoGraph.aggregated(chart, 'g', { model, engine: vllm, modelCache });
    expect(JSON.stringify(objects(chart, 'Job'))).toContain('--local-dir \\"/models/r1\\"');
    expect(env(graph, 'worker')).toEqual({});
    expect(args(graph, 'worker')).toEqual(['--model', '/models/r1', '--served-model-name', 'deepseek-ai/DeepSeek-R1']);
  });

  test('rejects a download to a path outside the claim', () => {
    const model = Model.path('/elsewhere/r1', { servedName: 'r1' });
    const make = () => new ModelCache(sampleChart(), 'weights', { model, size: Size.gibibytes(10), mountPath: '/models' });
    expect(make).toThrow('model path /elsewhere/r1 must lie below the cache');
  });

  test('an existing claim of cdk8s-plus is mounted, compiled kernels only where asked for', () => {
    const chart = sampleChart();
    const claim = kplus.PersistentVolumeClaim.fromClaimName(chart, 'claim', 'shared');
    const modelCache = ModelCache.fromClaim(chart, 'cache', claim, { compilationClaimName: 'kernels' });
    const graph = DynamoGraph.disaggregated(chart, 'g', {
      model: qwen,
      engine: vllm,
      modelCache,
      decode: { compilationCache: true },
    });
    expect((service(graph, 'prefill')['volumeMounts'] as unknown[]).length).toBe(1);
    expect(service(graph, 'decode')['volumeMounts']).toContainEqual({
      name: 'kernels',
      mountPoint: '/home/dynamo/.cache/vllm',
      useAsCompilationCache: true,
    });
    expect(objects(chart, 'PersistentVolumeClaim')).toEqual([]);
  });
});

test('rejects compiled kernels without a claim to keep them on', () => {
  const make = () =>
    DynamoGraph.aggregated(sampleChart(), 'g', { model: qwen, engine: vllm, worker: { compilationCache: true } });
  expect(make).toThrow('worker worker of graph g has no claim for compiled kernels');
});

describe('engines', () => {
  test('a variant keeps every other option', () => {
    const base = Engine.vllm({ blockSize: 64, connector: KvConnector.nixl() });
    expect(base.with({ maxModelLen: 1000 }).options).toMatchObject({
      blockSize: 64,
      maxModelLen: 1000,
      connector: base.options.connector,
    });
    const config = Engine.trtllm({ config: { max_seq_len: 1, max_num_tokens: 2 } });
    expect(config.with({ config: { max_num_tokens: 3 } }).options.config).toEqual({ max_seq_len: 1, max_num_tokens: 3 });
    expect(config.with({ configFile: '/x.yaml' }).options.config).toBeUndefined();
  });

  test('numbers keep their spelling where it is given as text', () => {
    const graph = DynamoGraph.aggregated(sampleChart(), 'g', {
      model: qwen,
      engine: Engine.vllm({ gpuMemoryUtilization: '0.90' }),
    });
    expect(args(graph, 'worker').slice(-1)).toEqual(['0.90']);
  });

  test('the configuration of TensorRT-LLM travels in a ConfigMap, nulls included, and a change rolls the pods', () => {
    const build = (tokens: number) => {
      const chart = sampleChart();
      const engine = Engine.trtllm({ config: { max_num_tokens: tokens, cuda_graph_config: null } });
      return { chart, graph: DynamoGraph.aggregated(chart, 'g', { model: qwen, engine }) };
    };
    const { chart, graph } = build(1);
    expect(objects(chart, 'ConfigMap')[0]).toMatchObject({
      metadata: { name: 'g-worker-config' },
      data: { 'engine.yaml': 'cuda_graph_config: null\nmax_num_tokens: 1\n' },
    });
    expect(args(graph, 'worker')).toContain('/opt/dynamo/configs/engine.yaml');
    expect(service(graph, 'worker')['extraPodMetadata']).not.toEqual(service(build(2).graph, 'worker')['extraPodMetadata']);
  });

  test('KVBM sets the connector and its memory', () => {
    const connector = KvConnector.multi(KvConnector.kvbm({ cpu: Size.gibibytes(100) }), KvConnector.nixl());
    const graph = DynamoGraph.aggregated(sampleChart(), 'g', { model: qwen, engine: Engine.vllm({ connector }) });
    expect(args(graph, 'worker').slice(-3)).toEqual(['--connector', 'kvbm', 'nixl']);
    expect(env(graph, 'worker')).toEqual({ DYN_KVBM_CPU_CACHE_GB: '100' });
  });

  test('LoRA turns the connector off, opens the store and names the base model on both sides', () => {
    const chart = sampleChart();
    const credentials = kplus.Secret.fromSecretName(chart, 'minio', 'minio-secret');
    const lora = {
      maxRank: 64,
      store: LoraStore.s3({ bucket: 'b', endpoint: 'http://minio:9000', allowHttp: true, credentials }),
    };
    const graph = DynamoGraph.aggregated(chart, 'g', { model: qwen, engine: Engine.vllm({ lora }) });
    graph.addLora('mine', { modelName: 'mine', uri: 's3://b/mine' });
    expect(args(graph, 'worker')).toEqual([
      '--model',
      qwen.source,
      '--connector',
      'none',
      '--enable-lora',
      '--max-lora-rank',
      '64',
    ]);
    expect(service(graph, 'worker')['modelRef']).toEqual({ name: qwen.source });
    expect(service(graph, 'worker').envs).toContainEqual({
      name: 'AWS_ACCESS_KEY_ID',
      valueFrom: { secretKeyRef: { name: 'minio-secret', key: 'AWS_ACCESS_KEY_ID' } },
    });
    expect(objects(chart, 'DynamoModel')[0]?.['spec']).toMatchObject({
      baseModelName: qwen.source,
      modelType: 'lora',
      source: { uri: 's3://b/mine' },
    });
  });

  test('a shell prologue starts the engine through a shell, quoted', () => {
    const graph = DynamoGraph.aggregated(sampleChart(), 'g', {
      model: qwen,
      engine: Engine.vllm({ hfOverrides: { a: "it's" } }),
      worker: { shell: ['/sbin/ldconfig'] },
    });
    expect(service(graph, 'worker').extraPodSpec.mainContainer.command).toEqual(['/bin/sh', '-c']);
    expect(args(graph, 'worker')).toEqual([
      `/sbin/ldconfig\nexec python3 -m dynamo.vllm --model Qwen/Qwen3-0.6B --hf-overrides '{"a":"it'\\''s"}'`,
    ]);
  });

  test('arguments that need quotes survive several nodes', () => {
    const build = (engine: Engine) => DynamoGraph.aggregated(sampleChart(), 'g', { model: qwen, engine });
    const ray = build(Engine.vllm({ parallel: { tensor: 16 }, hfOverrides: { a: 1 } }));
    expect(args(ray, 'worker').slice(-1)).toEqual([`'{"a":1}'`]);
    const data = build(Engine.vllm({ parallel: { data: 16 }, hfOverrides: { a: 1 } }));
    expect(service(data, 'worker').extraPodSpec.mainContainer.command).toEqual(['/bin/sh', '-c']);
  });
});

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

describe('requests', () => {
  const sla = { isl: 3000, osl: 150, ttft: Duration.millis(500), itl: Duration.millis(30) };

  test('a request always says whether its result is deployed', () => {
    const chart = sampleChart();
    new DynamoGraphRequest(chart, 'r', {
      model: qwen,
      backend: 'trtllm',
      sla,
      search: Search.aiConfigurator({ system: 'h200_sxm' }),
    });
    expect(objects(chart, 'DynamoGraphDeploymentRequest')[0]?.['spec']).toMatchObject({
      autoApply: false,
      profilingConfig: { config: { sweep: { useAiConfigurator: true, aicSystem: 'h200_sxm' }, sla: { ttft: 500 } } },
    });
  });

  test('the graph to start from becomes the ConfigMap the request names', () => {
    const chart = sampleChart();
    const base = DynamoGraph.disaggregated(chart, 'base', { model: qwen, engine: vllm });
    new DynamoGraphRequest(chart, 'r', { model: qwen, backend: 'vllm', sla, base });
    const [map] = objects(chart, 'ConfigMap');
    expect(map?.['data']['disagg.yaml']).toContain('kind: DynamoGraphDeployment');
    expect(objects(chart, 'DynamoGraphDeploymentRequest')[0]?.['spec'].profilingConfig.configMapRef).toEqual({
      name: 'r-base',
      key: 'disagg.yaml',
    });
  });
});

describe('everything else stays reachable', () => {
  const build = () => {
    const chart = sampleChart();
    return { chart, graph: DynamoGraph.aggregated(chart, 'g', { model: qwen, engine: vllm }) };
  };

  test('by fields of the API, by patches of a component, by patches of cdk8s', () => {
    const chart = sampleChart();
    const graph = DynamoGraph.aggregated(chart, 'g', {
      model: qwen,
      engine: vllm,
      frontend: {
        spec: { ingress: { enabled: true, host: 'llm' } },
        pod: { schedulerName: 'kai' },
        container: { imagePullPolicy: 'Always' },
      },
    });
    graph.component('Frontend').addPatch(JsonPatch.add('/ingress/ingressControllerClassName', 'nginx'));
    graph.addPatch(JsonPatch.add('/metadata/annotations', { team: 'a' }));
    ApiObject.of(graph).addJsonPatch(JsonPatch.replace('/spec/services/Frontend/replicas', 2));
    expect(service(graph, 'Frontend')).toMatchObject({
      replicas: 2,
      ingress: { enabled: true, host: 'llm', ingressControllerClassName: 'nginx' },
      extraPodSpec: { schedulerName: 'kai', mainContainer: { imagePullPolicy: 'Always' } },
    });
    expect(graph.toJson()['metadata']).toMatchObject({ annotations: { team: 'a' } });
  });

  test('a patch changes no object of the author', () => {
    const { graph } = build();
    const ingress = { enabled: true, host: 'llm' };
    const custom = graph.addComponent('Extra', { type: 'default', spec: { ingress } });
    custom.addPatch(JsonPatch.replace('/ingress/host', 'other'));
    expect(service(graph, 'Extra')['ingress']).toEqual({ enabled: true, host: 'other' });
    expect(ingress.host).toBe('llm');
  });

  test('a field nobody models passes through a graph kept as YAML', () => {
    const chart = sampleChart({ namespace: undefined });
    const text = `
apiVersion: nvidia.com/v1alpha1
kind: DynamoGraphDeployment
metadata: { name: legacy, labels: { a: b } }
spec:
  services:
    Frontend:
      componentType: frontend
      replicas: 1
      extraPodSpec: { hostUsers: false, mainContainer: { image: 'a:1', resizePolicy: [{ resourceName: cpu, restartPolicy: NotRequired }] } }
---
apiVersion: v1
kind: Secret
metadata: { name: s }
`;
    const graph = DynamoGraph.fromYaml(chart, 'legacy', text);
    expect(service(graph, 'Frontend').extraPodSpec).toEqual({
      hostUsers: false,
      mainContainer: { image: 'a:1', resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }] },
    });
    expect(graph.toJson()['metadata']).toEqual({ name: 'legacy', labels: { a: 'b' } });
    expect(objects(chart, 'Secret').length).toBe(1);
  });

  test('rejects YAML without a graph, and files that do not exist', () => {
    expect(() => DynamoGraph.fromYaml(sampleChart(), 'g', 'a: 1\nb: 2\n')).toThrow(
      'must hold one DynamoGraphDeployment, found 0',
    );
    expect(() => DynamoGraph.fromYaml(sampleChart(), 'g', 'nowhere.yaml')).toThrow('there is no such file');
  });
});

describe('findings', () => {
  test('what the API server refuses fails the synth with its path', () => {
    const chart = sampleChart();
    DynamoGraph.aggregated(chart, 'g', { model: qwen, engine: vllm, worker: { replicas: -1 } });
    expect(() => chart.toJson()).toThrow(/\[chart\/g\].*spec\.services\.worker\.replicas/);
  });

  test('what admission refuses fails the synth', () => {
    const chart = sampleChart();
    new DynamoGraph(chart, 'g');
    expect(() => chart.toJson()).toThrow(/must have at least one service/);
  });

  test('an error of lint fails the synth until it is suppressed with a reason', () => {
    const chart = sampleChart();
    const graph = DynamoGraph.aggregated(chart, 'g', {
      model: qwen,
      engine: vllm,
      worker: { image: 'mine/vllm-runtime:latest' },
    });
    expect(() => chart.toJson()).toThrow(/DYN-VER-001/);
    expect(() => graph.suppress('DYN-VER-001', ' ')).toThrow('needs a reason');
    graph.suppress('DYN-VER-001', 'a nightly build under test');
    expect(chart.toJson().length).toBe(1);
  });

  test('a tag that the platform says once is the author’s decision, and only worth a warning', () => {
    const chart = sampleChart({ platform: new Platform({ tag: 'latest' }) });
    const graph = DynamoGraph.aggregated(chart, 'g', { model: qwen, engine: vllm });
    expect(new Set(graph.findings.map((f) => `${f.severity} ${f.id}`))).toEqual(new Set(['warning DYN-VER-001']));
    expect(chart.toJson().length).toBe(1);
  });

  test('warnings fail the synth of a strict chart only', () => {
    const build = (warnings: 'fail' | 'ignore') => {
      const chart = sampleChart({ warnings });
      DynamoGraph.aggregated(chart, 'g', {
        model: qwen,
        engine: Engine.vllm({ parallel: { tensor: 2 } }),
        worker: { sharedMemory: false },
      });
      return chart;
    };
    expect(() => build('fail').toJson()).toThrow(/DYN-MEM-002/);
    expect(build('ignore').toJson().length).toBe(1);
  });

  test('a worker without a frontend is an error unless the author says so', () => {
    const ids = (frontend: boolean) => {
      const graph = new DynamoGraph(sampleChart(), 'g', { model: qwen, engine: vllm, frontend });
      graph.addWorker('worker');
      return graph.findings.map((f) => f.id);
    };
    expect(ids(true)).toEqual(['DYN-ROLE-006']);
    expect(ids(false)).toEqual([]);
  });

  test('a public model needs no token, and says so by leaving it out', () => {
    const graph = DynamoGraph.aggregated(sampleChart(), 'g', {
      model: Model.huggingFace('Qwen/Qwen3-0.6B', { token: false }),
      engine: vllm,
    });
    expect(service(graph, 'worker')['envFromSecret']).toBeUndefined();
    expect(graph.findings).toEqual([]);
  });
});

describe('mistakes are told at once', () => {
  test('rejects an unknown component, a worker without model or engine, a namespace nobody gave', () => {
    const graph = new DynamoGraph(sampleChart({ namespace: undefined }), 'g');
    expect(() => graph.component('decode')).toThrow('graph g has no component decode; it has none');
    expect(() => graph.addWorker('w')).toThrow('worker w of graph g has no engine; give it or the graph one');
    expect(() => graph.addWorker('w', { engine: vllm })).toThrow('worker w of graph g has no model; give it or the graph one');
    expect(() => graph.frontend).toThrow('graph g has no frontend');
    expect(() => graph.dynamoNamespace).toThrow('give its chart one');
  });

  test('names the operator makes are known before it makes them', () => {
    const graph = DynamoGraph.aggregated(sampleChart(), 'g', { model: qwen, engine: vllm });
    expect([graph.dynamoNamespace, graph.frontend.serviceName, graph.component('worker').scalingAdapterName]).toEqual([
      'llm-g',
      'g-frontend',
      'g-worker',
    ]);
  });
});
