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

/** Ports by name, as containers and Services use them. */
export const port = {
  http: 8000,
  system: 9090,
  plannerMetrics: 9085,
  eppGrpc: 9002,
  eppHealth: 9003,
  eppMetrics: 9090,
  mpiSsh: 2222,
} as const;

/** Fixed names of accounts the operator makes. */
export const account = {
  planner: 'planner-serviceaccount',
  epp: 'epp-serviceaccount',
  profiling: 'dgdr-profiling-job',
} as const;

/** API groups whose presence changes what is rendered. */
export const apiGroup = {
  grove: 'grove.io',
  leaderWorkerSet: 'leaderworkerset.x-k8s.io',
  volcano: 'scheduling.volcano.sh',
  kai: 'scheduling.run.ai',
} as const;

/** The name of the objects of one service of a graph. */
export function serviceObjectName(graph: string, service: string): string {
  return `${graph}-${service.toLowerCase()}`;
}

/** The account under which a graph's pods discover each other. */
export function discoveryAccount(graph: string): string {
  return `${graph}-k8s-service-discovery`;
}

/** The Dynamo namespace of a component: its graph's own, or the one all graphs share. */
export function dynamoNamespace(namespace: string, graph: string, global: boolean | undefined): string {
  return global === true ? 'dynamo' : `${namespace}-${graph}`;
}

/** The discovery backend that applies: what an annotation says, even if empty, else the operator's. */
export function discoveryBackend(annotations: Readonly<Record<string, string>> | undefined, operatorBackend: string): string {
  return annotations?.[annotation.discoveryBackend] ?? operatorBackend;
}
