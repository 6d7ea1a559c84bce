import { fieldReference, resourceFieldReference } from './container-shapes.ts';
import {
  list,
  listOrNull,
  nullable,
  number,
  optional,
  plain,
  pointer,
  quantities,
  quantity,
  defaulted,
  scalars,
  scalarsOrNull,
  shape,
  struct,
  string,
  stringMap,
  type Field,
} from './field.ts';

/** A reference to an object in the same namespace by name. */
export const localReference = shape({ name: plain });

/** A label selector. */
export const labelSelector = shape({
  matchLabels: stringMap,
  matchExpressions: list(shape({ key: string, operator: string, values: scalars })),
});

const keyToPath = shape({ key: string, path: string, mode: optional });
const named = { name: plain, items: list(keyToPath), optional };
const downwardFile = shape({
  path: string,
  fieldRef: pointer(fieldReference),
  resourceFieldRef: pointer(resourceFieldReference),
  mode: optional,
});
const typedReference = { apiGroup: nullable, kind: string, name: string };
const disk = { fsType: plain, readOnly: plain };
const secretRef = pointer(localReference);

const claimTemplate = shape({
  metadata: struct(shape({})),
  spec: struct(
    shape({
      accessModes: scalars,
      selector: pointer(labelSelector),
      resources: struct(shape({ limits: quantities, requests: quantities })),
      volumeName: plain,
      storageClassName: optional,
      volumeMode: optional,
      dataSource: pointer(shape(typedReference)),
      dataSourceRef: pointer(shape({ ...typedReference, namespace: optional })),
      volumeAttributesClassName: optional,
    }),
  ),
});

const projection = shape({
  secret: pointer(shape(named)),
  downwardAPI: pointer(shape({ items: list(downwardFile) })),
  configMap: pointer(shape(named)),
  serviceAccountToken: pointer(shape({ audience: plain, expirationSeconds: optional, path: string })),
  clusterTrustBundle: pointer(
    shape({ name: optional, signerName: optional, labelSelector: pointer(labelSelector), optional, path: string }),
  ),
  podCertificate: pointer(
    shape({
      signerName: plain,
      keyType: plain,
      maxExpirationSeconds: optional,
      credentialBundlePath: plain,
      keyPath: plain,
      certificateChainPath: plain,
    }),
  ),
});

/** The fields of each volume source. */
const sources: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
  hostPath: { path: string, type: optional },
  emptyDir: { medium: plain, sizeLimit: quantity },
  gcePersistentDisk: { pdName: string, partition: plain, ...disk },
  awsElasticBlockStore: { volumeID: string, partition: plain, ...disk },
  gitRepo: { repository: string, revision: plain, directory: plain },
  secret: { secretName: plain, items: list(keyToPath), defaultMode: optional, optional },
  nfs: { server: string, path: string, readOnly: plain },
  iscsi: {
    targetPortal: string,
    iqn: string,
    lun: number,
    iscsiInterface: defaulted('default'),
    ...disk,
    portals: scalars,
    chapAuthDiscovery: plain,
    chapAuthSession: plain,
    secretRef,
    initiatorName: optional,
  },
  glusterfs: { endpoints: string, path: string, readOnly: plain },
  persistentVolumeClaim: { claimName: string, readOnly: plain },
  rbd: {
    monitors: scalarsOrNull,
    image: string,
    pool: defaulted('rbd'),
    user: defaulted('admin'),
    keyring: defaulted('/etc/ceph/keyring'),
    secretRef,
    ...disk,
  },
  flexVolume: { driver: string, secretRef, options: stringMap, ...disk },
  cinder: { volumeID: string, secretRef, ...disk },
  cephfs: { monitors: scalarsOrNull, path: plain, user: plain, secretFile: plain, secretRef, readOnly: plain },
  flocker: { datasetName: plain, datasetUUID: plain },
  downwardAPI: { items: list(downwardFile), defaultMode: optional },
  fc: { targetWWNs: scalars, lun: optional, wwids: scalars, ...disk },
  azureFile: { secretName: string, shareName: string, readOnly: plain },
  configMap: { ...named, defaultMode: optional },
  vsphereVolume: { volumePath: string, fsType: plain, storagePolicyName: plain, storagePolicyID: plain },
  quobyte: { registry: string, volume: string, readOnly: plain, user: plain, group: plain, tenant: plain },
  azureDisk: { diskName: string, diskURI: string, cachingMode: optional, fsType: optional, readOnly: optional, kind: optional },
  photonPersistentDisk: { pdID: string, fsType: plain },
  projected: { sources: listOrNull(projection), defaultMode: optional },
  portworxVolume: { volumeID: string, ...disk },
  scaleIO: {
    gateway: string,
    system: string,
    secretRef: { ...secretRef, absent: () => null },
    sslEnabled: plain,
    protectionDomain: plain,
    storagePool: plain,
    storageMode: defaulted('ThinProvisioned'),
    volumeName: plain,
    ...disk,
    fsType: defaulted('xfs'),
  },
  storageos: { volumeName: plain, volumeNamespace: plain, secretRef, ...disk },
  csi: { driver: string, readOnly: optional, fsType: optional, volumeAttributes: stringMap, nodePublishSecretRef: secretRef },
  ephemeral: { volumeClaimTemplate: pointer(claimTemplate) },
  image: { reference: plain, pullPolicy: plain },
};

/** A volume of a pod. */
export const volume = shape({
  name: string,
  ...Object.fromEntries(Object.entries(sources).map(([name, fields]) => [name, pointer(shape(fields))])),
});
