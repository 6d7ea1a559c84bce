import { type EndpointPickerConfig, formatDuration, parseDuration } from '../../api/index.ts';
import { isObject, type Json, type JsonObject } from '../../json/index.ts';
import { configMapKeySelector, container, envVar, probe, resourceClaim } from './container-shapes.ts';
import {
  list,
  listOrNull,
  nullable,
  number,
  optional,
  plain,
  pointer,
  quantity,
  plainQuantity,
  rewrite,
  scalars,
  shape,
  struct,
  string,
  stringMap,
  type Field,
  type Shape,
} from './field.ts';
import { podFields } from './pod-shapes.ts';
import { labelSelector } from './volume-shapes.ts';

const resourceItem = shape({ cpu: plain, memory: plain, gpu: plain, gpuType: plain, custom: stringMap });

const metricTarget = struct(shape({ type: string, value: quantity, averageValue: quantity, averageUtilization: optional }));
const metric = struct(shape({ name: string, selector: pointer(labelSelector) }));
const scalingRules = shape({
  stabilizationWindowSeconds: optional,
  selectPolicy: optional,
  policies: list(shape({ type: string, value: number, periodSeconds: number })),
  tolerance: quantity,
});
const autoscaling = shape({
  enabled: plain,
  minReplicas: plain,
  maxReplicas: plain,
  behavior: pointer(shape({ scaleUp: pointer(scalingRules), scaleDown: pointer(scalingRules) })),
  metrics: list(
    shape({
      type: string,
      object: pointer(
        shape({
          describedObject: struct(shape({ kind: string, name: string, apiVersion: plain })),
          target: metricTarget,
          metric,
        }),
      ),
      pods: pointer(shape({ metric, target: metricTarget })),
      resource: pointer(shape({ name: string, target: metricTarget })),
      containerResource: pointer(shape({ name: string, target: metricTarget, container: string })),
      external: pointer(shape({ metric, target: metricTarget })),
    }),
  ),
});

const ingress = shape({
  enabled: plain,
  host: plain,
  useVirtualService: plain,
  virtualServiceGateway: optional,
  hostPrefix: optional,
  hostSuffix: optional,
  annotations: stringMap,
  labels: stringMap,
  tls: pointer(shape({ secretName: plain })),
  ingressControllerClassName: optional,
});

/** A duration in the notation of Go's `time.Duration.String`; always written. */
const duration: Field = {
  write: (value) => formatDuration(parseDuration(typeof value === 'string' ? value : '') ?? 0n),
  absent: () => '0s',
};

/** The configuration of an endpoint picker. */
export const endpointPickerConfig: Shape<EndpointPickerConfig> = shape({
  apiVersion: plain,
  kind: plain,
  featureGates: scalars,
  plugins: listOrNull(shape({ name: string, type: string, parameters: nullable })),
  schedulingProfiles: listOrNull(shape({ name: string, plugins: listOrNull(shape({ pluginRef: string, weight: nullable })) })),
  saturationDetector: pointer(
    shape({ queueDepthThreshold: plain, kvCacheUtilThreshold: plain, metricsStalenessThreshold: duration }),
  ),
});

const mainContainer = pointer(container);
const extraPodShape: Shape<JsonObject> = shape({ ...podFields, containers: list(container) });

/** Pod fields are inlined beside `mainContainer`. If any of them is set, `containers` is written too, as null when there are none; recorded. */
function rewriteExtraPodSpec(value: Json): JsonObject {
  const source = isObject(value) ? value : {};
  const fields = rewrite(extraPodShape, source);
  const given = source['containers'];
  const main = source['mainContainer'];
  const withContainers =
    Array.isArray(given) && given.length === 0
      ? { ...fields, containers: [] }
      : Object.keys(fields).length > 0 && fields['containers'] === undefined
        ? { ...fields, containers: null }
        : fields;
  return main === undefined || main === null ? withContainers : { ...withContainers, mainContainer: mainContainer.write(main) };
}

/** The spec of a DynamoComponentDeployment. */
export const componentSpec: Shape<JsonObject> = shape({
  backendFramework: plain,
  annotations: stringMap,
  labels: stringMap,
  serviceName: plain,
  componentType: plain,
  subComponentType: plain,
  dynamoNamespace: optional,
  globalDynamoNamespace: plain,
  resources: pointer(shape({ requests: pointer(resourceItem), limits: pointer(resourceItem), claims: list(resourceClaim) })),
  autoscaling: pointer(autoscaling),
  envs: list(envVar),
  envFromSecret: optional,
  volumeMounts: list(shape({ name: plain, mountPoint: plain, useAsCompilationCache: plain })),
  ingress: pointer(ingress),
  modelRef: pointer(shape({ name: string, revision: plain })),
  sharedMemory: pointer(shape({ disabled: plain, size: plainQuantity })),
  extraPodMetadata: pointer(shape({ annotations: stringMap, labels: stringMap })),
  extraPodSpec: { struct: { fields: [...extraPodShape.fields, ['mainContainer', mainContainer]] }, write: rewriteExtraPodSpec },
  livenessProbe: pointer(probe),
  readinessProbe: pointer(probe),
  replicas: optional,
  multinode: pointer(shape({ nodeCount: number })),
  scalingAdapter: pointer(shape({ enabled: plain })),
  eppConfig: pointer(shape({ configMapRef: pointer(configMapKeySelector), config: pointer(endpointPickerConfig) })),
});
