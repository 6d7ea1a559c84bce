import type { SpanTable } from './release-span.ts';

/** Fields below `spec` that not every release has, by kind; `*` matches any key of a map. Nested fields have the span of their parent. */
export const fieldSpans: Readonly<Record<string, SpanTable>> = {
  DynamoGraphDeployment: {
    '0.4.0..0.4.0': 'services.*.externalServices services.*.runMode',
    '0.4.0..0.5.1': 'services.*.pvc',
    '0.4.0..0.6.0': 'dynamoGraph',
    '0.4.1': 'backendFramework services.*.multinode services.*.sharedMemory',
    '0.6.0': 'pvcs services.*.resources.claims services.*.subComponentType services.*.volumeMounts',
    '0.7.0': 'services.*.globalDynamoNamespace services.*.modelRef',
    '0.8.0': 'services.*.resources.limits.gpuType services.*.resources.requests.gpuType services.*.scalingAdapter',
    '0.9.0': 'restart',
    '0.9-main': 'services.*.eppConfig',
    '1.0.0': 'services.*.checkpoint',
    '1.1.1': `annotations labels services.*.failover services.*.frontendSidecar services.*.gpuMemoryService
      services.*.topologyConstraint topologyConstraint`,
    '1.3.1': `experimental priorityClassName services.*.checkpoint.deletionPolicy services.*.checkpoint.job
      services.*.checkpoint.startupPolicy services.*.checkpoint.targetContainerName
      services.*.gpuMemoryService.extraClientContainers services.*.gpuMemoryService.extraClientPods services.*.minAvailable`,
    '1.4.1': 'services.*.runtimeVersionOverride',
  },
  DynamoComponentDeployment: {
    '0.4.0..0.4.0': 'externalServices runMode',
    '0.4.0..0.5.1': 'pvc',
    '0.4.0..0.6.0': 'dynamoComponent dynamoTag',
    '0.4.1': 'backendFramework multinode sharedMemory',
    '0.6.0': 'resources.claims subComponentType volumeMounts',
    '0.7.0': 'globalDynamoNamespace modelRef',
    '0.8.0': 'resources.limits.gpuType resources.requests.gpuType scalingAdapter',
    '0.9-main': 'eppConfig',
    '1.0.0': 'checkpoint',
    '1.1.1': 'failover frontendSidecar gpuMemoryService topologyConstraint',
    '1.3.1': `checkpoint.deletionPolicy checkpoint.job checkpoint.startupPolicy checkpoint.targetContainerName
      gpuMemoryService.extraClientContainers gpuMemoryService.extraClientPods minAvailable`,
    '1.4.1': 'runtimeVersionOverride',
  },
  DynamoGraphDeploymentRequest: {
    '0.7.0': 'enableGpuDiscovery',
    '0.8.0': 'profilingConfig.outputPVC profilingConfig.resources profilingConfig.tolerations useMocker',
    '1.0.0': 'profilingConfig.nodeSelector',
    '1.4.1': 'runtimeVersionOverride',
  },
};
