import type { JsonObject } from '../../json/index.ts';
import { at, text, truthy } from '../go-values.ts';
import { yamlScalar } from '../yaml-scalar.ts';
import { chartVersion } from './defaults.ts';
import { repository, type KaiRelease } from './pods.ts';

/** How the operator runs a component. */
function component(kai: KaiRelease, name: string, enabled: boolean): JsonObject {
  const block = at(kai.values, name);
  return {
    service: {
      enabled,
      image: {
        name: text(at(block, 'image.name')),
        repository: repository(kai),
        tag: chartVersion,
        pullPolicy: text(at(block, 'image.pullPolicy')),
      },
      ...(truthy(at(block, 'resources')) ? { resources: at(block, 'resources') } : {}),
    },
  };
}

/** The resource from which the operator installs pod group controller, queue controller, admission and node scale adjuster. */
export function kaiConfig(kai: KaiRelease): JsonObject {
  const { values, context } = kai;
  const global = at(values, 'global');
  const shared = ['tolerations', 'affinity', 'namespaceLabelSelector', 'podLabelSelector'];
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
        replicaCount: yamlScalar(at(values, 'operator.replicaCount')),
        ...Object.fromEntries(shared.flatMap((key) => (truthy(at(global, key)) ? [[key, at(global, key)] as const] : []))),
      },
      podGroupController: component(kai, 'podgroupcontroller', true),
      queueController: component(kai, 'queuecontroller', true),
      admission: {
        ...component(kai, 'admission', true),
        gpuSharing: truthy(at(global, 'gpuSharing')),
        queueLabelSelector: false,
        webhook: {
          port: 443,
          targetPort: yamlScalar(at(values, 'admission.ports.webhookPort')),
          probePort: yamlScalar(at(values, 'admission.ports.probePort')),
          metricsPort: yamlScalar(at(values, 'admission.ports.metricsPort')),
        },
      },
      nodeScaleAdjuster: {
        ...component(kai, 'nodescaleadjuster', truthy(at(global, 'clusterAutoscaling'))),
        args: { nodeScaleNamespace: text(at(values, 'nodescaleadjuster.scalingPodNamespace')) },
      },
    },
  };
}
