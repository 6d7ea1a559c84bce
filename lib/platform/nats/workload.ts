import { spreadConstraint } from '../spread-constraint.ts';
import { byteOrder, type JsonObject, objectAt } from '../../json/index.ts';
import { atPath, templateString, truthy } from '../go-values.ts';
import { templateYaml } from '../template-yaml.ts';
import { yamlScalar } from '../yaml-scalar.ts';
import { replicas } from './config.ts';
import { sortedJson } from './config-text.ts';
import { exporterContainer, hasJetStreamClaim, hasResolverClaim, reloaderContainer, serverContainer } from './containers.ts';
import { podHardening, temporaryFiles } from './hardening.ts';
import { secretMode } from '../pod-security.ts';
import { certificateAuthority, tlsSecrets } from './protocols.ts';
import { labels, metadata, overlaid, pullSecrets, selectorLabels, type NatsRelease } from './release.ts';

function volumes(nats: NatsRelease): readonly JsonObject[] {
  const authority = certificateAuthority(nats);
  return [
    { name: 'config', configMap: { name: nats.names.configMap } },
    { name: 'pid', emptyDir: {} },
    ...(authority === undefined ? [] : [authority.volume]),
    ...tlsSecrets(nats).map(({ volume, secret }) => ({
      name: volume,
      secret: { secretName: secret, ...secretMode(nats.context) },
    })),
    ...temporaryFiles(nats.context).volumes,
  ];
}

/** Spread constraints of the servers: those of the values, or over nodes if there are several servers. */
function spreading(nats: NatsRelease): JsonObject {
  const given = Object.entries(objectAt(atPath(nats.values, 'podTemplate.topologySpreadConstraints')));
  const matchLabels = selectorLabels(nats);
  if (given.length === 0)
    return nats.context.switches['spread-replicas'] && replicas(nats) > 1
      ? { topologySpreadConstraints: [spreadConstraint('node', matchLabels)] }
      : {};
  const constraints = given.sort(([a], [b]) => byteOrder(a, b));
  return {
    topologySpreadConstraints: constraints.map(([topologyKey, fields]) => ({
      ...objectAt(fields),
      topologyKey,
      labelSelector: { matchLabels },
    })),
  };
}

/**
 * The input of the checksum that restarts pods when it changes. Without the switch `managed-by` it is the YAML that Helm prints, so that migrating
 * from Helm restarts nothing.
 * https://helm.sh/docs/howto/charts_tips_and_tricks/#automatically-roll-deployments
 */
function checksumInput(nats: NatsRelease, configMap: JsonObject): string {
  return nats.context.switches['managed-by'] ? sortedJson(configMap) : templateYaml(configMap);
}

function podTemplate(nats: NatsRelease, config: JsonObject, configMap: JsonObject): JsonObject {
  const on = (path: string): boolean => truthy(atPath(nats.values, path));
  const server = serverContainer(nats);
  const document: JsonObject = {
    metadata: {
      labels: labels(nats),
      ...(on('podTemplate.configChecksumAnnotation')
        ? { annotations: { 'checksum/config': nats.context.checksum(checksumInput(nats, configMap)) } }
        : {}),
    },
    spec: {
      containers: [
        server,
        ...(on('reloader.enabled') ? [reloaderContainer(nats, config, server)] : []),
        ...(on('promExporter.enabled') ? [exporterContainer(nats)] : []),
      ],
      enableServiceLinks: false,
      ...podHardening(nats.context),
      ...pullSecrets(nats),
      ...(on('serviceAccount.enabled') ? { serviceAccountName: nats.names.serviceAccount } : {}),
      ...(on('reloader.enabled') ? { shareProcessNamespace: true } : {}),
      volumes: volumes(nats),
      ...spreading(nats),
    },
  };
  return overlaid(nats, document, ['podTemplate']);
}

function claim(nats: NatsRelease, name: string, path: readonly string[]): JsonObject {
  const block = atPath(nats.values, ...path);
  const storageClass = atPath(block, 'storageClassName');
  const document: JsonObject = {
    metadata: { name },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: yamlScalar(atPath(block, 'size')) } },
      ...(truthy(storageClass) ? { storageClassName: templateString(storageClass) } : {}),
    },
  };
  return overlaid(nats, document, path);
}

/** The StatefulSet of servers. */
export function statefulSet(nats: NatsRelease, config: JsonObject, configMap: JsonObject): JsonObject {
  const { names } = nats;
  const clustered = truthy(atPath(nats.values, 'config.cluster.enabled'));
  const document: JsonObject = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: metadata(nats, names.statefulSet),
    spec: {
      selector: { matchLabels: selectorLabels(nats) },
      replicas: clustered ? yamlScalar(atPath(nats.values, 'config.cluster.replicas')) : 1,
      serviceName: names.headlessService,
      podManagementPolicy: 'Parallel',
      template: podTemplate(nats, config, configMap),
      volumeClaimTemplates: [
        ...(hasJetStreamClaim(nats) ? [claim(nats, names.jetStreamClaim, ['config', 'jetstream', 'fileStore', 'pvc'])] : []),
        ...(hasResolverClaim(nats) ? [claim(nats, names.resolverClaim, ['config', 'resolver', 'pvc'])] : []),
      ],
    },
  };
  return overlaid(nats, document, ['statefulSet']);
}
