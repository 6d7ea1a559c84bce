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
  refilled,
  scalars,
  scalarsOrNull,
  shape,
  struct,
  text,
  stringMap,
  type Field,
} from './field.ts';

/** A reference by name within the namespace. */
export const localReference = shape({ name: plain });

/** Selects objects by label. */
export const labelSelector = shape({
  matchLabels: stringMap,
  matchExpressions: list(shape({ key: text, operator: text, values: scalars })),
});

const keyToPath = shape({ key: text, path: text, mode: optional });
const named = { name: plain, items: list(keyToPath), optional };
const downwardFile = shape({
  path: text,
  fieldRef: pointer(fieldReference),
  resourceFieldRef: pointer(resourceFieldReference),
  mode: optional,
});
const typedReference = { apiGroup: nullable, kind: text, name: text };
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
  serviceAccountToken: pointer(shape({ audience: plain, expirationSeconds: optional, path: text })),
  clusterTrustBundle: pointer(
    shape({ name: optional, signerName: optional, labelSelector: pointer(labelSelector), optional, path: text }),
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

/** Where each kind of volume gets its content from. */
const sources: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
  hostPath: { path: text, type: optional },
  emptyDir: { medium: plain, sizeLimit: quantity },
  gcePersistentDisk: { pdName: text, partition: plain, ...disk },
  awsElasticBlockStore: { volumeID: text, partition: plain, ...disk },
  gitRepo: { repository: text, revision: plain, directory: plain },
  secret: { secretName: plain, items: list(keyToPath), defaultMode: optional, optional },
  nfs: { server: text, path: text, readOnly: plain },
  iscsi: {
    targetPortal: text,
    iqn: text,
    lun: number,
    iscsiInterface: refilled('default'),
    ...disk,
    portals: scalars,
    chapAuthDiscovery: plain,
    chapAuthSession: plain,
    secretRef,
    initiatorName: optional,
  },
  glusterfs: { endpoints: text, path: text, readOnly: plain },
  persistentVolumeClaim: { claimName: text, readOnly: plain },
  rbd: {
    monitors: scalarsOrNull,
    image: text,
    pool: refilled('rbd'),
    user: refilled('admin'),
    keyring: refilled('/etc/ceph/keyring'),
    secretRef,
    ...disk,
  },
  flexVolume: { driver: text, secretRef, options: stringMap, ...disk },
  cinder: { volumeID: text, secretRef, ...disk },
  cephfs: { monitors: scalarsOrNull, path: plain, user: plain, secretFile: plain, secretRef, readOnly: plain },
  flocker: { datasetName: plain, datasetUUID: plain },
  downwardAPI: { items: list(downwardFile), defaultMode: optional },
  fc: { targetWWNs: scalars, lun: optional, wwids: scalars, ...disk },
  azureFile: { secretName: text, shareName: text, readOnly: plain },
  configMap: { ...named, defaultMode: optional },
  vsphereVolume: { volumePath: text, fsType: plain, storagePolicyName: plain, storagePolicyID: plain },
  quobyte: { registry: text, volume: text, readOnly: plain, user: plain, group: plain, tenant: plain },
  azureDisk: { diskName: text, diskURI: text, cachingMode: optional, fsType: optional, readOnly: optional, kind: optional },
  photonPersistentDisk: { pdID: text, fsType: plain },
  projected: { sources: listOrNull(projection), defaultMode: optional },
  portworxVolume: { volumeID: text, ...disk },
  scaleIO: {
    gateway: text,
    system: text,
    secretRef: { ...secretRef, absent: () => null },
    sslEnabled: plain,
    protectionDomain: plain,
    storagePool: plain,
    storageMode: refilled('ThinProvisioned'),
    volumeName: plain,
    ...disk,
    fsType: refilled('xfs'),
  },
  storageos: { volumeName: plain, volumeNamespace: plain, secretRef, ...disk },
  csi: { driver: text, readOnly: optional, fsType: optional, volumeAttributes: stringMap, nodePublishSecretRef: secretRef },
  ephemeral: { volumeClaimTemplate: pointer(claimTemplate) },
  image: { reference: plain, pullPolicy: plain },
};

/** A volume of a pod. */
export const volume = shape({
  name: text,
  ...Object.fromEntries(Object.entries(sources).map(([name, fields]) => [name, pointer(shape(fields))])),
});
