import { Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { describe, expect, test } from 'vitest';
import { DynamoGraph, Model, ModelCache } from '../../lib/graph/index.ts';
import { args, env, objects, qwen, sampleChart, service, vllm } from './sample-chart.ts';

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
    expect(make).toThrow('model path /elsewhere/r1 must be below the cache');
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
