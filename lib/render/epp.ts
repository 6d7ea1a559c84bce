import type { ComponentSpec, EndpointPickerConfig } from '../api/index.ts';
import type { JsonObject } from '../api/json.ts';
import type { ChildObject, StringMap } from './child.ts';
import { dynamoNamespace, label, port, serviceObjectName } from './keys.ts';
import { problem, type Outcome } from './outcome.ts';
import { endpointPickerConfig } from './wire/component-shapes.ts';
import { rewrite } from './wire/field.ts';
import { yamlText } from './wire/yaml-text.ts';

const configFile = 'epp-config-dynamo.yaml';

/** A picker's configuration in its typed form, with the kind it must have. */
export function normalEndpointPickerConfig(config: EndpointPickerConfig): EndpointPickerConfig {
  const kind = { apiVersion: 'inference.networking.x-k8s.io/v1alpha1', kind: 'EndpointPickerConfig' };
  return rewrite(endpointPickerConfig, { ...config, ...kind });
}

/** The ConfigMap and the InferencePool of a graph's endpoint picker. */
export function renderEndpointPicker(
  graph: string,
  namespace: string,
  service: string,
  component: ComponentSpec,
): Outcome<readonly ChildObject[]> {
  const labels: StringMap = { [label.graph]: graph, [label.component]: service, [label.componentType]: 'epp' };
  const pool: ChildObject = {
    apiVersion: 'inference.networking.k8s.io/v1',
    kind: 'InferencePool',
    name: `${graph}-pool`,
    labels,
    body: {
      spec: {
        targetPorts: [{ number: port.http }],
        selector: {
          matchLabels: {
            [label.componentType]: 'frontend',
            [label.dynamoNamespace]: dynamoNamespace(namespace, graph, component.globalDynamoNamespace),
          },
        },
        endpointPickerRef: { kind: 'Service', name: serviceObjectName(graph, service), port: { number: port.eppGrpc } },
      },
    },
  };
  if (component.eppConfig?.configMapRef !== undefined) return { value: [pool] };
  const config = component.eppConfig?.config;
  if (config === undefined)
    return problem(
      'required',
      ['eppConfig'],
      'EPP configuration is required: either eppConfig.configMapRef or eppConfig.config must be specified',
    );
  const data = { [configFile]: yamlText({ ...normalEndpointPickerConfig(config) } as unknown as JsonObject) };
  return { value: [{ apiVersion: 'v1', kind: 'ConfigMap', name: `${graph}-epp-config`, labels, body: { data } }, pool] };
}
