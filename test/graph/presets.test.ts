import { App, Chart, Yaml } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { DynamoGraph, Engine, Router } from '../../lib/graph/index.ts';
import { args, env, qwen, sampleChart, service, vllm } from './sample-chart.ts';

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

  test('container fields of both roles stay when a role sets others, and arguments go with their command', () => {
    const securityContext = { runAsUser: 1000 };
    const graph = DynamoGraph.disaggregated(sampleChart(), 'g', {
      model: qwen,
      engine: vllm,
      workers: { container: { securityContext, command: ['run'], args: ['both'] } },
      prefill: { container: { tty: true } },
      decode: { container: { command: ['decode'] } },
    });
    const container = (name: string) => service(graph, name).extraPodSpec.mainContainer;
    expect(container('prefill')).toMatchObject({ securityContext, tty: true, command: ['run'], args: ['both'] });
    expect(container('decode')).toMatchObject({ securityContext, command: ['decode'] });
    expect(args(graph, 'decode')).not.toContain('both');
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
