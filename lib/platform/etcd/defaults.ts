import type { JsonObject } from '../../json/index.ts';

/** Version of the etcd chart whose values and objects these are. */
export const chartVersion = '12.0.18';

/** etcd version of the chart; only a label, the image is another value. */
export const appVersion = '3.6.4';

const podSecurityContext = { enabled: true, fsGroupChangePolicy: 'Always', sysctls: [], supplementalGroups: [], fsGroup: 1001 };

const containerSecurityContext = {
  enabled: true,
  seLinuxOptions: {},
  runAsUser: 1001,
  runAsGroup: 1001,
  runAsNonRoot: true,
  privileged: false,
  readOnlyRootFilesystem: true,
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
};

const channel = {
  secureTransport: false,
  useAutoTLS: false,
  existingSecret: '',
  enableAuthentication: false,
  certFilename: 'cert.pem',
  certKeyFilename: 'key.pem',
  caFilename: '',
};

const auth = {
  rbac: { create: true, allowNoneAuthentication: true, rootPassword: '', existingSecret: '', existingSecretPasswordKey: '' },
  token: {
    enabled: true,
    type: 'jwt',
    privateKey: { filename: 'jwt-token.pem', existingSecret: '' },
    signMethod: 'RS256',
    ttl: '10m',
  },
  client: channel,
  peer: channel,
};

const timing = { timeoutSeconds: 5, successThreshold: 1 };

const service = {
  type: 'ClusterIP',
  enabled: true,
  clusterIP: '',
  ports: { client: 2379, peer: 2380, metrics: 9090 },
  nodePorts: { client: '', peer: '', metrics: '' },
  clientPortNameOverride: '',
  peerPortNameOverride: '',
  metricsPortNameOverride: '',
  loadBalancerIP: '',
  loadBalancerClass: '',
  loadBalancerSourceRanges: [],
  externalIPs: [],
  externalTrafficPolicy: 'Cluster',
  extraPorts: [],
  annotations: {},
  sessionAffinity: 'None',
  sessionAffinityConfig: {},
  headless: { annotations: {} },
};

const placement = {
  podAffinityPreset: '',
  podAntiAffinityPreset: 'soft',
  nodeAffinityPreset: { type: '', key: '', values: [] },
  affinity: {},
  nodeSelector: {},
  tolerations: [],
};

const snapshotJob = {
  schedule: '*/30 * * * *',
  historyLimit: 1,
  snapshotHistoryLimit: 1,
  snapshotsDir: '/snapshots',
  podAnnotations: {},
  podLabels: {},
  resourcesPreset: 'nano',
  resources: {},
  nodeSelector: {},
  tolerations: [],
  serviceAccountName: '',
  command: [],
};

const defragJob = {
  startingDeadlineSeconds: '',
  schedule: '0 0 * * *',
  concurrencyPolicy: 'Forbid',
  suspend: false,
  successfulJobsHistoryLimit: 1,
  failedJobsHistoryLimit: 1,
  labels: {},
  annotations: {},
  activeDeadlineSeconds: '',
  restartPolicy: 'OnFailure',
  podLabels: {},
  podAnnotations: {},
  podSecurityContext,
  containerSecurityContext,
  nodeSelector: {},
  tolerations: [],
  serviceAccountName: '',
  command: [],
  args: [],
  resourcesPreset: 'nano',
  resources: {},
  extraEnvVars: [],
  extraEnvVarsCM: '',
  extraEnvVarsSecret: '',
};

const preUpgradeJob = {
  enabled: true,
  annotations: {},
  podLabels: {},
  podAnnotations: {},
  ...placement,
  containerSecurityContext: { ...containerSecurityContext, capabilities: { add: [], drop: ['ALL'] } },
  podSecurityContext,
  resourcesPreset: 'micro',
  resources: {},
  startDelay: '',
  priorityClassName: '',
  schedulerName: '',
  runtimeClassName: '',
  terminationGracePeriodSeconds: '',
  topologySpreadConstraints: [],
  hostAliases: [],
  command: [],
  args: [],
};

const metrics = {
  enabled: false,
  useSeparateEndpoint: false,
  podAnnotations: {
    'prometheus.io/scrape': 'true',
    'prometheus.io/port':
      '{{ .Values.metrics.useSeparateEndpoint | ternary .Values.containerPorts.metrics .Values.containerPorts.client }}',
  },
  podMonitor: {
    enabled: false,
    namespace: 'monitoring',
    interval: '30s',
    scrapeTimeout: '30s',
    additionalLabels: {},
    scheme: 'http',
    tlsConfig: {},
    relabelings: [],
  },
  prometheusRule: { enabled: false, namespace: '', additionalLabels: {}, rules: [] },
};

const podSettings = {
  updateStrategy: { type: 'RollingUpdate' },
  podManagementPolicy: 'Parallel',
  automountServiceAccountToken: false,
  hostAliases: [],
  lifecycleHooks: {},
  podSecurityContext,
  containerSecurityContext,
  resourcesPreset: 'micro',
  resources: {},
  livenessProbe: { enabled: true, initialDelaySeconds: 60, periodSeconds: 30, failureThreshold: 5, ...timing },
  readinessProbe: { enabled: true, initialDelaySeconds: 60, periodSeconds: 10, failureThreshold: 5, ...timing },
  startupProbe: { enabled: false, initialDelaySeconds: 0, periodSeconds: 10, failureThreshold: 60, ...timing },
  customLivenessProbe: {},
  customReadinessProbe: {},
  customStartupProbe: {},
  extraVolumes: [],
  extraVolumeMounts: [],
  extraVolumeClaimTemplates: [],
  initContainers: [],
  sidecars: [],
  podAnnotations: {},
  podLabels: {},
  ...placement,
  terminationGracePeriodSeconds: '',
  schedulerName: '',
  priorityClassName: '',
  runtimeClassName: '',
  shareProcessNamespace: false,
  topologySpreadConstraints: [],
  persistentVolumeClaimRetentionPolicy: { enabled: false, whenScaled: 'Retain', whenDeleted: 'Retain' },
};

/** The etcd chart's own values. */
export const defaults: JsonObject = {
  global: {
    imageRegistry: '',
    imagePullSecrets: [],
    defaultStorageClass: '',
    storageClass: '',
    security: { allowInsecureImages: false },
    compatibility: { openshift: { adaptSecurityContext: 'auto' } },
  },
  kubeVersion: '',
  nameOverride: '',
  fullnameOverride: '',
  namespaceOverride: '',
  commonLabels: {},
  commonAnnotations: {},
  clusterDomain: 'cluster.local',
  extraDeploy: [],
  usePasswordFiles: true,
  diagnosticMode: { enabled: false, command: ['sleep'], args: ['infinity'] },
  image: {
    registry: 'docker.io',
    repository: 'bitnami/etcd',
    tag: '3.6.4-debian-12-r3',
    digest: '',
    pullPolicy: 'IfNotPresent',
    pullSecrets: [],
    debug: false,
  },
  auth,
  autoCompactionMode: '',
  autoCompactionRetention: '',
  initialClusterToken: 'etcd-cluster-k8s',
  logLevel: 'info',
  maxProcs: '',
  configuration: '',
  existingConfigmap: '',
  extraEnvVars: [],
  extraEnvVarsCM: '',
  extraEnvVarsSecret: '',
  command: [],
  args: [],
  replicaCount: 1,
  containerPorts: { client: 2379, peer: 2380, metrics: 9090 },
  ...podSettings,
  service,
  persistence: {
    enabled: true,
    storageClass: '',
    annotations: {},
    labels: {},
    accessModes: ['ReadWriteOnce'],
    size: '8Gi',
    selector: {},
  },
  volumePermissions: {
    enabled: false,
    image: {
      registry: 'docker.io',
      repository: 'bitnami/os-shell',
      tag: '12-debian-12-r50',
      digest: '',
      pullPolicy: 'IfNotPresent',
      pullSecrets: [],
    },
    resourcesPreset: 'nano',
    resources: {},
  },
  networkPolicy: {
    enabled: true,
    allowExternal: true,
    allowExternalEgress: true,
    extraIngress: [],
    extraEgress: [],
    ingressNSMatchLabels: {},
    ingressNSPodMatchLabels: {},
  },
  metrics,
  startFromSnapshot: { enabled: false, existingClaim: '', snapshotFilename: '' },
  disasterRecovery: {
    enabled: false,
    cronjob: snapshotJob,
    pvc: { existingClaim: '', size: '2Gi', storageClassName: 'nfs', subPath: '' },
  },
  serviceAccount: { create: true, name: '', automountServiceAccountToken: false, annotations: {}, labels: {} },
  preUpgradeJob,
  defrag: { enabled: false, cronjob: defragJob },
  pdb: { create: true, minAvailable: '51%', maxUnavailable: '' },
};

/** Values of the platform chart that override those of the etcd chart. */
export const platformDefaults: JsonObject = {
  enabled: true,
  image: { repository: 'bitnamilegacy/etcd', tag: '3.5.18-debian-12-r5' },
  persistence: { enabled: true, storageClass: null, size: '1Gi' },
  preUpgradeJob: { enabled: false },
  replicaCount: 1,
  auth: { rbac: { create: false } },
  readinessProbe: { enabled: false },
  livenessProbe: { enabled: false },
  pdb: { create: false },
  tolerations: [],
  affinity: {},
};
