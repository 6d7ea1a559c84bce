import { type JsonObject, objectAt } from '../../json/index.ts';
import { atPath, templateString, truthy, type Value } from '../go-values.ts';
import { secretMode } from '../pod-security.ts';
import type { NatsRelease } from './release.ts';

/** A protocol that a NATS server listens for. */
interface Protocol {
  readonly name: string;
  /** Whether the protocol is based on HTTP, with or without TLS. */
  readonly http: boolean;
  /** Whether the `tls` block of the protocol may name a Secret. */
  readonly ownTls: boolean;
}

/** Every protocol, in the order of ports. */
const protocols: readonly Protocol[] = [
  { name: 'nats', http: false, ownTls: true },
  { name: 'leafnodes', http: false, ownTls: true },
  { name: 'websocket', http: true, ownTls: true },
  { name: 'mqtt', http: false, ownTls: true },
  { name: 'cluster', http: false, ownTls: true },
  { name: 'gateway', http: false, ownTls: true },
  { name: 'monitor', http: true, ownTls: false },
  { name: 'profiling', http: false, ownTls: false },
];

/** The block of a protocol below `config`. */
export function protocolBlock(nats: NatsRelease, name: string): Value {
  return atPath(nats.values, 'config', name);
}

/** The enabled protocols; `nats` is always enabled. */
export function activeProtocols(nats: NatsRelease): readonly Protocol[] {
  return protocols.filter(({ name }) => name === 'nats' || truthy(atPath(protocolBlock(nats, name), 'enabled')));
}

/** Whether a protocol is encrypted. */
export function encrypted(nats: NatsRelease, name: string): boolean {
  return truthy(atPath(protocolBlock(nats, name), 'tls.enabled'));
}

function appProtocol(nats: NatsRelease, { name, http }: Protocol): string {
  const tls = encrypted(nats, name);
  if (http) return tls ? 'https' : 'http';
  return tls ? 'tls' : 'tcp';
}

/** A port of a Service; `extra` may set further fields and another port number, but not another name or target. */
export function servicePort(nats: NatsRelease, protocol: Protocol, extra: JsonObject = {}): JsonObject {
  const { enabled: _, ...fields } = extra;
  const port = truthy(fields['port']) ? fields['port'] : atPath(protocolBlock(nats, protocol.name), 'port');
  return { ...fields, name: protocol.name, port, targetPort: protocol.name, appProtocol: appProtocol(nats, protocol) };
}

/** The ports of the container, with the fields that `container.ports` adds to each. */
export function containerPorts(nats: NatsRelease): readonly JsonObject[] {
  return activeProtocols(nats).map(({ name }) => ({
    ...objectAt(atPath(nats.values, 'container', 'ports', name)),
    name,
    containerPort: atPath(protocolBlock(nats, name), 'port'),
  }));
}

/** The Secrets with certificates that the server mounts. */
export function tlsSecrets(
  nats: NatsRelease,
): readonly { readonly volume: string; readonly secret: string; readonly dir: string }[] {
  return activeProtocols(nats).flatMap(({ name, ownTls }) => {
    const tls = atPath(protocolBlock(nats, name), 'tls');
    if (!ownTls || !truthy(atPath(tls, 'enabled')) || !truthy(atPath(tls, 'secretName'))) return [];
    return [
      { volume: `${name}-tls`, secret: templateString(atPath(tls, 'secretName')), dir: templateString(atPath(tls, 'dir')) },
    ];
  });
}

/** The mounted certificate authority: volume, mount and the path of its file; undefined when there is none. */
export function certificateAuthority(nats: NatsRelease) {
  const ca = atPath(nats.values, 'tlsCA');
  const configMap = atPath(ca, 'configMapName');
  const secret = atPath(ca, 'secretName');
  if (!truthy(atPath(ca, 'enabled')) || !(truthy(configMap) || truthy(secret))) return undefined;
  const dir = templateString(atPath(ca, 'dir'));
  const key = atPath(ca, 'key');
  const source: JsonObject = truthy(configMap)
    ? { configMap: { name: templateString(configMap) } }
    : { secret: { secretName: templateString(secret), ...secretMode(nats.context) } };
  return {
    volume: { name: 'tls-ca', ...source },
    mount: { name: 'tls-ca', mountPath: dir },
    file: `${dir.replace(/\/$/, '')}/${truthy(key) ? templateString(key) : 'ca.crt'}`,
  };
}
