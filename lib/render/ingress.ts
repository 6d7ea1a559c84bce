import type { IngressSpec } from '../api/index.ts';
import type { ChildObject } from './child.ts';
import type { OperatorConfig } from './render-context.ts';
import { port } from './ports.ts';

/** The default `ingress` of a frontend, from the operator's flags. */
export function defaultIngress(graph: string, config: OperatorConfig): IngressSpec {
  const { virtualServiceGateway, ingressClassName, ingressTlsSecret, ingressHostSuffix } = config;
  return {
    enabled: virtualServiceGateway !== '' || ingressClassName !== '',
    host: graph,
    useVirtualService: virtualServiceGateway !== '',
    ...(virtualServiceGateway && { virtualServiceGateway }),
    ...(ingressClassName && { ingressControllerClassName: ingressClassName }),
    ...(ingressTlsSecret && { tls: { secretName: ingressTlsSecret } }),
    ...(ingressHostSuffix && { hostSuffix: ingressHostSuffix }),
  };
}

/** The Ingress and the Istio VirtualService of a component, each if its settings enable it. */
export function renderIngress(name: string, ingress: IngressSpec | undefined, config: OperatorConfig): readonly ChildObject[] {
  if (ingress?.enabled !== true) return [];
  const host = `${ingress.hostPrefix ?? ''}${ingress.host ?? ''}.${ingress.hostSuffix ?? 'local'}`;
  const objects: ChildObject[] = [];
  if (ingress.ingressControllerClassName !== undefined)
    objects.push(ingressObject(name, host, ingress.ingressControllerClassName, ingress.tls));
  if (config.virtualServiceGateway !== '' && ingress.useVirtualService === true && ingress.virtualServiceGateway !== undefined)
    objects.push(virtualService(name, host, ingress.virtualServiceGateway));
  return objects;
}

function ingressObject(name: string, host: string, className: string, tls: IngressSpec['tls']): ChildObject {
  const backend = { service: { name, port: { number: port.http } } };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    name,
    body: {
      spec: {
        ingressClassName: className,
        rules: [{ host, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
        ...(tls && { tls: [{ hosts: [host], ...(tls.secretName && { secretName: tls.secretName }) }] }),
      },
    },
  };
}

function virtualService(name: string, host: string, gateway: string): ChildObject {
  return {
    apiVersion: 'networking.istio.io/v1beta1',
    kind: 'VirtualService',
    name,
    body: {
      spec: {
        hosts: [host],
        gateways: [gateway],
        http: [{ match: [{ uri: { prefix: '/' } }], route: [{ destination: { host: name, port: { number: port.http } } }] }],
      },
    },
  };
}
