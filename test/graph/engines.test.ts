import { Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { describe, expect, test } from 'vitest';
import { DynamoGraph, Engine, KvConnector, LoraStore } from '../../lib/graph/index.ts';
import { args, env, objects, qwen, sampleChart, service } from './sample-chart.ts';

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
