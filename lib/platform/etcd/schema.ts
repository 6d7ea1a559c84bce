import {
  block,
  choice,
  flag,
  passThrough,
  listOf,
  mapOf,
  objects,
  strings,
  integer,
  string,
  type ValuesOf,
} from '../schema-fields.ts';
import { presetNames } from './resources.ts';

const either = (description: string) =>
  ({ type: ['string', 'object', 'null'], description, additionalProperties: true }) as const;

const imageKeys = (what: string) => ({
  registry: string(`registry of ${what}; global.imageRegistry overrides it`),
  repository: string(
    `repository of ${what}; one that the chart does not support is rejected unless global.security.allowInsecureImages is on`,
  ),
  tag: string(`tag of ${what}`),
  digest: string('digest such as sha256:...; replaces the tag'),
  pullPolicy: choice('when to pull', 'Always', 'IfNotPresent', 'Never'),
  pullSecrets: listOf('pull Secrets, as names or {name}', either('one Secret')),
});

const resources = {
  resourcesPreset: {
    type: ['string', 'null'],
    description: `size of the container when resources is empty: ${presetNames.join(', ')}`,
  },
  resources: passThrough('requests and limits; they override the preset'),
} as const;

const labelMap = (description: string) => mapOf(description, string('value'));

const securityContexts = {
  podSecurityContext: passThrough('security context of the pod; enabled: false leaves it out'),
  containerSecurityContext: passThrough('security context of the container; enabled: false leaves it out'),
};

const preset = (what: string) =>
  choice(`rule for ${what}: soft prefers, hard requires; ignored when affinity is given`, '', 'soft', 'hard');

const placement = {
  podAffinityPreset: preset('pods on the same node'),
  podAntiAffinityPreset: preset('pods on different nodes'),
  nodeAffinityPreset: block('rule for nodes by one label; ignored when affinity is given', {
    type: choice('soft prefers, hard requires', '', 'soft', 'hard'),
    key: string('label of the node'),
    values: strings('values of the label'),
  }),
  affinity: passThrough('affinity; it replaces all presets'),
  nodeSelector: labelMap('labels a node must have'),
  tolerations: objects('taints to tolerate'),
};

const podFields = {
  hostAliases: objects('entries of /etc/hosts'),
  terminationGracePeriodSeconds: string('seconds a pod has to stop'),
  schedulerName: string('scheduler; empty: that of the cluster'),
  priorityClassName: string('priority class'),
  runtimeClassName: string('runtime class'),
  topologySpreadConstraints: objects('how pods spread over zones and nodes'),
};

const environment = {
  extraEnvVars: objects('further environment variables'),
  extraEnvVarsCM: string('ConfigMap whose keys become environment variables'),
  extraEnvVarsSecret: string('Secret whose keys become environment variables'),
};

const commands = {
  command: strings('command of the container; empty: its own'),
  args: strings('arguments of the container; empty: its own'),
};

const channel = (what: string) =>
  block(`TLS of ${what}`, {
    secureTransport: flag('encrypt'),
    useAutoTLS: flag('let etcd generate its own certificate'),
    existingSecret: string('Secret with certificate, key and authority; required unless useAutoTLS'),
    enableAuthentication: flag('require a certificate of the other side'),
    certFilename: string('key of the certificate in the Secret'),
    certKeyFilename: string('key of the private key in the Secret'),
    caFilename: string('key of the authority in the Secret; empty: ca.crt where one is needed'),
  });

const auth = block('authentication and authorization', {
  rbac: block('users and roles', {
    create: flag('turn authentication on, with the user root'),
    allowNoneAuthentication: flag('allow a cluster without authentication'),
    rootPassword: string('password of root; it is written into a Secret of the release, so prefer existingSecret'),
    existingSecret: string('Secret with the password of root'),
    existingSecretPasswordKey: string('key in that Secret; empty: etcd-root-password'),
  }),
  token: block('tokens clients get when they log in; used with rbac only', {
    enabled: flag('set up tokens'),
    type: choice('simple, or jwt with a key', 'jwt', 'simple'),
    privateKey: block('key that signs tokens', {
      filename: string('file name of the key'),
      existingSecret: string('Secret with the key; without one Helm generates a new key at every render'),
    }),
    signMethod: string('how tokens are signed'),
    ttl: string('lifetime of a token'),
  }),
  client: channel('clients'),
  peer: channel('members among themselves'),
});

const probe = (what: string) =>
  block(`standard probe for ${what}`, {
    enabled: flag('probe'),
    initialDelaySeconds: integer('seconds before the first probe'),
    periodSeconds: integer('seconds between probes'),
    timeoutSeconds: integer('seconds a probe may take'),
    successThreshold: integer('successes in a row that count'),
    failureThreshold: integer('failures in a row that count'),
  });

const ports = (what: string) => ({
  client: integer(`${what} for clients`),
  peer: integer(`${what} for members`),
  metrics: integer(`${what} for metrics, with metrics.useSeparateEndpoint`),
});

const service = block('the Service for clients', {
  type: choice('type', 'ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'),
  enabled: flag('render it'),
  clusterIP: string('fixed address, for ClusterIP'),
  ports: block('ports', ports('port')),
  nodePorts: block('ports of the nodes, for NodePort and LoadBalancer', ports('node port')),
  clientPortNameOverride: string('another name of the client port'),
  peerPortNameOverride: string('another name of the peer port'),
  metricsPortNameOverride: string('another name of the metrics port'),
  loadBalancerIP: string('fixed address, for LoadBalancer'),
  loadBalancerClass: string('class, for LoadBalancer'),
  loadBalancerSourceRanges: strings('allowed source ranges, for LoadBalancer'),
  externalIPs: strings('further addresses'),
  externalTrafficPolicy: choice('Local keeps the address of the client', 'Cluster', 'Local'),
  extraPorts: objects('further ports'),
  annotations: labelMap('annotations'),
  sessionAffinity: choice('whether a client keeps its member', 'None', 'ClientIP'),
  sessionAffinityConfig: passThrough('settings of the session affinity'),
  headless: block('the Service that names each member', { annotations: labelMap('annotations') }),
});

const metrics = block('metrics for Prometheus', {
  enabled: flag('annotate the pods for scraping'),
  useSeparateEndpoint: flag('serve metrics on a separate port, without TLS'),
  podAnnotations: labelMap('annotations of the pods'),
  podMonitor: block('the PodMonitor', {
    enabled: flag('render it'),
    namespace: string('its namespace'),
    interval: string('time between scrapes'),
    scrapeTimeout: string('time a scrape may take'),
    additionalLabels: labelMap('labels that Prometheus selects'),
    scheme: string('http or https'),
    tlsConfig: passThrough('TLS settings of the scrape'),
    relabelings: objects('relabelings before the scrape'),
  }),
  prometheusRule: block('the PrometheusRule', {
    enabled: flag('render it'),
    namespace: string('its namespace; empty: that of the release'),
    additionalLabels: labelMap('labels that Prometheus selects'),
    rules: objects('rules'),
  }),
});

const snapshots = block('snapshots at regular times, from which a broken cluster recovers', {
  enabled: flag('take snapshots; needs persistence'),
  cronjob: block('the CronJob', {
    schedule: string('schedule in cron syntax'),
    historyLimit: integer('finished Jobs to keep'),
    snapshotHistoryLimit: integer('snapshots to keep'),
    snapshotsDir: string('directory of the snapshots; below /snapshots'),
    podAnnotations: labelMap('annotations of the pod'),
    podLabels: labelMap('labels of the pod'),
    ...resources,
    nodeSelector: placement.nodeSelector,
    tolerations: placement.tolerations,
    serviceAccountName: string('account of the pod'),
    command: commands.command,
  }),
  pvc: block('the claim that holds the snapshots', {
    existingClaim: string('claim to use; empty: create one that all nodes can mount'),
    size: string('size of the claim'),
    storageClassName: string('storage class of the claim; it must allow ReadWriteMany'),
    subPath: string('directory in the claim'),
  }),
});

const defrag = block('defragmentation at regular times', {
  enabled: flag('defragment'),
  cronjob: block('the CronJob', {
    schedule: string('schedule in cron syntax'),
    startingDeadlineSeconds: string('seconds a missed run may start late'),
    concurrencyPolicy: choice('what happens to overlapping runs', 'Allow', 'Forbid', 'Replace'),
    suspend: flag('do not run for now'),
    successfulJobsHistoryLimit: integer('finished Jobs to keep'),
    failedJobsHistoryLimit: integer('failed Jobs to keep'),
    labels: labelMap('labels of the CronJob'),
    annotations: labelMap('annotations of the CronJob'),
    activeDeadlineSeconds: string('seconds a run may take'),
    restartPolicy: choice('what happens after a failure', 'OnFailure', 'Never'),
    podLabels: labelMap('labels of the pod'),
    podAnnotations: labelMap('annotations of the pod'),
    ...securityContexts,
    nodeSelector: placement.nodeSelector,
    tolerations: placement.tolerations,
    serviceAccountName: string('account of the pod'),
    ...commands,
    ...resources,
    ...environment,
  }),
});

const preUpgradeJob = block('hook Job that changes the membership before an upgrade; Helm only', {
  enabled: flag('render it'),
  annotations: labelMap('annotations of the Job'),
  podLabels: labelMap('labels of the pod'),
  podAnnotations: labelMap('annotations of the pod'),
  ...placement,
  ...securityContexts,
  ...resources,
  startDelay: string('seconds to wait before it starts'),
  ...podFields,
  ...commands,
});

const security = block(
  'of this package: authentication and TLS from existing Secrets; read if the switch security-blocks is on',
  {
    auth: block('authentication with the user root', {
      enabled: flag('require it'),
      secretName: string('Secret with the password of root'),
      passwordKey: string('key in the Secret; empty: etcd-root-password'),
    }),
    tls: block('TLS of clients and members', {
      enabled: flag('require it'),
      secretName: string('Secret with tls.crt, tls.key and ca.crt, as cert-manager creates it'),
      verifyClients: flag('require a certificate of clients too; members always verify each other'),
    }),
  },
);

/** The values of etcd, with a description on every key. */
export const schema = block('etcd, the key-value store of graphs that do not use Kubernetes for discovery', {
  enabled: flag('run etcd; not needed while dynamo-operator.discoveryBackend is kubernetes'),
  global: block('settings shared with other parts', {
    imageRegistry: string('registry of every image'),
    imagePullSecrets: listOf('pull Secrets, as names or {name}', either('one Secret')),
    defaultStorageClass: string('storage class if none is set'),
    storageClass: string('storage class that overrides persistence.storageClass'),
    security: block('checks', { allowInsecureImages: flag('accept images that the chart does not support') }),
    compatibility: block('other platforms', {
      openshift: block('OpenShift', {
        adaptSecurityContext: choice(
          'let OpenShift assign users and groups: auto if its API is known',
          'auto',
          'force',
          'disabled',
        ),
      }),
    }),
  }),
  kubeVersion: string('Kubernetes version to render for'),
  nameOverride: string('replaces `etcd` in names'),
  fullnameOverride: string('replaces release and `etcd` in names'),
  namespaceOverride: string('namespace of the objects; empty: that of the release'),
  commonLabels: labelMap('labels of every object'),
  commonAnnotations: labelMap('annotations of every object'),
  clusterDomain: string('DNS domain of the Kubernetes cluster'),
  extraDeploy: listOf('further objects', either('one object, or manifests as a string')),
  usePasswordFiles: flag('pass the root password as a file, not as an environment variable'),
  diagnosticMode: block('pods that sleep instead of running etcd', { enabled: flag('sleep'), ...commands }),
  image: block('image of the members and jobs', { ...imageKeys('the members'), debug: flag('log in detail') }),
  auth,
  autoCompactionMode: choice('how old revisions are counted', '', 'periodic', 'revision'),
  autoCompactionRetention: string('how many old revisions, or for how long, are kept'),
  initialClusterToken: string('token that distinguishes clusters at their start'),
  logLevel: string('log level; debug when image.debug is on'),
  maxProcs: string('processors the Go runtime may use'),
  configuration: either('etcd.conf.yml, as a string or a map'),
  existingConfigmap: string('ConfigMap with etcd.conf.yml; overrides configuration'),
  ...environment,
  ...commands,
  replicaCount: integer('number of members: 1, 3 or 5; choose it at the first installation'),
  updateStrategy: passThrough('how members are replaced'),
  podManagementPolicy: choice('how members start', 'Parallel', 'OrderedReady'),
  automountServiceAccountToken: flag('mount a token for the Kubernetes API'),
  lifecycleHooks: passThrough('hooks at start and stop of the container'),
  containerPorts: block('ports of the container', ports('port')),
  ...securityContexts,
  ...resources,
  livenessProbe: probe('restarting a member'),
  readinessProbe: probe('sending clients to a member'),
  startupProbe: probe('waiting for a member to start'),
  customLivenessProbe: passThrough('replaces livenessProbe'),
  customReadinessProbe: passThrough('replaces readinessProbe'),
  customStartupProbe: passThrough('replaces startupProbe'),
  extraVolumes: objects('further volumes'),
  extraVolumeMounts: objects('further mounts'),
  extraVolumeClaimTemplates: objects('further claims'),
  initContainers: objects('containers that run first'),
  sidecars: objects('containers beside etcd'),
  podAnnotations: labelMap('annotations of the pods'),
  podLabels: labelMap('labels of the pods'),
  ...placement,
  ...podFields,
  shareProcessNamespace: flag('let the containers of a pod see each other'),
  persistentVolumeClaimRetentionPolicy: block('what happens to claims', {
    enabled: flag('set a policy'),
    whenScaled: choice('when a member is removed', 'Retain', 'Delete'),
    whenDeleted: choice('when the StatefulSet is deleted', 'Retain', 'Delete'),
  }),
  service,
  persistence: block('the claim of a member', {
    enabled: flag('keep data on a claim'),
    storageClass: string('storage class; empty: the default of the cluster; `-`: no class'),
    annotations: labelMap('annotations of the claim'),
    labels: labelMap('labels of the claim'),
    accessModes: strings('access modes'),
    size: string('size'),
    selector: passThrough('selector of volumes'),
  }),
  volumePermissions: block('init container that changes the owner of the data to the user of etcd, as root', {
    enabled: flag('run it'),
    image: block('its image', imageKeys('the init container')),
    ...resources,
  }),
  networkPolicy: block('the NetworkPolicy of the members', {
    enabled: flag('render it'),
    allowExternal: flag('admit every pod, not only those with the client label'),
    allowExternalEgress: flag('allow all egress of the members'),
    extraIngress: objects('further ingress rules'),
    extraEgress: objects('further egress rules'),
    ingressNSMatchLabels: labelMap('labels of the namespaces to admit'),
    ingressNSPodMatchLabels: labelMap('labels of the pods to admit in those namespaces'),
  }),
  metrics,
  startFromSnapshot: block('start with the data of a snapshot', {
    enabled: flag('start from it'),
    existingClaim: string('claim that holds the snapshot'),
    snapshotFilename: string('file of the snapshot'),
  }),
  disasterRecovery: snapshots,
  serviceAccount: block('the account of the members', {
    create: flag('create it'),
    name: string('its name; empty: derived, or `default` when none is created'),
    automountServiceAccountToken: flag('mount a token for the Kubernetes API'),
    annotations: labelMap('annotations'),
    labels: labelMap('labels'),
  }),
  preUpgradeJob,
  defrag,
  pdb: block('how many members may be evicted at once', {
    create: flag('render a PodDisruptionBudget'),
    minAvailable: string('members that must stay available, as number or percentage'),
    maxUnavailable: string('members that may be unavailable, as number or percentage'),
  }),
  security,
});

/** Values that nothing reads. */
export const dead = {
  kubeVersion: 'use --kube-version instead',
};

/** The block `etcd` of the values, every key optional. */
export type EtcdValues = ValuesOf<typeof schema>;
