import { isObject, type Json, type JsonObject } from '../../json/index.ts';
import { at, list, orElse, text, truthy, type Value } from '../go-values.ts';
import { yamlScalar } from '../yaml-scalar.ts';
import { certificateAuthority, encrypted, protocolBlock } from './protocols.ts';
import { natsNamespace, overlaid, type NatsRelease } from './release.ts';

function file(dir: Value, name: string): string {
  return `${text(dir).replace(/\/$/, '')}/${name}`;
}

/** The `tls` entry of a protocol's block; empty when it is off. */
function tls(nats: NatsRelease, protocol: string): JsonObject {
  if (!encrypted(nats, protocol)) return {};
  const block = at(protocolBlock(nats, protocol), 'tls');
  const authority = certificateAuthority(nats);
  const cert = at(block, 'cert');
  const key = at(block, 'key');
  const document: JsonObject = {
    ...(truthy(at(block, 'secretName'))
      ? {
          cert_file: file(at(block, 'dir'), truthy(cert) ? text(cert) : 'tls.crt'),
          key_file: file(at(block, 'dir'), truthy(key) ? text(key) : 'tls.key'),
        }
      : {}),
    ...(authority === undefined ? {} : { ca_file: authority.file }),
  };
  return { tls: overlaid(nats, document, ['config', protocol, 'tls']) };
}

/** Percent-encodes as Go's QueryEscape does, so that any password fits into a URL. */
function queryEscaped(value: string): string {
  return encodeURIComponent(value)
    .replaceAll('%20', '+')
    .replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

function cluster(nats: NatsRelease): JsonObject {
  const block = protocolBlock(nats, 'cluster');
  const urls = at(block, 'routeURLs');
  const [user, password] = [at(urls, 'user'), at(urls, 'password')];
  const authorized = truthy(user) && truthy(password);
  const scheme = encrypted(nats, 'cluster') ? 'tls' : 'nats';
  const credentials = authorized ? `${queryEscaped(text(user))}:${queryEscaped(text(password))}@` : '';
  const suffix = truthy(at(urls, 'useFQDN')) ? `.${natsNamespace(nats)}.svc.${text(at(urls, 'k8sClusterDomain'))}` : '';
  const { statefulSet, headlessService } = nats.names;
  const host = (index: number): string => `${statefulSet}-${index}.${headlessService}${suffix}:${text(at(block, 'port'))}`;
  const routes = Array.from({ length: replicas(nats) }, (_, index) => `${scheme}://${credentials}${host(index)}`);
  return {
    name: statefulSet,
    port: yamlScalar(at(block, 'port')),
    no_advertise: true,
    routes: routes.length === 0 ? null : routes,
    ...(authorized ? { authorization: { user: text(user), password: text(password) } } : {}),
    ...tls(nats, 'cluster'),
  };
}

/** Servers in the cluster, or one. */
export function replicas(nats: NatsRelease): number {
  const block = protocolBlock(nats, 'cluster');
  return truthy(at(block, 'enabled')) ? Math.max(0, Math.trunc(Number(text(at(block, 'replicas'))) || 0)) : 1;
}

/** Blocks of protocols that are off by default. */
const blocks: Readonly<Record<string, (nats: NatsRelease) => JsonObject>> = {
  leafnodes: (nats) => ({
    port: yamlScalar(at(protocolBlock(nats, 'leafnodes'), 'port')),
    no_advertise: true,
    ...tls(nats, 'leafnodes'),
  }),
  websocket: (nats) => ({
    port: yamlScalar(at(protocolBlock(nats, 'websocket'), 'port')),
    ...(encrypted(nats, 'websocket') ? tls(nats, 'websocket') : { no_tls: true }),
  }),
  mqtt: (nats) => ({ port: yamlScalar(at(protocolBlock(nats, 'mqtt'), 'port')), ...tls(nats, 'mqtt') }),
  cluster,
  gateway: (nats) => ({
    name: nats.names.statefulSet,
    port: yamlScalar(at(protocolBlock(nats, 'gateway'), 'port')),
    ...tls(nats, 'gateway'),
  }),
  jetstream: (nats) => jetStream(nats),
  resolver: (nats) => ({ dir: yamlScalar(at(nats.values, 'config.resolver.dir')) }),
};

function jetStream(nats: NatsRelease): JsonObject {
  const block = at(nats.values, 'config.jetstream');
  const [memory, files] = [at(block, 'memoryStore'), at(block, 'fileStore')];
  const [inMemory, inFiles] = [
    at(memory, 'maxSize'),
    orElse(at(files, 'maxSize'), truthy(at(files, 'pvc.enabled')) ? at(files, 'pvc.size') : null),
  ];
  // a large number prints in exponent form, which the server does not take for a size
  const shown = (size: Value): string =>
    typeof size === 'number' && nats.context.switches['sound-values'] ? String(size) : text(size);
  const limit = (key: string, size: Value): JsonObject => (truthy(size) ? { [key]: `<< ${shown(size)} >>` } : {});
  return {
    ...(truthy(at(memory, 'enabled')) ? limit('max_memory_store', inMemory) : truthy(memory) ? { max_memory_store: 0 } : {}),
    ...(truthy(at(files, 'enabled'))
      ? { store_dir: yamlScalar(at(files, 'dir')), ...limit('max_file_store', inFiles) }
      : { max_file_store: 0 }),
  };
}

/** The content of nats.conf as data, before it is printed. */
export function serverConfig(nats: NatsRelease): JsonObject {
  const enabled = (name: string): boolean => truthy(at(protocolBlock(nats, name), 'enabled'));
  const active = Object.entries(blocks).filter(([name]) => enabled(name));
  const document: JsonObject = {
    server_name: '<< $SERVER_NAME >>',
    lame_duck_grace_period: '10s',
    lame_duck_duration: '30s',
    pid_file: '/var/run/nats/nats.pid',
    port: yamlScalar(at(protocolBlock(nats, 'nats'), 'port')),
    ...tls(nats, 'nats'),
    ...Object.fromEntries(active.map(([name, build]) => [name, overlaid(nats, build(nats), ['config', name])])),
    ...(enabled('monitor')
      ? { [encrypted(nats, 'monitor') ? 'https_port' : 'http_port']: yamlScalar(at(protocolBlock(nats, 'monitor'), 'port')) }
      : {}),
    ...(enabled('profiling') ? { prof_port: yamlScalar(at(protocolBlock(nats, 'profiling'), 'port')) } : {}),
  };
  return dropNulls(nats, overlaid(nats, document, ['config']), []) as JsonObject;
}

/** Deals with nulls: the server reads them as texts and does not start, so they are taken out or warned of. */
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

/** Files named in the configuration whose change must reload the server: certificates and included files, in key order. */
export function watchedFiles(config: JsonObject): readonly string[] {
  return Object.keys(config)
    .sort()
    .flatMap((key): readonly string[] => {
      const value = config[key];
      if (key === 'cert_file' || key === 'key_file' || key === 'ca_file') return [text(value)];
      if (key.endsWith('$include')) return [cleaned(`/etc/nats-config/${text(value)}`)];
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? watchedFiles(value as JsonObject) : [];
    });
}

/** The shortest form of an absolute path, without `.` and `..`. */
function cleaned(path: string): string {
  const kept: string[] = [];
  for (const step of path.split('/')) {
    if (step === '..') kept.pop();
    else if (step !== '' && step !== '.') kept.push(step);
  }
  return `/${kept.join('/')}`;
}

/** Whether a list of prefixes names the start of a path. */
export function startsWithAny(path: string, prefixes: unknown): boolean {
  return list(Array.isArray(prefixes) ? prefixes : []).some((prefix) => typeof prefix === 'string' && path.startsWith(prefix));
}
