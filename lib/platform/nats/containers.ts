import { type JsonObject, listAt } from '../../json/index.ts';
import { atPath, templateString, truthy } from '../go-values.ts';
import { yamlScalar } from '../yaml-scalar.ts';
import { startsWithAny, watchedFiles } from './config.ts';
import { containerHardening, temporaryFiles } from './hardening.ts';
import { certificateAuthority, containerPorts, encrypted, protocolBlock, tlsSecrets } from './protocols.ts';
import { environmentEntries, imageFields, overlaid, type NatsRelease } from './release.ts';

const pidFile = '/var/run/nats/nats.pid';
const configFile = '/etc/nats-config/nats.conf';
const pidMount = { name: 'pid', mountPath: '/var/run/nats' };

/** The three probes, which call the monitoring port; without it there are none. */
const probes = {
  startupProbe: { path: '/healthz', periodSeconds: 10, failureThreshold: 90 },
  readinessProbe: { path: '/healthz?js-server-only=true', periodSeconds: 10, failureThreshold: 3 },
  livenessProbe: { path: '/healthz?js-enabled-only=true', periodSeconds: 30, failureThreshold: 3 },
} as const;

function probeFields(nats: NatsRelease): JsonObject {
  if (!truthy(atPath(protocolBlock(nats, 'monitor'), 'enabled'))) return {};
  const scheme = encrypted(nats, 'monitor') ? { scheme: 'HTTPS' } : {};
  return Object.fromEntries(
    Object.entries(probes).map(([name, { path, ...timing }]) => [
      name,
      {
        httpGet: { path, port: 'monitor', ...scheme },
        initialDelaySeconds: 10,
        timeoutSeconds: 5,
        successThreshold: 1,
        ...timing,
      },
    ]),
  );
}

/** Whether JetStream keeps its files on its own PersistentVolumeClaim. */
export function hasJetStreamClaim({ values }: Pick<NatsRelease, 'values'>): boolean {
  return ['', 'fileStore.', 'fileStore.pvc.'].every((block) => truthy(atPath(values, `config.jetstream.${block}enabled`)));
}

/** Whether the resolver keeps its accounts on its own PersistentVolumeClaim. */
export function hasResolverClaim({ values }: Pick<NatsRelease, 'values'>): boolean {
  return truthy(atPath(values, 'config.resolver.enabled')) && truthy(atPath(values, 'config.resolver.pvc.enabled'));
}

function serverMounts(nats: NatsRelease): readonly JsonObject[] {
  const { values, names } = nats;
  const authority = certificateAuthority(nats);
  return [
    { name: 'config', mountPath: '/etc/nats-config' },
    pidMount,
    ...(hasJetStreamClaim(nats)
      ? [{ name: names.jetStreamClaim, mountPath: templateString(atPath(values, 'config.jetstream.fileStore.dir')) }]
      : []),
    ...(hasResolverClaim(nats)
      ? [{ name: names.resolverClaim, mountPath: templateString(atPath(values, 'config.resolver.dir')) }]
      : []),
    ...(authority === undefined ? [] : [authority.mount]),
    ...tlsSecrets(nats).map(({ volume, dir }) => ({ name: volume, mountPath: dir })),
    ...temporaryFiles(nats.context).mounts,
  ];
}

/** The NATS server. */
export function serverContainer(nats: NatsRelease): JsonObject {
  const document: JsonObject = {
    name: 'nats',
    ...imageFields(nats, ['container']),
    args: ['--config', configFile],
    env: [
      { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'SERVER_NAME', value: `${templateString(atPath(nats.values, 'config.serverNamePrefix'))}$(POD_NAME)` },
      ...environmentEntries(nats, ['container']),
    ],
    ports: containerPorts(nats),
    lifecycle: { preStop: { exec: { command: ['nats-server', `-sl=ldm=${pidFile}`] } } },
    ...probeFields(nats),
    ...containerHardening(nats.context, 'server'),
    volumeMounts: serverMounts(nats),
  };
  return overlaid(nats, document, ['container']);
}

/** The sidecar that signals the server when its configuration or a certificate changes. */
export function reloaderContainer(nats: NatsRelease, config: JsonObject, server: JsonObject): JsonObject {
  const prefixes = atPath(nats.values, 'reloader.natsVolumeMountPrefixes');
  const env = environmentEntries(nats, ['reloader']);
  const document: JsonObject = {
    name: 'reloader',
    ...imageFields(nats, ['reloader']),
    ...(env.length > 0 ? { env } : {}),
    args: ['-pid', pidFile, '-config', configFile, ...watchedFiles(config).flatMap((file) => ['-config', file])],
    ...containerHardening(nats.context, 'reloader'),
    volumeMounts: [
      pidMount,
      ...listAt(server['volumeMounts']).filter((mount) => startsWithAny(templateString(atPath(mount, 'mountPath')), prefixes)),
    ],
  };
  return overlaid(nats, document, ['reloader']);
}

/** The sidecar that turns the monitoring endpoint into Prometheus metrics. */
export function exporterContainer(nats: NatsRelease): JsonObject {
  const env = environmentEntries(nats, ['promExporter']);
  const port = yamlScalar(atPath(nats.values, 'promExporter.port'));
  const on = (name: string): boolean => truthy(atPath(protocolBlock(nats, name), 'enabled'));
  const endpoints = [
    '-connz',
    '-routez',
    '-subz',
    '-varz',
    '-prefix=nats',
    '-use_internal_server_id',
    ...(on('jetstream') ? ['-jsz=all'] : []),
    ...(on('leafnodes') ? ['-leafz'] : []),
    ...(on('gateway') ? ['-gatewayz'] : []),
  ];
  const document: JsonObject = {
    name: 'prom-exporter',
    ...imageFields(nats, ['promExporter']),
    ports: [{ name: 'prom-metrics', containerPort: port }],
    ...(env.length > 0 ? { env } : {}),
    args: [
      `-port=${templateString(port)}`,
      ...endpoints,
      `http://localhost:${templateString(atPath(protocolBlock(nats, 'monitor'), 'port'))}/`,
    ],
    ...containerHardening(nats.context, 'exporter'),
  };
  return overlaid(nats, document, ['promExporter']);
}
