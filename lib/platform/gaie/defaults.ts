import type { JsonObject } from '../../json/index.ts';

/** Values of the chart `dynamo-gaie`. */
export const defaults: JsonObject = {
  dynamoGraphDeploymentName: 'vllm-agg',
  model: { identifier: 'Qwen/Qwen3-0.6B', shortName: 'qwen' },
  inferencePool: { port: 8000 },
  httpRoute: {
    enabled: true,
    gatewayName: 'inference-gateway',
    gatewayNamespace: '',
    path: { prefix: '/' },
    timeout: { request: '300s' },
  },
  extension: { image: '' },
  imagePullSecrets: ['docker-imagepullsecret'],
  epp: {
    imagePullPolicy: 'IfNotPresent',
    extraEnv: [],
    argsOverride: [],
    useDynamo: true,
    configFile: '/etc/epp/epp-config-dynamo.yaml',
    dynamo: { kvBlockSize: '16', useEtcd: false },
  },
  platformReleaseName: 'dynamo-platform',
  platformNamespace: 'my-model',
};
