import {
  type ComponentSpec,
  type DynamoComponentDeploymentSpec,
  type DynamoGraphDeployment,
  dynamoNamespace,
} from '../api/index.ts';
import { mergeStringMaps, type ChildObject, type StringMap } from './child.ts';
import type { OperatorConfig } from './render-context.ts';
import { applyDeploymentConfig } from './deployment-config.ts';
import { normalEndpointPickerConfig } from './endpoint-picker.ts';
import { defaultIngress } from './ingress.ts';
import { annotation, label } from './label-keys.ts';
import { account, serviceObjectName } from './object-names.ts';
import type { Outcome } from './outcome.ts';
import { mergeEnvs } from './pod/env.ts';
import type { ComponentRequest } from './component-request.ts';
import { componentSpec } from './wire/component-shapes.ts';
import { rewrite } from './wire/field.ts';

const inherited = [annotation.enableMetrics, annotation.discoveryBackend];

/** A DynamoComponentDeployment before its owner is set. */
interface ComponentChild extends ChildObject {
  readonly apiVersion: 'nvidia.com/v1alpha1';
  readonly kind: 'DynamoComponentDeployment';
  readonly body: { readonly spec: DynamoComponentDeploymentSpec };
}

/** The DynamoComponentDeployment of one service. If its endpoint picker configuration goes into a ConfigMap, the spec holds the normalized form. */
export function renderComponentResource(
  request: ComponentRequest,
  isEndpointPicker: boolean,
  config: OperatorConfig,
): Outcome<ComponentChild> {
  const { graph, graphName, namespace, service, component } = request;
  const labels: StringMap = {
    [label.component]: service,
    [label.graph]: graphName,
    [label.dynamoNamespace]: dynamoNamespace(namespace, graphName, component.globalDynamoNamespace),
  };
  const configured = applyDeploymentConfig(withGraphEnvs(component, graph), service);
  if ('problems' in configured) return configured;
  const spec: DynamoComponentDeploymentSpec = {
    ...configured.value,
    ...(graph.spec?.backendFramework && { backendFramework: graph.spec.backendFramework }),
    serviceName: service,
    dynamoNamespace: dynamoNamespace(namespace, graphName, component.globalDynamoNamespace),
    labels,
    annotations: annotationsOf(request) ?? {},
    ...typeSettings(request, isEndpointPicker, config),
  };
  return {
    value: {
      apiVersion: 'nvidia.com/v1alpha1',
      kind: 'DynamoComponentDeployment',
      name: serviceObjectName(graphName, service),
      labels,
      body: { spec: rewrite(componentSpec, spec) },
    },
  };
}

function withGraphEnvs(component: ComponentSpec, graph: DynamoGraphDeployment): ComponentSpec {
  const shared = graph.spec?.envs ?? [];
  return shared.length === 0 ? component : { ...component, envs: mergeEnvs(shared, component.envs) };
}

function annotationsOf({ graph, component, restartAt }: ComponentRequest): StringMap | undefined {
  const fromGraph = Object.entries(graph.metadata.annotations ?? {}).filter(([key]) => inherited.some((name) => name === key));
  return mergeStringMaps(
    component.annotations,
    Object.fromEntries(fromGraph),
    restartAt === undefined ? undefined : { [annotation.restartAt]: restartAt },
  );
}

function typeSettings(
  { graphName, component }: ComponentRequest,
  isEndpointPicker: boolean,
  config: OperatorConfig,
): Partial<ComponentSpec> {
  if (component.componentType === 'planner')
    return { extraPodSpec: { ...component.extraPodSpec, serviceAccountName: account.planner } };
  if (component.componentType === 'frontend' && component.ingress === undefined)
    return { ingress: defaultIngress(graphName, config) };
  const picker = component.eppConfig?.config;
  if (isEndpointPicker && picker !== undefined && component.eppConfig?.configMapRef === undefined)
    return { eppConfig: { ...component.eppConfig, config: normalEndpointPickerConfig(picker) } };
  return {};
}
