import type { JsonObject } from '../../json/index.ts';
import { at, list, text, truthy } from '../go-values.ts';
import { memberDomain, members, scheme, type EtcdRelease } from './release.ts';
import { passwordKey, secretName } from './secrets.ts';

/** One environment variable with a fixed value. */
export function variable(name: string, value: string): JsonObject {
  return { name, value };
}

function field(name: string, fieldPath: string): JsonObject {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}

/** Whether a path of the values is on, as the word the image's scripts read. */
function yesNo(on: boolean): string {
  return on ? 'yes' : 'no';
}

/** Whether the scripts talk more. */
export function debugVariable({ values }: EtcdRelease): JsonObject {
  return variable('BITNAMI_DEBUG', String(truthy(at(values, 'image.debug')) || truthy(at(values, 'diagnosticMode.enabled'))));
}

/** How the root password reaches the container; nothing without authentication. */
export function passwordVariables(etcd: EtcdRelease): readonly JsonObject[] {
  if (!truthy(at(etcd.values, 'auth.rbac.create'))) return [];
  const key = passwordKey(etcd);
  if (truthy(at(etcd.values, 'usePasswordFiles')))
    return [variable('ETCD_ROOT_PASSWORD_FILE', `/opt/bitnami/etcd/secrets/${key}`)];
  return [{ name: 'ETCD_ROOT_PASSWORD', valueFrom: { secretKeyRef: { name: secretName(etcd), key } } }];
}

function tokenVariables({ values }: EtcdRelease): readonly JsonObject[] {
  const token = at(values, 'auth.token');
  if (!truthy(at(token, 'enabled'))) return [];
  const file = `/opt/bitnami/etcd/certs/token/${text(at(token, 'privateKey.filename'))}`;
  const kinds: Readonly<Record<string, string>> = {
    jwt: `jwt,priv-key=${file},sign-method=${text(at(token, 'signMethod'))},ttl=${text(at(token, 'ttl'))}`,
    simple: 'simple',
  };
  const value = kinds[text(at(token, 'type'))];
  return [value === undefined ? { name: 'ETCD_AUTH_TOKEN' } : variable('ETCD_AUTH_TOKEN', value)];
}

const channels = {
  client: { prefix: 'ETCD_', authentication: 'ETCD_CLIENT_CERT_AUTH' },
  peer: { prefix: 'ETCD_PEER_', authentication: 'ETCD_PEER_CLIENT_CERT_AUTH' },
} as const;

/** TLS settings of a channel. */
export function tlsVariables({ values }: EtcdRelease, channel: keyof typeof channels): readonly JsonObject[] {
  const block = at(values, `auth.${channel}`);
  const { prefix, authentication } = channels[channel];
  if (!truthy(at(block, 'secureTransport'))) return [];
  if (truthy(at(block, 'useAutoTLS'))) return [variable(`${prefix}AUTO_TLS`, 'true')];
  const file = (key: string): string => `/opt/bitnami/etcd/certs/${channel}/${key}`;
  const authority = text(at(block, 'caFilename'));
  const verified = truthy(at(block, 'enableAuthentication'));
  return [
    variable(`${prefix}CERT_FILE`, file(text(at(block, 'certFilename')))),
    variable(`${prefix}KEY_FILE`, file(text(at(block, 'certKeyFilename')))),
    ...(verified ? [variable(authentication, 'true')] : []),
    ...(verified || authority !== ''
      ? [variable(`${prefix}TRUSTED_CA_FILE`, file(authority === '' ? 'ca.crt' : authority))]
      : []),
  ];
}

/** Every member with its URL, as members find each other. */
export function memberUrls(
  etcd: EtcdRelease,
  channel: 'client' | 'peer',
  port: string,
): readonly { readonly member: string; readonly url: string }[] {
  return Array.from({ length: members(etcd) }, (_, index) => {
    const member = `${etcd.name}-${index}`;
    return { member, url: `${scheme(etcd, channel)}://${member}.${memberDomain(etcd)}:${port}` };
  });
}

function addressVariables(etcd: EtcdRelease): readonly JsonObject[] {
  const { values, name, namespace } = etcd;
  const [client, peer] = [text(at(values, 'containerPorts.client')), text(at(values, 'containerPorts.peer'))];
  const own = `$(MY_POD_NAME).${memberDomain(etcd)}`;
  const service = `${name}.${namespace}.svc.${text(at(values, 'clusterDomain'))}:${text(at(values, 'service.ports.client'))}`;
  const shared = truthy(at(values, 'service.enabled')) ? `,${scheme(etcd, 'client')}://${service}` : '';
  return [
    variable('ETCD_ADVERTISE_CLIENT_URLS', `${scheme(etcd, 'client')}://${own}:${client}${shared}`),
    variable('ETCD_LISTEN_CLIENT_URLS', `${scheme(etcd, 'client')}://0.0.0.0:${client}`),
    variable('ETCD_INITIAL_ADVERTISE_PEER_URLS', `${scheme(etcd, 'peer')}://${own}:${peer}`),
    variable('ETCD_LISTEN_PEER_URLS', `${scheme(etcd, 'peer')}://0.0.0.0:${peer}`),
    ...(truthy(at(values, 'metrics.useSeparateEndpoint'))
      ? [variable('ETCD_LISTEN_METRICS_URLS', `http://0.0.0.0:${text(at(values, 'containerPorts.metrics'))}`)]
      : []),
  ];
}

/** Whether a snapshot to start from lies on a claim of its own, not among those of disaster recovery. */
export function separateSnapshotClaim({ values }: Pick<EtcdRelease, 'values'>): boolean {
  if (!truthy(at(values, 'startFromSnapshot.enabled'))) return false;
  return !truthy(at(values, 'disasterRecovery.enabled')) || truthy(at(values, 'disasterRecovery.pvc.existingClaim'));
}

const optional: readonly (readonly [string, string])[] = [
  ['ETCD_AUTO_COMPACTION_MODE', 'autoCompactionMode'],
  ['ETCD_AUTO_COMPACTION_RETENTION', 'autoCompactionRetention'],
  ['GOMAXPROCS', 'maxProcs'],
];

/** Environment of a member, in the order of the original. */
export function memberEnvironment(etcd: EtcdRelease): readonly JsonObject[] {
  const { values } = etcd;
  const on = (path: string): boolean => truthy(at(values, path));
  const cluster = memberUrls(etcd, 'peer', text(at(values, 'containerPorts.peer'))).map(({ member, url }) => `${member}=${url}`);
  return [
    debugVariable(etcd),
    field('MY_POD_IP', 'status.podIP'),
    field('MY_POD_NAME', 'metadata.name'),
    variable('MY_STS_NAME', etcd.name),
    variable('ETCD_ON_K8S', 'yes'),
    variable('ETCD_START_FROM_SNAPSHOT', yesNo(on('startFromSnapshot.enabled'))),
    variable('ETCD_DISASTER_RECOVERY', yesNo(on('disasterRecovery.enabled'))),
    variable('ETCD_NAME', '$(MY_POD_NAME)'),
    variable('ETCD_DATA_DIR', '/bitnami/etcd/data'),
    variable('ETCD_LOG_LEVEL', on('image.debug') ? 'debug' : text(at(values, 'logLevel'))),
    variable('ALLOW_NONE_AUTHENTICATION', yesNo(!on('auth.rbac.create') && on('auth.rbac.allowNoneAuthentication'))),
    ...passwordVariables(etcd),
    ...tokenVariables(etcd),
    ...addressVariables(etcd),
    ...optional.flatMap(([name, path]) => (on(path) ? [variable(name, text(at(values, path)))] : [])),
    variable('ETCD_INITIAL_CLUSTER_TOKEN', text(at(values, 'initialClusterToken'))),
    variable('ETCD_INITIAL_CLUSTER', cluster.join(',')),
    variable('ETCD_CLUSTER_DOMAIN', memberDomain(etcd)),
    ...tlsVariables(etcd, 'client'),
    ...tlsVariables(etcd, 'peer'),
    ...(on('startFromSnapshot.enabled')
      ? [
          variable('ETCD_INIT_SNAPSHOT_FILENAME', text(at(values, 'startFromSnapshot.snapshotFilename'))),
          variable('ETCD_INIT_SNAPSHOTS_DIR', separateSnapshotClaim(etcd) ? '/init-snapshot' : '/snapshots'),
        ]
      : []),
    ...(list(at(values, 'extraEnvVars')) as readonly JsonObject[]),
  ];
}

/** Environment from whole ConfigMaps and Secrets. */
export function environmentSources(block: JsonObject): JsonObject {
  const [configMap, secret] = [block['extraEnvVarsCM'], block['extraEnvVarsSecret']];
  const envFrom = [
    ...(truthy(configMap) ? [{ configMapRef: { name: text(configMap) } }] : []),
    ...(truthy(secret) ? [{ secretRef: { name: text(secret) } }] : []),
  ];
  return envFrom.length === 0 ? {} : { envFrom };
}
