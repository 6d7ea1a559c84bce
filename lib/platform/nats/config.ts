import { isObject, type Json, type JsonObject, listAt, sortedKeys } from '../../json/index.ts';
import { atPath, orElse, templateString, truthy, type Value } from '../go-values.ts';
import { yamlScalar } from '../yaml-scalar.ts';
import { certificateAuthority, encrypted, protocolBlock } from './protocols.ts';
import { printConfig } from './config-text.ts';
import { metadata, natsNamespace, overlaid, type NatsRelease } from './release.ts';

function file(dir: Value, name: string): string {
  return `${templateString(dir).replace(/\/$/, '')}/${name}`;
}

/** The `tls` entry of a protocol's block; an empty object when TLS is disabled. */
function tls(nats: NatsRelease, protocol: string): JsonObject {
  if (!encrypted(nats, protocol)) return {};
  const block = atPath(protocolBlock(nats, protocol), 'tls');
  const authority = certificateAuthority(nats);
  const cert = atPath(block, 'cert');
  const key = atPath(block, 'key');
  const document: JsonObject = {
    ...(truthy(atPath(block, 'secretName'))
      ? {
          cert_file: file(atPath(block, 'dir'), truthy(cert) ? templateString(cert) : 'tls.crt'),
          key_file: file(atPath(block, 'dir'), truthy(key) ? templateString(key) : 'tls.key'),
        }
      : {}),
    ...(authority === undefined ? {} : { ca_file: authority.file }),
  };
  return { tls: overlaid(nats, document, ['config', protocol, 'tls']) };
}

/** Percent-encodes as Go's `url.QueryEscape`, so that any password can be part of a URL. */
function queryEscaped(value: string): string {
  return encodeURIComponent(value)
    .replaceAll('%20', '+')
    .replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

function cluster(nats: NatsRelease): JsonObject {
  const block = protocolBlock(nats, 'cluster');
  const urls = atPath(block, 'routeURLs');
  const [user, password] = [atPath(urls, 'user'), atPath(urls, 'password')];
  const authorized = truthy(user) && truthy(password);
  const scheme = encrypted(nats, 'cluster') ? 'tls' : 'nats';
  const credentials = authorized ? `${queryEscaped(templateString(user))}:${queryEscaped(templateString(password))}@` : '';
  const suffix = truthy(atPath(urls, 'useFQDN'))
    ? `.${natsNamespace(nats)}.svc.${templateString(atPath(urls, 'k8sClusterDomain'))}`
    : '';
  const { statefulSet, headlessService } = nats.names;
  const host = (index: number): string =>
    `${statefulSet}-${index}.${headlessService}${suffix}:${templateString(atPath(block, 'port'))}`;
  const routes = Array.from({ length: replicas(nats) }, (_, index) => `${scheme}://${credentials}${host(index)}`);
  return {
    name: statefulSet,
    port: yamlScalar(atPath(block, 'port')),
    no_advertise: true,
    routes: routes.length === 0 ? null : routes,
    ...(authorized ? { authorization: { user: templateString(user), password: templateString(password) } } : {}),
    ...tls(nats, 'cluster'),
  };
}

/** Number of servers. */
export function replicas(nats: NatsRelease): number {
  const block = protocolBlock(nats, 'cluster');
  return truthy(atPath(block, 'enabled')) ? Math.max(0, Math.trunc(Number(templateString(atPath(block, 'replicas'))) || 0)) : 1;
}

/** Blocks of protocols that are off by default. */
const blocks: Readonly<Record<string, (nats: NatsRelease) => JsonObject>> = {
  leafnodes: (nats) => ({
    port: yamlScalar(atPath(protocolBlock(nats, 'leafnodes'), 'port')),
    no_advertise: true,
    ...tls(nats, 'leafnodes'),
  }),
  websocket: (nats) => ({
    port: yamlScalar(atPath(protocolBlock(nats, 'websocket'), 'port')),
    ...(encrypted(nats, 'websocket') ? tls(nats, 'websocket') : { no_tls: true }),
  }),
  mqtt: (nats) => ({ port: yamlScalar(atPath(protocolBlock(nats, 'mqtt'), 'port')), ...tls(nats, 'mqtt') }),
  cluster,
  gateway: (nats) => ({
    name: nats.names.statefulSet,
    port: yamlScalar(atPath(protocolBlock(nats, 'gateway'), 'port')),
    ...tls(nats, 'gateway'),
  }),
  jetstream: (nats) => jetStream(nats),
  resolver: (nats) => ({ dir: yamlScalar(atPath(nats.values, 'config.resolver.dir')) }),
};

function jetStream(nats: NatsRelease): JsonObject {
  const block = atPath(nats.values, 'config.jetstream');
  const [memory, files] = [atPath(block, 'memoryStore'), atPath(block, 'fileStore')];
  const [inMemory, inFiles] = [
    atPath(memory, 'maxSize'),
    orElse(atPath(files, 'maxSize'), truthy(atPath(files, 'pvc.enabled')) ? atPath(files, 'pvc.size') : null),
  ];
  // A large number is printed in exponent form, which the server does not accept as a size.
  const shown = (size: Value): string =>
    typeof size === 'number' && nats.context.switches['sound-values'] ? String(size) : templateString(size);
  const limit = (key: string, size: Value): JsonObject => (truthy(size) ? { [key]: `<< ${shown(size)} >>` } : {});
  return {
    ...(truthy(atPath(memory, 'enabled')) ? limit('max_memory_store', inMemory) : truthy(memory) ? { max_memory_store: 0 } : {}),
    ...(truthy(atPath(files, 'enabled'))
      ? { store_dir: yamlScalar(atPath(files, 'dir')), ...limit('max_file_store', inFiles) }
      : { max_file_store: 0 }),
  };
}

/** The content of nats.conf as data, before it is printed. */
export function serverConfig(nats: NatsRelease): JsonObject {
  const enabled = (name: string): boolean => truthy(atPath(protocolBlock(nats, name), 'enabled'));
  const active = Object.entries(blocks).filter(([name]) => enabled(name));
  const document: JsonObject = {
    server_name: '<< $SERVER_NAME >>',
    lame_duck_grace_period: '10s',
    lame_duck_duration: '30s',
    pid_file: '/var/run/nats/nats.pid',
    port: yamlScalar(atPath(protocolBlock(nats, 'nats'), 'port')),
    ...tls(nats, 'nats'),
    ...Object.fromEntries(active.map(([name, build]) => [name, overlaid(nats, build(nats), ['config', name])])),
    ...(enabled('monitor')
      ? { [encrypted(nats, 'monitor') ? 'https_port' : 'http_port']: yamlScalar(atPath(protocolBlock(nats, 'monitor'), 'port')) }
      : {}),
    ...(enabled('profiling') ? { prof_port: yamlScalar(atPath(protocolBlock(nats, 'profiling'), 'port')) } : {}),
  };
  return dropNulls(nats, overlaid(nats, document, ['config']), []) as JsonObject;
}

/** Drops nulls: the server reads them as strings and does not start. A null from `config.merge` is kept, with a warning. */
function dropNulls(nats: NatsRelease, value: Json, path: readonly string[]): Json {
  if (!isObject(value)) return value;
  const kept = Object.entries(value).flatMap(([key, entry]): readonly (readonly [string, Json])[] => {
    if (entry === undefined) return [];
    if (entry !== null) return [[key, dropNulls(nats, entry, [...path, key])]];
    if (nats.context.switches['nats-nulls']) return [];
    const message = 'is printed as null, which the server does not accept; remove it, or give a value';
    nats.warnings.push({ path: ['nats', 'config', 'merge', ...path, key], code: 'doubtful', message });
    return [[key, null]];
  });
  return Object.fromEntries(kept);
}

/** The ConfigMap with nats.conf. */
export function configMap(nats: NatsRelease, config: JsonObject): JsonObject {
  const document: JsonObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadata(nats, nats.names.configMap),
    data: { 'nats.conf': printConfig(config) },
  };
  return overlaid(nats, document, ['configMap']);
}

/** Files named in the configuration whose change must reload the server: certificates and included files, in key order. */
export function watchedFiles(config: JsonObject): readonly string[] {
  return sortedKeys(config).flatMap((key): readonly string[] => {
    const value = config[key];
    if (key === 'cert_file' || key === 'key_file' || key === 'ca_file') return [templateString(value)];
    if (key.endsWith('$include')) return [cleaned(`/etc/nats-config/${templateString(value)}`)];
    return isObject(value) ? watchedFiles(value) : [];
  });
}

/** An absolute path without `.` and `..`, as Go's `path.Clean`. */
function cleaned(path: string): string {
  const kept: string[] = [];
  for (const step of path.split('/')) {
    if (step === '..') kept.pop();
    else if (step !== '' && step !== '.') kept.push(step);
  }
  return `/${kept.join('/')}`;
}

/** Whether a path starts with one of the prefixes. */
export function startsWithAny(path: string, prefixes: unknown): boolean {
  return listAt(Array.isArray(prefixes) ? prefixes : []).some((prefix) => typeof prefix === 'string' && path.startsWith(prefix));
}
