import { atomicList, int32, kubernetesObject, quantity, required, string } from './dsl.ts';
import { labelSelector } from './meta.ts';

const target = kubernetesObject('MetricTarget', 'The value a metric should have.', {
  averageUtilization: int32(),
  averageValue: quantity(),
  type: required(string()),
  value: quantity(),
});

const identifier = kubernetesObject('MetricIdentifier', 'A metric by name.', {
  name: required(string()),
  selector: labelSelector,
});

const scalingRules = kubernetesObject('HPAScalingRules', 'How fast to scale in one direction.', {
  policies: atomicList(
    kubernetesObject('HPAScalingPolicy', 'A limit on the change in a period.', {
      periodSeconds: required(int32()),
      type: required(string()),
      value: required(int32()),
    }),
  ),
  selectPolicy: string(),
  stabilizationWindowSeconds: int32(),
  tolerance: quantity(),
});

/** Scaling behavior of a HorizontalPodAutoscaler (autoscaling/v2). */
export const autoscalerBehavior = kubernetesObject('HorizontalPodAutoscalerBehavior', 'How fast to scale up and down.', {
  scaleDown: scalingRules,
  scaleUp: scalingRules,
});

/** A metric of a HorizontalPodAutoscaler (autoscaling/v2). */
export const metricSpec = kubernetesObject('MetricSpec', 'A metric to scale on.', {
  type: required(string()),
  containerResource: kubernetesObject('ContainerResourceMetricSource', 'A resource of one container.', {
    container: required(string()),
    name: required(string()),
    target: required(target),
  }),
  external: kubernetesObject('ExternalMetricSource', 'A metric from outside the cluster.', {
    metric: required(identifier),
    target: required(target),
  }),
  object: kubernetesObject('ObjectMetricSource', 'A metric of one object.', {
    describedObject: required(
      kubernetesObject('CrossVersionObjectReference', 'An object of any kind.', {
        apiVersion: string(),
        kind: required(string()),
        name: required(string()),
      }),
    ),
    metric: required(identifier),
    target: required(target),
  }),
  pods: kubernetesObject('PodsMetricSource', 'A metric of every pod.', {
    metric: required(identifier),
    target: required(target),
  }),
  resource: kubernetesObject('ResourceMetricSource', 'A resource of every pod.', {
    name: required(string()),
    target: required(target),
  }),
});
