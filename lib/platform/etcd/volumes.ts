import { type JsonObject, listAt } from '../../json/index.ts';
import { atPath, orElse, templateString, truthy } from '../go-values.ts';
import { secretMode } from '../pod-security.ts';
import { separateSnapshotClaim } from './environment.ts';
import { suffixed, type EtcdRelease } from './release.ts';
import { authenticated, secretName, tokenSecretName, usesTokenKey } from './secrets.ts';

/** A volume and its mount. */
interface Mounted {
  readonly volume: JsonObject;
  readonly mount: JsonObject;
}

function secretVolume(name: string, secret: string): JsonObject {
  return { name, secret: { secretName: secret, defaultMode: 256 } };
}

/** Whether a channel needs a Secret with certificates. */
export function needsCertificates({ values }: Pick<EtcdRelease, 'values'>, channel: 'client' | 'peer'): boolean {
  const block = atPath(values, `auth.${channel}`);
  return (
    truthy(atPath(block, 'enableAuthentication')) ||
    (truthy(atPath(block, 'secureTransport')) && !truthy(atPath(block, 'useAutoTLS')))
  );
}

/** The certificates of a channel, as volume and mount; nothing when it needs none. */
export function certificates(etcd: EtcdRelease, channel: 'client' | 'peer', name = `etcd-${channel}-certs`): readonly Mounted[] {
  if (!needsCertificates(etcd, channel)) return [];
  const secret = templateString(atPath(etcd.values, `auth.${channel}.existingSecret`));
  return [
    {
      volume: secretVolume(name, secret),
      mount: { name, mountPath: `/opt/bitnami/etcd/certs/${channel}/`, readOnly: true },
    },
  ];
}

/** The root password as a file; nothing without authentication or with the password in the environment. */
export function passwordFile(
  etcd: EtcdRelease,
  mount: JsonObject = { mountPath: '/opt/bitnami/etcd/secrets' },
): readonly Mounted[] {
  if (!authenticated(etcd) || !truthy(atPath(etcd.values, 'usePasswordFiles'))) return [];
  const name = 'etcd-secrets';
  // Without the fsGroup of the pod only root could read the file.
  const mode = truthy(atPath(etcd.values, 'podSecurityContext.enabled')) ? secretMode(etcd.context) : {};
  return [
    { volume: { name, projected: { ...mode, sources: [{ secret: { name: secretName(etcd) } }] } }, mount: { name, ...mount } },
  ];
}

/** Name of the ConfigMap with the configuration file; undefined without one. */
function configMapName(etcd: EtcdRelease): string | undefined {
  const existing = atPath(etcd.values, 'existingConfigmap');
  if (truthy(existing)) return templateString(existing);
  return truthy(atPath(etcd.values, 'configuration')) ? suffixed(etcd, 'configuration') : undefined;
}

/** Claim that holds the snapshots of disaster recovery. */
export function snapshotClaim(etcd: EtcdRelease): string {
  const own = orElse(
    atPath(etcd.values, 'disasterRecovery.pvc.existingClaim'),
    atPath(etcd.values, 'startFromSnapshot.existingClaim'),
  );
  return templateString(orElse(own, suffixed(etcd, 'snapshotter')));
}

function claimVolume(name: string, claimName: string): JsonObject {
  return { name, persistentVolumeClaim: { claimName } };
}

/** Mount of the snapshots. */
export function snapshotMount(etcd: EtcdRelease): JsonObject {
  const subPath = atPath(etcd.values, 'disasterRecovery.pvc.subPath');
  return { name: 'snapshot-volume', mountPath: '/snapshots', ...(truthy(subPath) ? { subPath: templateString(subPath) } : {}) };
}

function snapshots(etcd: EtcdRelease): readonly Mounted[] {
  const initial = 'init-snapshot-volume';
  return [
    ...(separateSnapshotClaim(etcd)
      ? [
          {
            volume: claimVolume(initial, templateString(atPath(etcd.values, 'startFromSnapshot.existingClaim'))),
            mount: { name: initial, mountPath: '/init-snapshot' },
          },
        ]
      : []),
    ...(truthy(atPath(etcd.values, 'disasterRecovery.enabled'))
      ? [{ volume: claimVolume('snapshot-volume', snapshotClaim(etcd)), mount: snapshotMount(etcd) }]
      : []),
  ];
}

function tokenKeys(etcd: EtcdRelease): readonly Mounted[] {
  if (!usesTokenKey(etcd)) return [];
  const name = 'etcd-jwt-token';
  return [
    {
      volume: secretVolume(name, tokenSecretName(etcd)),
      mount: { name, mountPath: '/opt/bitnami/etcd/certs/token/', readOnly: true },
    },
  ];
}

/** Volumes and mounts of a pod that runs the image, with or without the data of a member. */
export function podVolumes(
  etcd: EtcdRelease,
  member: boolean,
): { readonly volumes: readonly JsonObject[]; readonly mounts: readonly JsonObject[] } {
  const { values } = etcd;
  const configMap = configMapName(etcd);
  const conf = '/opt/bitnami/etcd/conf/';
  const parts: readonly Mounted[] = [
    ...tokenKeys(etcd),
    ...(member ? snapshots(etcd) : []),
    ...certificates(etcd, 'client'),
    ...certificates(etcd, 'peer'),
    ...passwordFile(etcd),
  ];
  const extra = (key: string): readonly JsonObject[] => (member ? (listAt(values[key]) as readonly JsonObject[]) : []);
  return {
    volumes: [
      { name: 'empty-dir', emptyDir: {} },
      ...(configMap === undefined ? [] : [{ name: 'configuration', configMap: { name: configMap } }]),
      ...parts.map(({ volume }) => volume),
      ...extra('extraVolumes'),
      ...(member && !truthy(atPath(values, 'persistence.enabled')) ? [{ name: 'data', emptyDir: {} }] : []),
    ],
    mounts: [
      configMap === undefined
        ? { name: 'empty-dir', mountPath: conf, subPath: 'app-conf-dir' }
        : { name: 'configuration', mountPath: conf },
      { name: 'empty-dir', mountPath: '/tmp', subPath: 'tmp-dir' },
      ...(member ? [{ name: 'data', mountPath: '/bitnami/etcd' }] : []),
      ...parts.map(({ mount }) => mount),
      ...extra('extraVolumeMounts'),
    ],
  };
}
