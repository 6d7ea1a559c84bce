import type { Json } from '../../lib/json/index.ts';

const meta = { name: 'g', namespace: 'models', labels: { team: 'a' }, annotations: { 'example.com/note': 'b' } };

/** A graph with most of what a graph can have. */
export const graph: Json = {
  apiVersion: 'nvidia.com/v1alpha1',
  kind: 'DynamoGraphDeployment',
  metadata: meta,
  spec: {
    backendFramework: 'vllm',
    envs: [{ name: 'A', value: '1' }],
    pvcs: [{ name: 'cache', create: true, size: '10Gi', storageClass: 'fast', volumeAccessMode: 'ReadWriteMany' }],
    services: {
      Frontend: {
        componentType: 'frontend',
        replicas: 1,
        ingress: { enabled: true, host: 'example', ingressControllerClassName: 'nginx' },
        extraPodSpec: { mainContainer: { image: 'example.com/vllm:1' } },
      },
      Worker: {
        componentType: 'worker',
        subComponentType: 'decode',
        envFromSecret: 'token',
        resources: { requests: { cpu: '2', memory: '8Gi' }, limits: { gpu: '1', custom: { 'example.com/nic': '1' } } },
        volumeMounts: [{ name: 'cache', mountPoint: '/cache' }],
        labels: { a: 'b' },
        annotations: { c: 'd' },
        sharedMemory: { size: '1Gi' },
        extraPodMetadata: { labels: { e: 'f' } },
        extraPodSpec: {
          nodeSelector: { zone: 'a' },
          tolerations: [{ key: 'gpu', operator: 'Equal', value: 'yes', effect: 'NoSchedule' }],
          mainContainer: {
            image: 'example.com/vllm:1',
            command: ['python3', '-m', 'dynamo.vllm'],
            args: ['--model', 'Qwen/Qwen3-0.6B', '--kv-transfer-config', '{"kv_connector":"NixlConnector"}'],
            env: [{ name: 'B', value: '2' }],
          },
        },
      },
    },
  },
};

/** Other resources of Dynamo, and objects that may stand beside graphs. */
export const others: readonly Json[] = [
  {
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoComponentDeployment',
    metadata: { ...meta, name: 'c' },
    spec: { backendFramework: 'vllm', componentType: 'worker', extraPodSpec: { mainContainer: { image: 'example.com/a:1' } } },
  },
  {
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeploymentRequest',
    metadata: { ...meta, name: 'r' },
    spec: {
      model: 'Qwen/Qwen3-0.6B',
      backend: 'vllm',
      profilingConfig: { profilerImage: 'example.com/p:1', config: { sla: { ttft: 200 } } },
    },
  },
  {
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoModel',
    metadata: { ...meta, name: 'm' },
    spec: { modelName: 'Qwen/Qwen3-0.6B', baseModelName: 'Qwen/Qwen3-0.6B', modelType: 'base' },
  },
  {
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeploymentScalingAdapter',
    metadata: { ...meta, name: 'g-worker' },
    spec: { replicas: 1, dgdRef: { name: 'g', serviceName: 'Worker' } },
  },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data: { a: 'b\nc' } },
];

/** A node of a cluster. */
export const node: Json = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n', labels: { zone: 'a' } },
  spec: { taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] },
  status: { allocatable: { cpu: '64', memory: '512Gi', pods: '110', 'nvidia.com/gpu': '8' } },
};

/** Values of the platform with strings in most places that take them. */
export const values: Json = {
  global: { imageRegistry: 'registry.example.com' },
  'dynamo-operator': {
    natsAddr: 'nats://nats:4222',
    controllerManager: { manager: { image: { repository: 'example.com/op', tag: '1' } }, nodeSelector: { a: 'b' } },
    imagePullSecrets: [{ name: 'pull' }],
    webhook: { failurePolicy: 'Fail', namespaceSelector: { matchLabels: { a: 'b' } } },
  },
  nats: {
    config: {
      jetstream: {
        fileStore: { dir: '/data', pvc: { size: '10Gi', storageClassName: 'fast' } },
        memoryStore: { maxSize: '1Gi' },
      },
      merge: { a: 'b', max_payload: '<< 8MB >>', include$include: 'more.conf' },
    },
    podTemplate: { merge: { spec: { priorityClassName: 'high' } } },
    container: { env: { A: 'b' } },
  },
  etcd: {
    enabled: true,
    clusterDomain: 'cluster.local',
    volumePermissions: { enabled: true },
    containerSecurityContext: { runAsUser: '1001' },
    extraEnvVars: [{ name: 'A', value: 'b' }],
    podAnnotations: { a: 'b' },
    configuration: 'name: a',
    persistence: { size: '8Gi', storageClass: 'fast' },
    defrag: { enabled: true, cronjob: { schedule: '0 0 * * *' } },
  },
};
