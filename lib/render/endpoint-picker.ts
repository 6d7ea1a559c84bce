import { type ComponentSpec, dynamoNamespace, type EndpointPickerConfig } from '../api/index.ts';
import type { JsonObject } from '../json/index.ts';
import type { ChildObject, StringMap } from './child.ts';
import { label } from './label-keys.ts';
import { endpointPickerConfigFile, endpointPickerConfigMapName, inferencePoolName, serviceObjectName } from './object-names.ts';
import { port } from './ports.ts';
import { problem, type Outcome } from './outcome.ts';
import { endpointPickerConfig } from './wire/component-shapes.ts';
import { rewrite } from './wire/field.ts';
import { goYaml } from './wire/go-yaml.ts';

/** Normalizes the configuration of an endpoint picker and sets its apiVersion and kind. */
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
    name: inferencePoolName(graph),
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
  const data = { [endpointPickerConfigFile]: goYaml({ ...normalEndpointPickerConfig(config) } as unknown as JsonObject) };
  return {
    value: [{ apiVersion: 'v1', kind: 'ConfigMap', name: endpointPickerConfigMapName(graph), labels, body: { data } }, pool],
  };
}
