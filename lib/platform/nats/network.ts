import type { JsonObject } from '../../json/index.ts';
import { at, list, map, text, truthy } from '../go-values.ts';
import { activeProtocols, servicePort } from './protocols.ts';
import { metadata, overlaid, selectorLabels, type NatsRelease } from './release.ts';

/** The Service for clients; undefined when it is off. */
export function clientService(nats: NatsRelease): JsonObject | undefined {
  if (!truthy(at(nats.values, 'service.enabled'))) return undefined;
  const settings = (name: string): JsonObject => map(at(nats.values, 'service', 'ports', name));
  const exposed = activeProtocols(nats).filter(({ name }) => truthy(settings(name)['enabled']));
  const document: JsonObject = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadata(nats, nats.names.service),
    spec: {
      selector: selectorLabels(nats),
      ports: exposed.map((protocol) => servicePort(nats, protocol, settings(protocol.name))),
    },
  };
  return overlaid(nats, document, ['service']);
}

/** The headless Service that gives each server a name. */
export function headlessService(nats: NatsRelease): JsonObject {
  const document: JsonObject = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadata(nats, nats.names.headlessService),
    spec: {
      selector: selectorLabels(nats),
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      ports: activeProtocols(nats).map((protocol) => servicePort(nats, protocol)),
    },
  };
  return overlaid(nats, document, ['headlessService']);
}

/** The Ingress for websocket clients; undefined unless websocket, its ingress and its Service port are on and a host is named. */
export function websocketIngress(nats: NatsRelease): JsonObject | undefined {
  const { values, names } = nats;
  const block = at(values, 'config.websocket.ingress');
  const hosts = list(at(block, 'hosts')).map(text);
  const needed = [
    'config.websocket.enabled',
    'config.websocket.ingress.enabled',
    'service.enabled',
    'service.ports.websocket.enabled',
  ];
  if (hosts.length === 0 || !needed.every((path) => truthy(at(values, path)))) return undefined;
  const [className, tlsSecretName] = [at(block, 'className'), at(block, 'tlsSecretName')];
  const backend = { service: { name: names.service, port: { name: 'websocket' } } };
  const paths = [{ path: text(at(block, 'path')), pathType: text(at(block, 'pathType')), backend }];
  const document: JsonObject = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: metadata(nats, names.ingress),
    spec: {
      ...(truthy(className) ? { ingressClassName: text(className) } : {}),
      rules: hosts.map((host) => ({ host, http: { paths } })),
      ...(truthy(tlsSecretName) ? { tls: [{ secretName: text(tlsSecretName), hosts }] } : {}),
    },
  };
  return overlaid(nats, document, ['config', 'websocket', 'ingress']);
}
