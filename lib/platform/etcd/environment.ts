import { type JsonObject, listAt } from '../../json/index.ts';
import { atPath, templateString, truthy } from '../go-values.ts';
import { memberDomain, members, scheme, type EtcdRelease } from './release.ts';
import { passwordKey, secretName } from './secrets.ts';

/** One environment variable with a fixed value. */
export function variable(name: string, value: string): JsonObject {
  return { name, value };
}

function field(name: string, fieldPath: string): JsonObject {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}

/** A boolean as the scripts of the image read it. */
function yesNo(on: boolean): string {
  return on ? 'yes' : 'no';
}

/** The variable that makes the scripts of the image log in detail. */
export function debugVariable({ values }: EtcdRelease): JsonObject {
  return variable(
    'BITNAMI_DEBUG',
    String(truthy(atPath(values, 'image.debug')) || truthy(atPath(values, 'diagnosticMode.enabled'))),
  );
}

/** The variable with the root password, or with the path of its file; none without authentication. */
export function passwordVariables(etcd: EtcdRelease): readonly JsonObject[] {
  if (!truthy(atPath(etcd.values, 'auth.rbac.create'))) return [];
  const key = passwordKey(etcd);
  if (truthy(atPath(etcd.values, 'usePasswordFiles')))
    return [variable('ETCD_ROOT_PASSWORD_FILE', `/opt/bitnami/etcd/secrets/${key}`)];
  return [{ name: 'ETCD_ROOT_PASSWORD', valueFrom: { secretKeyRef: { name: secretName(etcd), key } } }];
}

function tokenVariables({ values }: EtcdRelease): readonly JsonObject[] {
  const token = atPath(values, 'auth.token');
  if (!truthy(atPath(token, 'enabled'))) return [];
  const file = `/opt/bitnami/etcd/certs/token/${templateString(atPath(token, 'privateKey.filename'))}`;
  const kinds: Readonly<Record<string, string>> = {
    jwt: `jwt,priv-key=${file},sign-method=${templateString(atPath(token, 'signMethod'))},ttl=${templateString(atPath(token, 'ttl'))}`,
    simple: 'simple',
  };
  const value = kinds[templateString(atPath(token, 'type'))];
  return [value === undefined ? { name: 'ETCD_AUTH_TOKEN' } : variable('ETCD_AUTH_TOKEN', value)];
}

const channels = {
  client: { prefix: 'ETCD_', authentication: 'ETCD_CLIENT_CERT_AUTH' },
  peer: { prefix: 'ETCD_PEER_', authentication: 'ETCD_PEER_CLIENT_CERT_AUTH' },
} as const;

/** TLS settings of a channel. */
export function tlsVariables({ values }: EtcdRelease, channel: keyof typeof channels): readonly JsonObject[] {
  const block = atPath(values, `auth.${channel}`);
  const { prefix, authentication } = channels[channel];
  if (!truthy(atPath(block, 'secureTransport'))) return [];
  if (truthy(atPath(block, 'useAutoTLS'))) return [variable(`${prefix}AUTO_TLS`, 'true')];
  const file = (key: string): string => `/opt/bitnami/etcd/certs/${channel}/${key}`;
  const authority = templateString(atPath(block, 'caFilename'));
  const verified = truthy(atPath(block, 'enableAuthentication'));
  return [
    variable(`${prefix}CERT_FILE`, file(templateString(atPath(block, 'certFilename')))),
    variable(`${prefix}KEY_FILE`, file(templateString(atPath(block, 'certKeyFilename')))),
    ...(verified ? [variable(authentication, 'true')] : []),
    ...(verified || authority !== ''
      ? [variable(`${prefix}TRUSTED_CA_FILE`, file(authority === '' ? 'ca.crt' : authority))]
      : []),
  ];
}

/** TLS settings of etcdctl, if the server requires client certificates or has one that clients must verify. */
export function clientVariables({ values }: EtcdRelease): readonly JsonObject[] {
  const block = atPath(values, 'auth.client');
  const secure = truthy(atPath(block, 'secureTransport')) && !truthy(atPath(block, 'useAutoTLS'));
  if (!secure && !truthy(atPath(block, 'enableAuthentication'))) return [];
  const authority = templateString(atPath(block, 'caFilename'));
  const file = (name: string): string => `/opt/bitnami/etcd/certs/client/${name}`;
  return [
    variable('ETCDCTL_CACERT', file(authority === '' ? 'ca.crt' : authority)),
    variable('ETCDCTL_KEY', file(templateString(atPath(block, 'certKeyFilename')))),
    variable('ETCDCTL_CERT', file(templateString(atPath(block, 'certFilename')))),
  ];
}

/** Every member with its URL. */
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
  const [client, peer] = [
    templateString(atPath(values, 'containerPorts.client')),
    templateString(atPath(values, 'containerPorts.peer')),
  ];
  const own = `$(MY_POD_NAME).${memberDomain(etcd)}`;
  const service = `${name}.${namespace}.svc.${templateString(atPath(values, 'clusterDomain'))}:${templateString(atPath(values, 'service.ports.client'))}`;
  const shared = truthy(atPath(values, 'service.enabled')) ? `,${scheme(etcd, 'client')}://${service}` : '';
  return [
    variable('ETCD_ADVERTISE_CLIENT_URLS', `${scheme(etcd, 'client')}://${own}:${client}${shared}`),
    variable('ETCD_LISTEN_CLIENT_URLS', `${scheme(etcd, 'client')}://0.0.0.0:${client}`),
    variable('ETCD_INITIAL_ADVERTISE_PEER_URLS', `${scheme(etcd, 'peer')}://${own}:${peer}`),
    variable('ETCD_LISTEN_PEER_URLS', `${scheme(etcd, 'peer')}://0.0.0.0:${peer}`),
    ...(truthy(atPath(values, 'metrics.useSeparateEndpoint'))
      ? [variable('ETCD_LISTEN_METRICS_URLS', `http://0.0.0.0:${templateString(atPath(values, 'containerPorts.metrics'))}`)]
      : []),
  ];
}

/** Whether the initial snapshot is on its own PersistentVolumeClaim, not on that of disaster recovery. */
export function separateSnapshotClaim({ values }: Pick<EtcdRelease, 'values'>): boolean {
  if (!truthy(atPath(values, 'startFromSnapshot.enabled'))) return false;
  return !truthy(atPath(values, 'disasterRecovery.enabled')) || truthy(atPath(values, 'disasterRecovery.pvc.existingClaim'));
}

const optional: readonly (readonly [string, string])[] = [
  ['ETCD_AUTO_COMPACTION_MODE', 'autoCompactionMode'],
  ['ETCD_AUTO_COMPACTION_RETENTION', 'autoCompactionRetention'],
  ['GOMAXPROCS', 'maxProcs'],
];

/** Environment of a member, in the order of the original. */
export function memberEnvironment(etcd: EtcdRelease): readonly JsonObject[] {
  const { values } = etcd;
  const on = (path: string): boolean => truthy(atPath(values, path));
  const cluster = memberUrls(etcd, 'peer', templateString(atPath(values, 'containerPorts.peer'))).map(
    ({ member, url }) => `${member}=${url}`,
  );
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
    variable('ETCD_LOG_LEVEL', on('image.debug') ? 'debug' : templateString(atPath(values, 'logLevel'))),
    variable('ALLOW_NONE_AUTHENTICATION', yesNo(!on('auth.rbac.create') && on('auth.rbac.allowNoneAuthentication'))),
    ...passwordVariables(etcd),
    ...tokenVariables(etcd),
    ...addressVariables(etcd),
    ...optional.flatMap(([name, path]) => (on(path) ? [variable(name, templateString(atPath(values, path)))] : [])),
    variable('ETCD_INITIAL_CLUSTER_TOKEN', templateString(atPath(values, 'initialClusterToken'))),
    variable('ETCD_INITIAL_CLUSTER', cluster.join(',')),
    variable('ETCD_CLUSTER_DOMAIN', memberDomain(etcd)),
    ...tlsVariables(etcd, 'client'),
    ...tlsVariables(etcd, 'peer'),
    ...(on('startFromSnapshot.enabled')
      ? [
          variable('ETCD_INIT_SNAPSHOT_FILENAME', templateString(atPath(values, 'startFromSnapshot.snapshotFilename'))),
          variable('ETCD_INIT_SNAPSHOTS_DIR', separateSnapshotClaim(etcd) ? '/init-snapshot' : '/snapshots'),
        ]
      : []),
    ...(listAt(atPath(values, 'extraEnvVars')) as readonly JsonObject[]),
  ];
}

/** Environment from whole ConfigMaps and Secrets. */
export function environmentSources(block: JsonObject): JsonObject {
  const [configMap, secret] = [block['extraEnvVarsCM'], block['extraEnvVarsSecret']];
  const envFrom = [
    ...(truthy(configMap) ? [{ configMapRef: { name: templateString(configMap) } }] : []),
    ...(truthy(secret) ? [{ secretRef: { name: templateString(secret) } }] : []),
  ];
  return envFrom.length === 0 ? {} : { envFrom };
}
