import { spreadConstraint } from '../spread-constraint.ts';
import { type JsonObject, listAt, objectAt } from '../../json/index.ts';
import { atPath, templateString, truthy } from '../go-values.ts';
import { yamlScalar } from '../yaml-scalar.ts';
import { environmentSources, memberEnvironment } from './environment.ts';
import { imageOf, pullSecrets } from './images.ts';
import { placement } from './placement.ts';
import {
  joined,
  labels,
  members,
  metadata,
  podLabels,
  selectorLabels,
  serviceAccountName,
  suffixed,
  whereSet,
  type EtcdRelease,
} from './release.ts';
import { resourcesOf } from './resources.ts';
import { makesTokenSecret } from './secrets.ts';
import { podSecurityContext, securityContext } from './security-context.ts';
import { podVolumes } from './volumes.ts';

const healthcheck = { exec: { command: ['/opt/bitnami/scripts/etcd/healthcheck.sh'] } };

/** Probes: a custom one replaces the standard one; none in diagnostic mode. */
function probes(etcd: EtcdRelease): JsonObject {
  const { values, context } = etcd;
  if (truthy(atPath(values, 'diagnosticMode.enabled'))) return {};
  const encrypted = truthy(atPath(values, 'auth.client.secureTransport'));
  const live = { httpGet: { port: yamlScalar(atPath(values, 'containerPorts.client')), path: '/livez', scheme: 'HTTP' } };
  const handlers = { livenessProbe: encrypted ? healthcheck : live, readinessProbe: healthcheck, startupProbe: healthcheck };
  return Object.fromEntries(
    Object.entries(handlers).flatMap(([name, handler]): readonly (readonly [string, JsonObject])[] => {
      const custom = atPath(values, `custom${name.charAt(0).toUpperCase()}${name.slice(1)}`);
      if (truthy(custom)) return [[name, objectAt(custom)]];
      const { enabled, ...timing } = objectAt(values[name]);
      return truthy(enabled) || context.switches['etcd-probes'] ? [[name, { ...timing, ...handler }]] : [];
    }),
  );
}

/** Command and arguments of a container: those of diagnostic mode, else those of its block. */
export function commandFields({ values }: EtcdRelease, block: JsonObject): JsonObject {
  const source = truthy(atPath(values, 'diagnosticMode.enabled')) ? atPath(values, 'diagnosticMode') : block;
  return whereSet(source, 'command', 'args');
}

function container(etcd: EtcdRelease): JsonObject {
  const { values } = etcd;
  const port = (name: string): JsonObject => ({
    name,
    containerPort: yamlScalar(atPath(values, `containerPorts.${name}`)),
    protocol: 'TCP',
  });
  const hooks = atPath(values, 'lifecycleHooks');
  return {
    name: 'etcd',
    image: imageOf(etcd),
    imagePullPolicy: templateString(atPath(values, 'image.pullPolicy')),
    ...securityContext(etcd, atPath(values, 'containerSecurityContext')),
    ...commandFields(etcd, values),
    env: memberEnvironment(etcd),
    ...environmentSources(values),
    ports: [port('client'), port('peer'), ...(truthy(atPath(values, 'metrics.useSeparateEndpoint')) ? [port('metrics')] : [])],
    ...probes(etcd),
    ...(truthy(hooks) ? { lifecycle: hooks } : {}),
    ...resourcesOf(etcd, []),
    volumeMounts: podVolumes(etcd, true).mounts,
  };
}

function ownerFix(etcd: EtcdRelease): JsonObject {
  const { values } = etcd;
  const owner = `${templateString(atPath(values, 'containerSecurityContext.runAsUser'))}:${templateString(atPath(values, 'podSecurityContext.fsGroup'))}`;
  return {
    name: 'volume-permissions',
    image: imageOf(etcd, 'volumePermissions.image'),
    imagePullPolicy: templateString(atPath(values, 'volumePermissions.image.pullPolicy')),
    command: ['/bin/bash', '-ec', `chown -R ${owner} /bitnami/etcd\n`],
    securityContext: { runAsUser: 0 },
    ...resourcesOf(etcd, ['volumePermissions']),
    volumeMounts: [
      { name: 'data', mountPath: '/bitnami/etcd' },
      { name: 'empty-dir', mountPath: '/tmp', subPath: 'tmp-dir' },
    ],
  };
}

/** Annotations that restart the members when a ConfigMap or Secret of the release changes. */
export function checksums(etcd: EtcdRelease): JsonObject {
  const sum = etcd.context.checksum;
  const configuration = atPath(etcd.values, 'configuration');
  const own = truthy(configuration) && !truthy(atPath(etcd.values, 'existingConfigmap'));
  return {
    ...(own ? { 'checksum/configuration': sum(templateString(configuration)) } : {}),
    ...(makesTokenSecret(etcd) ? { 'checksum/token-secret': sum(suffixed(etcd, 'jwt-token')) } : {}),
  };
}

function podTemplate(etcd: EtcdRelease): JsonObject {
  const { values, context } = etcd;
  const on = (path: string): boolean => truthy(atPath(values, path));
  const custom = podLabels(etcd);
  const fixOwners = on('volumePermissions.enabled') && on('persistence.enabled');
  const initContainers = [...(fixOwners ? [ownerFix(etcd)] : []), ...listAt(values['initContainers'])];
  const spread = context.switches['spread-replicas'] && members(etcd) > 1 && !on('topologySpreadConstraints');
  return {
    metadata: {
      labels: labels(etcd, custom, 'etcd'),
      annotations: joined(
        checksums(etcd),
        on('metrics.enabled') ? atPath(values, 'metrics.podAnnotations') : {},
        values['podAnnotations'],
      ),
    },
    spec: {
      ...pullSecrets(etcd),
      automountServiceAccountToken: yamlScalar(atPath(values, 'automountServiceAccountToken')),
      ...placement(etcd, values, custom, 'etcd'),
      ...(spread ? { topologySpreadConstraints: [spreadConstraint('node', selectorLabels(etcd, custom))] } : {}),
      ...podSecurityContext(etcd, atPath(values, 'podSecurityContext')),
      ...whereSet(values, 'shareProcessNamespace'),
      serviceAccountName: serviceAccountName(etcd),
      ...(initContainers.length > 0 ? { initContainers } : {}),
      containers: [container(etcd), ...listAt(values['sidecars'])],
      volumes: podVolumes(etcd, true).volumes,
    },
  };
}

/** Storage class of a claim: the global one, the given one, the global default; `-` is the empty class. */
function storageClass({ values }: EtcdRelease): JsonObject {
  const candidates = [
    atPath(values, 'global.storageClass'),
    atPath(values, 'persistence.storageClass'),
    atPath(values, 'global.defaultStorageClass'),
  ];
  const chosen = candidates.find(truthy);
  return chosen === undefined ? {} : { storageClassName: chosen === '-' ? '' : templateString(chosen) };
}

function dataClaim(etcd: EtcdRelease): JsonObject {
  const block = atPath(etcd.values, 'persistence');
  return {
    metadata: { name: 'data', ...whereSet(block, 'annotations', 'labels') },
    spec: {
      accessModes: listAt(atPath(block, 'accessModes')),
      resources: { requests: { storage: templateString(atPath(block, 'size')) } },
      ...whereSet(block, 'selector'),
      ...storageClass(etcd),
    },
  };
}

/** The StatefulSet of members. */
export function statefulSet(etcd: EtcdRelease): JsonObject {
  const { values } = etcd;
  const retention = objectAt(values['persistentVolumeClaimRetentionPolicy']);
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: metadata(etcd, { name: etcd.name, component: 'etcd' }),
    spec: {
      replicas: yamlScalar(atPath(values, 'replicaCount')),
      selector: { matchLabels: selectorLabels(etcd, podLabels(etcd)) },
      serviceName: suffixed(etcd, 'headless'),
      podManagementPolicy: templateString(atPath(values, 'podManagementPolicy')),
      updateStrategy: atPath(values, 'updateStrategy'),
      template: podTemplate(etcd),
      ...(truthy(retention['enabled'])
        ? { persistentVolumeClaimRetentionPolicy: { whenDeleted: retention['whenDeleted'], whenScaled: retention['whenScaled'] } }
        : {}),
      volumeClaimTemplates: [
        ...(truthy(atPath(values, 'persistence.enabled')) ? [dataClaim(etcd)] : []),
        ...listAt(values['extraVolumeClaimTemplates']),
      ],
    },
  };
}
