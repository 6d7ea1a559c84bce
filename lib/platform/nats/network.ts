import { type JsonObject, listAt, objectAt } from '../../json/index.ts';
import { atPath, templateString, truthy } from '../go-values.ts';
import { activeProtocols, servicePort } from './protocols.ts';
import { metadata, overlaid, selectorLabels, type NatsRelease } from './release.ts';

/** The Service for clients; undefined when it is off. */
export function clientService(nats: NatsRelease): JsonObject | undefined {
  if (!truthy(atPath(nats.values, 'service.enabled'))) return undefined;
  const settings = (name: string): JsonObject => objectAt(atPath(nats.values, 'service', 'ports', name));
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
  const block = atPath(values, 'config.websocket.ingress');
  const hosts = listAt(atPath(block, 'hosts')).map(templateString);
  const needed = [
    'config.websocket.enabled',
    'config.websocket.ingress.enabled',
    'service.enabled',
    'service.ports.websocket.enabled',
  ];
  if (hosts.length === 0 || !needed.every((path) => truthy(atPath(values, path)))) return undefined;
  const [className, tlsSecretName] = [atPath(block, 'className'), atPath(block, 'tlsSecretName')];
  const backend = { service: { name: names.service, port: { name: 'websocket' } } };
  const paths = [{ path: templateString(atPath(block, 'path')), pathType: templateString(atPath(block, 'pathType')), backend }];
  const document: JsonObject = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: metadata(nats, names.ingress),
    spec: {
      ...(truthy(className) ? { ingressClassName: templateString(className) } : {}),
      rules: hosts.map((host) => ({ host, http: { paths } })),
      ...(truthy(tlsSecretName) ? { tls: [{ secretName: templateString(tlsSecretName), hosts }] } : {}),
    },
  };
  return overlaid(nats, document, ['config', 'websocket', 'ingress']);
}
