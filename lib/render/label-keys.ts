/** Label keys the operator writes. */
export const label = {
  selector: 'nvidia.com/selector',
  graph: 'nvidia.com/dynamo-graph-deployment-name',
  component: 'nvidia.com/dynamo-component',
  dynamoNamespace: 'nvidia.com/dynamo-namespace',
  componentType: 'nvidia.com/dynamo-component-type',
  subComponentType: 'nvidia.com/dynamo-sub-component-type',
  targetType: 'nvidia.com/dynamo-deployment-target-type',
  baseModelHash: 'nvidia.com/dynamo-base-model-hash',
  discoveryBackend: 'nvidia.com/dynamo-discovery-backend',
  discoveryEnabled: 'nvidia.com/dynamo-discovery-enabled',
  metricsEnabled: 'nvidia.com/metrics-enabled',
  managedBy: 'nvidia.com/managed-by',
  componentPod: 'nvidia.com/dynamo-component-pod',
  kaiQueue: 'kai.scheduler/queue',
  instance: 'instance-id',
  role: 'role',
} as const;

/** Annotation keys the operator reads or writes. */
export const annotation = {
  baseModel: 'nvidia.com/dynamo-base-model',
  discoveryBackend: 'nvidia.com/dynamo-discovery-backend',
  enableMetrics: 'nvidia.com/enable-metrics',
  enableGrove: 'nvidia.com/enable-grove',
  disablePullSecretDiscovery: 'nvidia.com/disable-image-pull-secret-discovery',
  kaiQueue: 'nvidia.com/kai-scheduler-queue',
  restartAt: 'nvidia.com/restartAt',
  strategy: 'nvidia.com/deployment-strategy',
  maxSurge: 'nvidia.com/deployment-rolling-update-max-surge',
  maxUnavailable: 'nvidia.com/deployment-rolling-update-max-unavailable',
  debugMode: 'nvidia.com/enable-debug-mode',
  stealTraffic: 'nvidia.com/enable-stealing-traffic-debug-mode',
  volcanoGroup: 'scheduling.k8s.io/group-name',
  hash: 'nvidia.com/last-applied-hash',
  generation: 'nvidia.com/last-applied-generation',
} as const;
