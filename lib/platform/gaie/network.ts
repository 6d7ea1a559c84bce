import { type GaieRelease, pickerDynamoNamespace } from './release.ts';
import type { JsonObject } from '../../json/index.ts';
import { atPath, templateString, truthy } from '../go-values.ts';

/** The InferencePool of the graph's frontends. */
export function pool(gaie: GaieRelease): JsonObject {
  return {
    apiVersion: 'inference.networking.k8s.io/v1',
    kind: 'InferencePool',
    metadata: { name: `${gaie.stem}-pool` },
    spec: {
      targetPorts: [{ number: atPath(gaie.values, 'inferencePool.port') }],
      selector: {
        matchLabels: {
          'nvidia.com/dynamo-component': 'Frontend',
          'nvidia.com/dynamo-namespace': pickerDynamoNamespace(gaie),
        },
      },
      endpointPickerRef: { group: '', kind: 'Service', name: `${gaie.stem}-epp`, port: { number: 9002 } },
    },
  };
}

/** The HTTPRoute from a gateway to the pool. */
export function route({ values, context, stem }: GaieRelease): JsonObject {
  const block = atPath(values, 'httpRoute');
  const given = atPath(block, 'gatewayNamespace');
  const backend = {
    group: 'inference.networking.k8s.io',
    kind: 'InferencePool',
    name: `${stem}-pool`,
    namespace: context.namespace,
    port: atPath(values, 'inferencePool.port'),
    weight: 1,
  };
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name: `${stem}-route` },
    spec: {
      parentRefs: [
        {
          group: 'gateway.networking.k8s.io',
          kind: 'Gateway',
          name: templateString(atPath(block, 'gatewayName')),
          namespace: truthy(given) ? templateString(given) : context.namespace,
        },
      ],
      rules: [
        {
          backendRefs: [backend],
          matches: [{ path: { type: 'PathPrefix', value: templateString(atPath(block, 'path.prefix')) } }],
          timeouts: { request: templateString(atPath(block, 'timeout.request')) },
        },
      ],
    },
  };
}

/** The Service of the endpoint picker. */
export function service({ stem }: GaieRelease): JsonObject {
  const app = `${stem}-epp`;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: app },
    spec: {
      selector: { app },
      ports: [{ protocol: 'TCP', port: 9002, targetPort: 9002, appProtocol: 'http2' }],
      type: 'ClusterIP',
    },
  };
}
