import {
  atomicList,
  boolean,
  emptyObject,
  int32,
  int64,
  kubernetesObject,
  map,
  quantity,
  required,
  string,
  type Fields,
} from './dsl.ts';
import { fieldReference, keyToPath, labelSelector, localReference, resourceFieldReference } from './meta.ts';

const projectedReference = kubernetesObject(
  'ProjectedReference',
  'Keys of a ConfigMap or Secret in a projected volume.',
  { items: atomicList(keyToPath), name: string(undefined, { default: '' }), optional: boolean() },
  { atomicMap: true },
);

const downwardItems = atomicList(
  kubernetesObject('DownwardAPIVolumeFile', 'A field of the pod and the file with its value.', {
    fieldRef: fieldReference,
    mode: int32(),
    path: required(string()),
    resourceFieldRef: resourceFieldReference,
  }),
);

const typedReference: Fields = { apiGroup: string(), kind: required(string()), name: required(string()) };

const claimSpec = kubernetesObject('PersistentVolumeClaimSpec', 'Spec of a claim.', {
  accessModes: atomicList(string()),
  dataSource: kubernetesObject('TypedLocalReference', 'An object of the namespace.', typedReference, { atomicMap: true }),
  dataSourceRef: kubernetesObject('TypedReference', 'An object of any namespace.', { ...typedReference, namespace: string() }),
  resources: kubernetesObject('VolumeResources', 'Size that a claim requests.', {
    limits: map(quantity()),
    requests: map(quantity()),
  }),
  selector: labelSelector,
  storageClassName: string(),
  volumeAttributesClassName: string(),
  volumeMode: string(),
  volumeName: string(),
});

const projection = kubernetesObject('VolumeProjection', 'One source of a projected volume.', {
  clusterTrustBundle: kubernetesObject('ClusterTrustBundleProjection', 'Trust anchors of the cluster.', {
    labelSelector,
    name: string(),
    optional: boolean(),
    path: required(string()),
    signerName: string(),
  }),
  configMap: projectedReference,
  downwardAPI: kubernetesObject('DownwardAPIProjection', 'Fields of the pod.', { items: downwardItems }),
  podCertificate: kubernetesObject('PodCertificateProjection', 'A certificate issued to the pod.', {
    certificateChainPath: string(),
    credentialBundlePath: string(),
    keyPath: string(),
    keyType: required(string()),
    maxExpirationSeconds: int32(),
    signerName: required(string()),
  }),
  secret: projectedReference,
  serviceAccountToken: kubernetesObject('ServiceAccountTokenProjection', 'A token of the service account.', {
    audience: string(),
    expirationSeconds: int64(),
    path: required(string()),
  }),
});

const source = (name: string, doc: string, fields: Fields) => kubernetesObject(`${name}VolumeSource`, doc, fields);

/** A volume of a pod and where its content comes from. */
export const volume = kubernetesObject('Volume', 'A volume of the pod and where its content comes from.', {
  name: required(string('Name of the volume, unique in the pod.')),
  awsElasticBlockStore: source('AWSElasticBlockStore', 'An EBS disk.', {
    fsType: string(),
    partition: int32(),
    readOnly: boolean(),
    volumeID: required(string()),
  }),
  azureDisk: source('AzureDisk', 'An Azure disk.', {
    cachingMode: string(),
    diskName: required(string()),
    diskURI: required(string()),
    fsType: string(undefined, { default: 'ext4' }),
    kind: string(),
    readOnly: boolean(undefined, { default: false }),
  }),
  azureFile: source('AzureFile', 'An Azure file share.', {
    readOnly: boolean(),
    secretName: required(string()),
    shareName: required(string()),
  }),
  cephfs: source('CephFS', 'A Ceph file system.', {
    monitors: required(atomicList(string())),
    path: string(),
    readOnly: boolean(),
    secretFile: string(),
    secretRef: localReference,
    user: string(),
  }),
  cinder: source('Cinder', 'A Cinder volume.', {
    fsType: string(),
    readOnly: boolean(),
    secretRef: localReference,
    volumeID: required(string()),
  }),
  configMap: kubernetesObject(
    'ConfigMapVolumeSource',
    'Keys of a ConfigMap as files.',
    { defaultMode: int32(), items: atomicList(keyToPath), name: string(undefined, { default: '' }), optional: boolean() },
    { atomicMap: true },
  ),
  csi: source('CSI', 'An inline CSI volume.', {
    driver: required(string()),
    fsType: string(),
    nodePublishSecretRef: localReference,
    readOnly: boolean(),
    volumeAttributes: map(string()),
  }),
  downwardAPI: source('DownwardAPI', 'Fields of the pod as files.', { defaultMode: int32(), items: downwardItems }),
  emptyDir: source('EmptyDir', 'A directory with the lifetime of the pod.', {
    medium: string('`Memory` for a tmpfs.'),
    sizeLimit: quantity(),
  }),
  ephemeral: source('Ephemeral', 'A claim with the lifetime of the pod.', {
    volumeClaimTemplate: kubernetesObject('VolumeClaimTemplate', 'The claim to create.', {
      metadata: emptyObject(),
      spec: required(claimSpec),
    }),
  }),
  fc: source('FC', 'A Fibre Channel disk.', {
    fsType: string(),
    lun: int32(),
    readOnly: boolean(),
    targetWWNs: atomicList(string()),
    wwids: atomicList(string()),
  }),
  flexVolume: source('Flex', 'A FlexVolume.', {
    driver: required(string()),
    fsType: string(),
    options: map(string()),
    readOnly: boolean(),
    secretRef: localReference,
  }),
  flocker: source('Flocker', 'A Flocker dataset.', { datasetName: string(), datasetUUID: string() }),
  gcePersistentDisk: source('GCEPersistentDisk', 'A GCE disk.', {
    fsType: string(),
    partition: int32(),
    pdName: required(string()),
    readOnly: boolean(),
  }),
  gitRepo: source('GitRepo', 'A git checkout.', { directory: string(), repository: required(string()), revision: string() }),
  glusterfs: source('Glusterfs', 'A Gluster file system.', {
    endpoints: required(string()),
    path: required(string()),
    readOnly: boolean(),
  }),
  hostPath: source('HostPath', 'A path on the node.', { path: required(string()), type: string() }),
  image: source('Image', 'The content of an image.', { pullPolicy: string(), reference: string() }),
  iscsi: source('ISCSI', 'An iSCSI disk.', {
    chapAuthDiscovery: boolean(),
    chapAuthSession: boolean(),
    fsType: string(),
    initiatorName: string(),
    iqn: required(string()),
    iscsiInterface: string(undefined, { default: 'default' }),
    lun: required(int32()),
    portals: atomicList(string()),
    readOnly: boolean(),
    secretRef: localReference,
    targetPortal: required(string()),
  }),
  nfs: source('NFS', 'An NFS export.', { path: required(string()), readOnly: boolean(), server: required(string()) }),
  persistentVolumeClaim: source('PersistentVolumeClaim', 'An existing claim.', {
    claimName: required(string()),
    readOnly: boolean(),
  }),
  photonPersistentDisk: source('PhotonPersistentDisk', 'A Photon disk.', { fsType: string(), pdID: required(string()) }),
  portworxVolume: source('Portworx', 'A Portworx volume.', {
    fsType: string(),
    readOnly: boolean(),
    volumeID: required(string()),
  }),
  projected: source('Projected', 'Several sources in one directory.', { defaultMode: int32(), sources: atomicList(projection) }),
  quobyte: source('Quobyte', 'A Quobyte volume.', {
    group: string(),
    readOnly: boolean(),
    registry: required(string()),
    tenant: string(),
    user: string(),
    volume: required(string()),
  }),
  rbd: source('RBD', 'A Rados block device.', {
    fsType: string(),
    image: required(string()),
    keyring: string(undefined, { default: '/etc/ceph/keyring' }),
    monitors: required(atomicList(string())),
    pool: string(undefined, { default: 'rbd' }),
    readOnly: boolean(),
    secretRef: localReference,
    user: string(undefined, { default: 'admin' }),
  }),
  scaleIO: source('ScaleIO', 'A ScaleIO volume.', {
    fsType: string(undefined, { default: 'xfs' }),
    gateway: required(string()),
    protectionDomain: string(),
    readOnly: boolean(),
    secretRef: required(localReference),
    sslEnabled: boolean(),
    storageMode: string(undefined, { default: 'ThinProvisioned' }),
    storagePool: string(),
    system: required(string()),
    volumeName: string(),
  }),
  secret: source('Secret', 'Keys of a Secret as files.', {
    defaultMode: int32(),
    items: atomicList(keyToPath),
    optional: boolean(),
    secretName: string(),
  }),
  storageos: source('StorageOS', 'A StorageOS volume.', {
    fsType: string(),
    readOnly: boolean(),
    secretRef: localReference,
    volumeName: string(),
    volumeNamespace: string(),
  }),
  vsphereVolume: source('Vsphere', 'A vSphere disk.', {
    fsType: string(),
    storagePolicyID: string(),
    storagePolicyName: string(),
    volumePath: required(string()),
  }),
});
