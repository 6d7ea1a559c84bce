import { modelServiceName } from './object-names.ts';
import type { ComponentSpec } from '../api/index.ts';
import { mergeStringMaps, type ChildObject, type StringMap } from './child.ts';
import { modelHash } from './base-model.ts';
import { annotation, label } from './label-keys.ts';
import { port } from './ports.ts';

interface ServicePort {
  readonly name: string;
  readonly protocol: 'TCP';
  readonly port: number;
  readonly targetPort: string | number;
  readonly appProtocol?: string;
}

const ports: Readonly<Record<string, ServicePort>> = {
  frontend: { name: 'http', protocol: 'TCP', port: port.http, targetPort: 'http' },
  epp: { name: 'grpc', protocol: 'TCP', port: port.eppGrpc, targetPort: port.eppGrpc },
};
const systemPort: ServicePort = { name: 'system', protocol: 'TCP', port: port.system, targetPort: 'system' };

/** The port of a component's Service, by component type. */
function servicePort(componentType: string | undefined): ServicePort {
  return (componentType !== undefined && Object.hasOwn(ports, componentType) && ports[componentType]) || systemPort;
}

/** The settings of a component's Service. */
interface ServiceRequest {
  readonly name: string;
  readonly component: ComponentSpec;
  readonly dynamoNamespace: string;
  readonly labels: StringMap | undefined;
  readonly annotations?: StringMap;
  /** Selector labels in addition to component type and Dynamo namespace. */
  readonly selector?: StringMap;
  readonly appProtocol?: string;
}

/** A Service that selects the pods of a component type within a Dynamo namespace. */
export function renderService(request: ServiceRequest): ChildObject {
  const { component, appProtocol } = request;
  const selector: StringMap = {
    [label.componentType]: component.componentType ?? '',
    [label.dynamoNamespace]: request.dynamoNamespace,
    ...request.selector,
  };
  const spec = { selector, ports: [{ ...servicePort(component.componentType), ...(appProtocol && { appProtocol }) }] };
  return {
    apiVersion: 'v1',
    kind: 'Service',
    name: request.name,
    ...(request.labels && { labels: request.labels }),
    ...(request.annotations && { annotations: request.annotations }),
    body: { spec },
  };
}

/** Adds the labels by which Kubernetes discovery finds a Service. */
export function discoveryLabels(labels: StringMap | undefined, enabled: boolean): StringMap | undefined {
  return mergeStringMaps(
    labels,
    { [label.discoveryBackend]: 'kubernetes' },
    enabled ? { [label.discoveryEnabled]: 'true' } : undefined,
  );
}

/** The headless Service of all components that serve a base model. */
export function renderModelService(model: string): ChildObject {
  const hash = modelHash(model);
  return {
    apiVersion: 'v1',
    kind: 'Service',
    name: modelServiceName(hash),
    labels: { [label.baseModelHash]: hash, [label.managedBy]: 'dynamo-operator' },
    annotations: { [annotation.baseModel]: model },
    body: {
      spec: {
        clusterIP: 'None',
        selector: { [label.baseModelHash]: hash },
        ports: [{ name: 'system', protocol: 'TCP', port: port.system, targetPort: port.system }],
      },
    },
  };
}
