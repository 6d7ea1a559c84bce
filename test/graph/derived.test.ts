// What follows from what an author says: settings that several components or several files must share.
import { Size } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { DynamoGraph, Engine, KvConnector, Model, ModelCache, Placement, Router, Scaler } from '../../lib/graph/index.ts';
import { args, env, objects, qwen, sampleChart, service, vllm } from './sample-chart.ts';

const pinned = Model.huggingFace('Qwen/Qwen3-0.6B', { revision: 'abc123' });
const configs = (chart: ReturnType<typeof sampleChart>) =>
  Object.fromEntries(objects(chart, 'ConfigMap').map((o) => [o['metadata'].name, parse(o['data']['engine.yaml'])]));

describe('a revision', () => {
  test.each([
    ['vllm', Engine.vllm()],
    ['sglang', Engine.sglang()],
  ])('is a flag of %s', (_, engine) => {
    const graph = DynamoGraph.aggregated(sampleChart(), 'g', { model: pinned, engine });
    expect(args(graph, 'worker').join(' ')).toContain('--revision abc123');
  });

  test('is part of the configuration of TensorRT-LLM', () => {
    const chart = sampleChart();
    DynamoGraph.aggregated(chart, 'g', { model: pinned, engine: Engine.trtllm() });
    expect(configs(chart)).toEqual({ 'g-worker-config': { revision: 'abc123' } });
  });

  test.each([
    ['{"max_seq_len":8}', '{"revision":"v1","max_seq_len":8}'],
    ['[1]', '[1]'],
    ['{max_seq_len', '{max_seq_len'],
  ])('adds the revision to overrides given as a string: %s', (overrides, expected) => {
    const engine = Engine.trtllm({ configFile: '/engine.yaml', overrides });
    const model = Model.huggingFace('a/b', { revision: 'v1' });
    const args = engine.args({ model, role: 'aggregated', events: undefined, configPath: undefined });
    expect(args[args.indexOf('--override-engine-args') + 1]).toBe(expected);
  });

  test('overrides a configuration file that nobody can add to', () => {
    const engine = Engine.trtllm({ configFile: '/engine.yaml', overrides: { max_seq_len: 8 } });
    const graph = DynamoGraph.aggregated(sampleChart(), 'g', { model: pinned, engine });
    expect(args(graph, 'worker')).toContain('{"revision":"abc123","max_seq_len":8}');
  });
});

describe('TensorRT-LLM, disaggregated', () => {
  test('gets a transceiver on both sides, and no overlap of scheduling on the prefill side', () => {
    const chart = sampleChart();
    const engine = Engine.trtllm({ parallel: { tensor: 1 } });
    const graph = DynamoGraph.disaggregated(chart, 'g', { model: qwen, engine });
    expect(configs(chart)).toEqual({
      'g-prefill-config': { cache_transceiver_config: { backend: 'DEFAULT' }, disable_overlap_scheduler: true },
      'g-decode-config': { cache_transceiver_config: { backend: 'DEFAULT' } },
    });
    expect(args(graph, 'prefill').join(' ')).toContain('--extra-engine-args /opt/dynamo/configs/engine.yaml');
    expect(graph.findings).toEqual([]);
  });

  test('keeps what the author says, and calls it an error where it cannot work', () => {
    const engine = Engine.trtllm({ config: { disable_overlap_scheduler: false, cache_transceiver_config: { backend: 'UCX' } } });
    const graph = DynamoGraph.disaggregated(sampleChart(), 'g', { model: qwen, engine });
    expect(graph.findings.map((f) => [f.id, f.severity, f.path.split('.')[2]])).toEqual([['DYN-ROLE-008', 'error', 'prefill']]);
  });
});

describe('KV connectors', () => {
  const joined = (connector: KvConnector) =>
    DynamoGraph.disaggregated(sampleChart(), 'g', { model: qwen, engine: Engine.vllm({ connector }) });

  test('LMCache has sizes', () => {
    const connector = KvConnector.lmcache({
      cpu: Size.gibibytes(20),
      disk: { path: '/cache', size: Size.gibibytes(100) },
      chunkSize: 512,
    });
    const graph = DynamoGraph.aggregated(sampleChart(), 'g', { model: qwen, engine: Engine.vllm({ connector }) });
    expect(env(graph, 'worker')).toEqual({
      LMCACHE_CHUNK_SIZE: '512',
      LMCACHE_LOCAL_CPU: 'True',
      LMCACHE_LOCAL_DISK: 'file:///cache',
      LMCACHE_MAX_LOCAL_CPU_SIZE: '20',
      LMCACHE_MAX_LOCAL_DISK_SIZE: '100',
    });
  });

  test('fails between prefill and decode without NIXL, on each worker that lacks it', () => {
    expect(joined(KvConnector.lmcache()).findings.map((f) => [f.id, f.severity])).toEqual([
      ['DYN-ROLE-004', 'error'],
      ['DYN-ROLE-004', 'error'],
    ]);
    expect(joined(KvConnector.multi(KvConnector.lmcache(), KvConnector.nixl())).findings).toEqual([]);
  });
});

describe('placements', () => {
  test('combine, also with what the pod says itself', () => {
    const graph = DynamoGraph.aggregated(sampleChart(), 'g', {
      model: qwen,
      engine: vllm,
      worker: {
        placement: Placement.gpuNodes().and(
          Placement.gpuProducts('H100'),
          Placement.besideWorkers(),
          Placement.tolerateGpuTaint(),
        ),
        pod: {
          tolerations: [{ key: 'team', operator: 'Exists' }],
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }],
              },
            },
            podAffinity: {
              preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { topologyKey: 'rack' } }],
            },
          },
        },
      },
    });
    const pod = service(graph, 'worker').extraPodSpec as unknown as {
      tolerations: { key: string }[];
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: { matchExpressions: { key: string }[] }[] };
        };
        podAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: { podAffinityTerm: { topologyKey: string } }[];
        };
      };
    };
    expect(pod.tolerations.map((t) => t.key)).toEqual(['nvidia.com/gpu', 'team']);
    const [term, ...more] = pod.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms;
    expect(more).toEqual([]);
    expect(term?.matchExpressions.map((e) => e.key)).toEqual(['zone', 'nvidia.com/gpu.present', 'nvidia.com/gpu.product']);
    const { preferredDuringSchedulingIgnoredDuringExecution: preferred, ...required } = pod.affinity.podAffinity;
    expect(required).toEqual({});
    expect(preferred.map((p) => p.podAffinityTerm.topologyKey)).toEqual(['rack', 'kubernetes.io/hostname']);
  });
});

describe('HF_HOME', () => {
  test.each([
    ['a repository', qwen, '/models'],
    ['a path', Model.path('/models/x', { servedName: 'x' }), undefined],
  ])('of an existing claim names the mount for a model given as %s', (_, model, home) => {
    const chart = sampleChart();
    const modelCache = ModelCache.fromClaimName(chart, 'cache', 'models', { mountPath: '/models' });
    const graph = DynamoGraph.aggregated(chart, 'g', { model, engine: vllm, modelCache });
    expect([env(graph, 'worker')['HF_HOME'], env(graph, 'Frontend')['HF_HOME']]).toEqual([home, home]);
  });
});

describe('replicas', () => {
  test('of workers that a planner scales are left out unless they are given', () => {
    const graph = DynamoGraph.disaggregated(sampleChart(), 'g', {
      model: qwen,
      engine: vllm,
      planner: {},
      decode: { replicas: 2 },
    });
    expect(['Frontend', 'Planner', 'prefill', 'decode'].map((name) => service(graph, name)['replicas'])).toEqual([
      1,
      1,
      undefined,
      2,
    ]);
    expect(DynamoGraph.disaggregated(sampleChart(), 'g', { model: qwen, engine: vllm, planner: {} }).findings).toEqual([]);
  });
});

describe('shared memory', () => {
  const size = (gpus: number, memory?: Size) => {
    const engine = Engine.vllm({ parallel: { tensor: gpus } });
    const graph = DynamoGraph.aggregated(sampleChart(), 'g', { model: qwen, engine, worker: { ...(memory && { memory }) } });
    expect(graph.findings).toEqual([]);
    return service(graph, 'worker')['sharedMemory'];
  };

  test('grows with the GPUs of a pod and stays within its memory', () => {
    expect([size(1), size(4), size(8, Size.gibibytes(64))]).toEqual([undefined, { size: '40Gi' }, { size: '32Gi' }]);
  });
});

describe('an ingress and a restart', () => {
  test('are written as the API spells them', () => {
    const graph = DynamoGraph.aggregated(sampleChart(), 'g', {
      model: qwen,
      engine: vllm,
      restart: { id: '2026-02-01', strategy: { type: 'Parallel' } },
      frontend: { ingress: { host: 'chat', domain: 'example.com', className: 'nginx', tlsSecret: { name: 'tls' } } },
    });
    expect(service(graph, 'Frontend')['ingress']).toEqual({
      enabled: true,
      host: 'chat',
      hostSuffix: 'example.com',
      ingressControllerClassName: 'nginx',
      tls: { secretName: 'tls' },
    });
    expect(graph.toJson()['spec']).toMatchObject({ restart: { id: '2026-02-01', strategy: { type: 'Parallel' } } });
  });
});

describe('counts that only synth can see', () => {
  test.each([-1, 1.5, 0, Number.NaN])('are refused: %s', (tensor) => {
    const chart = sampleChart();
    DynamoGraph.aggregated(chart, 'g', { model: qwen, engine: Engine.vllm({ parallel: { tensor } }) });
    expect(() => chart.toJson()).toThrow(`parallel.tensor must be a whole number of 1 or more, got ${tensor}`);
  });

  test.each([
    ['gpus', { gpus: 1.5 }],
    ['gpusPerNode', { gpusPerNode: -1 }],
  ])('are refused: %s', (name, worker) => {
    const chart = sampleChart();
    DynamoGraph.aggregated(chart, 'g', { model: qwen, engine: vllm, worker });
    expect(() => chart.toJson()).toThrow(`${name} must be a whole number of 1 or more`);
  });
});

describe('no preset has a finding that its author cannot remove', () => {
  const engines = {
    vllm: Engine.vllm({ parallel: { tensor: 2 } }),
    'vLLM over nodes': Engine.vllm({ parallel: { tensor: 16 } }),
    'data-parallel vLLM over nodes': Engine.vllm({ parallel: { data: 16 } }),
    KVBM: Engine.vllm({
      connector: KvConnector.multi(KvConnector.kvbm({ cpu: Size.gibibytes(20) }), KvConnector.nixl()),
    }),
    sglang: Engine.sglang({ parallel: { tensor: 2 } }),
    'SGLang over nodes': Engine.sglang({ parallel: { tensor: 16 } }),
    trtllm: Engine.trtllm({ parallel: { tensor: 2 } }),
    'configured TensorRT-LLM over nodes': Engine.trtllm({ config: { tensor_parallel_size: 16 } }),
    mocker: Engine.mocker(),
  };
  const routers = [undefined, Router.kv(), Router.kv({ events: false }), Router.roundRobin({ resetStates: true })];
  const build = (engine: Engine, router: Router | undefined) => {
    const common = { model: qwen, engine, ...(router && { router }) };
    const scaled = DynamoGraph.aggregated(sampleChart(), 'scaled', common);
    scaled.component('worker').autoscale(Scaler.keda({ metric: 'ttft-p95', threshold: 1, min: 1, max: 3 }));
    return [
      scaled,
      DynamoGraph.aggregated(sampleChart(), 'agg', common),
      DynamoGraph.aggregated(sampleChart(), 'picked', { ...common, epp: {} }),
      DynamoGraph.aggregated(sampleChart(), 'outside', { ...common, frontend: { ingress: { host: 'a', className: 'nginx' } } }),
      DynamoGraph.disaggregated(sampleChart(), 'disagg', common),
      DynamoGraph.disaggregated(sampleChart(), 'planned', { ...common, planner: {} }),
    ];
  };

  test.each(Object.entries(engines))('of %s', (_, engine) => {
    for (const router of routers)
      for (const graph of build(engine, router)) expect(graph.findings, `${graph.name} ${router?.mode}`).toEqual([]);
  });
});
