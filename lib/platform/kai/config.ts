import { type KaiRelease, repository } from './release.ts';
import type { JsonObject } from '../../json/index.ts';
import { atPath, templateString, truthy } from '../go-values.ts';
import { yamlScalar } from '../yaml-scalar.ts';
import { chartVersion } from './defaults.ts';

/** The settings in the Config resource with which the operator runs a component. */
function component(kai: KaiRelease, name: string, enabled: boolean): JsonObject {
  const block = atPath(kai.values, name);
  return {
    service: {
      enabled,
      image: {
        name: templateString(atPath(block, 'image.name')),
        repository: repository(kai),
        tag: chartVersion,
        pullPolicy: templateString(atPath(block, 'image.pullPolicy')),
      },
      ...(truthy(atPath(block, 'resources')) ? { resources: atPath(block, 'resources') } : {}),
    },
  };
}

/** The Config resource, from which the operator installs pod group controller, queue controller, admission and node scale adjuster. */
export function kaiConfig(kai: KaiRelease): JsonObject {
  const { values, context } = kai;
  const global = atPath(values, 'global');
  const shared = ['tolerations', 'affinity', 'securityContext', 'namespaceLabelSelector', 'podLabelSelector'];
  return {
    apiVersion: 'kai.scheduler/v1',
    kind: 'Config',
    metadata: { name: 'kai-config' },
    spec: {
      namespace: context.namespace,
      global: {
        schedulerName: 'kai-scheduler',
        queueLabelKey: 'kai.scheduler/queue',
        nodePoolLabelKey: 'kai.scheduler/nodepool',
        replicaCount: yamlScalar(atPath(values, 'operator.replicaCount')),
        ...Object.fromEntries(
          shared.flatMap((key) => (truthy(atPath(global, key)) ? [[key, atPath(global, key)] as const] : [])),
        ),
      },
      podGroupController: component(kai, 'podgroupcontroller', true),
      queueController: component(kai, 'queuecontroller', true),
      admission: {
        ...component(kai, 'admission', true),
        gpuSharing: truthy(atPath(global, 'gpuSharing')),
        queueLabelSelector: false,
        webhook: {
          port: 443,
          targetPort: yamlScalar(atPath(values, 'admission.ports.webhookPort')),
          probePort: yamlScalar(atPath(values, 'admission.ports.probePort')),
          metricsPort: yamlScalar(atPath(values, 'admission.ports.metricsPort')),
        },
      },
      nodeScaleAdjuster: {
        ...component(kai, 'nodescaleadjuster', truthy(atPath(global, 'clusterAutoscaling'))),
        args: { nodeScaleNamespace: templateString(atPath(values, 'nodescaleadjuster.scalingPodNamespace')) },
      },
    },
  };
}

function schedulerConfig(strategy: string): string {
  const plugins = [
    'predicates',
    'proportion',
    'priority',
    'nodeavailability',
    'resourcetype',
    'podaffinity',
    'elastic',
    'kubeflow',
    'ray',
    'subgrouporder',
    'taskorder',
    'nominatednode',
    'dynamicresources',
    'gpupack',
    'gpusharingorder',
    'snapshot',
  ];
  return `actions: allocate, consolidation, reclaim, preempt, stalegangeviction
tiers:
  - plugins:
${plugins.map((name) => `      - name: ${name}\n`).join('')}      - name: nodeplacement
        arguments:
          cpu: ${strategy}
          gpu: ${strategy}
      - name: minruntime
      - name: topology
`;
}

/** The ConfigMap with the configuration file of the scheduler. */
export function schedulerConfigMap({ values }: KaiRelease): JsonObject & { readonly data: { readonly 'config.yaml': string } } {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'scheduler-config', labels: { app: 'scheduler' } },
    data: { 'config.yaml': schedulerConfig(templateString(atPath(values, 'scheduler.placementStrategy'))) },
  };
}
