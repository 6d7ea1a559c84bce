import { ApiObject } from 'cdk8s';
import { ConfigMap, EnvValue, Secret, Volume } from 'cdk8s-plus-28';
import { DynamoGraph, Engine, Model, type DynamoChart } from '../../lib/graph/index.ts';

/** A global router in front of two prefill pools and one decode pool, each a graph of its own with a local router. */
export const hierarchicalVllm2p1d = (chart: DynamoChart) => {
  const model = Model.huggingFace('Qwen/Qwen3-0.6B');
  const env = {
    HF_TOKEN: EnvValue.fromSecretValue({ secret: Secret.fromSecretName(chart, 'token', 'hf-token-secret'), key: 'HF_TOKEN' }),
  };
  const engine = Engine.vllm({ parallel: { tensor: 1 }, gpuMemoryUtilization: '0.90', blockSize: 16, workingDir: '/workspace' });
  const pool = (role: 'prefill' | 'decode', index: number, ...routerArgs: readonly string[]) => {
    const graph = new DynamoGraph(chart, `${role}-pool-${index}`, { model, engine, env, frontend: false });
    if (role === 'prefill') graph.addPrefill('VllmPrefillWorker');
    else graph.addDecode('VllmDecodeWorker');
    const endpoint = `${graph.dynamoNamespace}.${role === 'prefill' ? 'prefill' : 'backend'}.generate`;
    graph.addComponent('LocalRouter', {
      type: 'default',
      module: 'dynamo.router',
      extraArgs: ['--endpoint', endpoint, '--block-size', String(engine.blockSize), ...routerArgs],
      workingDir: '/workspace',
    });
    return graph.dynamoNamespace;
  };
  const config = {
    num_prefill_pools: 2,
    num_decode_pools: 1,
    prefill_pool_dynamo_namespaces: [
      pool('prefill', 0, '--no-track-active-blocks'),
      pool('prefill', 1, '--no-track-active-blocks'),
    ],
    decode_pool_dynamo_namespaces: [pool('decode', 0, '--kv-overlap-score-weight', '0')],
    prefill_pool_selection_strategy: {
      ttft_min: 10,
      ttft_max: 1000,
      ttft_resolution: 2,
      isl_min: 0,
      isl_max: 32000,
      isl_resolution: 2,
      prefill_pool_mapping: [
        [0, 1],
        [0, 1],
      ],
    },
    decode_pool_selection_strategy: {
      itl_min: 10,
      itl_max: 100,
      itl_resolution: 2,
      context_length_min: 0,
      context_length_max: 32000,
      context_length_resolution: 2,
      decode_pool_mapping: [
        [0, 0],
        [0, 0],
      ],
    },
  };
  const name = 'hierarchical-global-router-config';
  new ApiObject(chart, name, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data: { 'global_router_config.json': JSON.stringify(config, null, 2) },
  });
  const volume = Volume.fromConfigMap(chart, 'volume', ConfigMap.fromConfigMapName(chart, 'config', name), {
    name: 'global-router-config',
  });

  const front = new DynamoGraph(chart, 'hierarchical-frontend', { model, env });
  const where = ['--namespace', front.dynamoNamespace];
  front.addFrontend({ workingDir: '/workspace', extraArgs: where });
  front.addComponent('GlobalRouter', {
    type: 'default',
    module: 'dynamo.global_router',
    workingDir: '/workspace',
    mounts: [{ path: '/workspace/config', volume, readOnly: true }],
    extraArgs: [
      '--config',
      '/workspace/config/global_router_config.json',
      '--model-name',
      model.servedName,
      '--default-ttft-target',
      '100',
      '--default-itl-target',
      '10',
      ...where,
    ],
  });
};
