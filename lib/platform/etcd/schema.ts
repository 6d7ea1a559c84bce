import { block, choice, flag, free, listOf, mapOf, objects, texts, whole, words, type ValuesOf } from '../described.ts';
import { presetNames } from './resources.ts';

const either = (description: string) =>
  ({ type: ['string', 'object', 'null'], description, additionalProperties: true }) as const;

const imageKeys = (what: string) => ({
  registry: words(`registry of ${what}; global.imageRegistry wins`),
  repository: words(
    `repository of ${what}; one the chart was not made for is refused unless global.security.allowInsecureImages is on`,
  ),
  tag: words(`tag of ${what}`),
  digest: words('digest such as sha256:...; takes the place of the tag'),
  pullPolicy: choice('when to pull', 'Always', 'IfNotPresent', 'Never'),
  pullSecrets: listOf('pull Secrets, as names or {name}', either('one Secret')),
});

const resources = {
  resourcesPreset: {
    type: ['string', 'null'],
    description: `size of the container when resources is empty: ${presetNames.join(', ')}`,
  },
  resources: free('requests and limits; they win over the preset'),
} as const;

const labelMap = (description: string) => mapOf(description, words('value'));

const securityContexts = {
  podSecurityContext: free('security context of the pod; enabled: false leaves it out'),
  containerSecurityContext: free('security context of the container; enabled: false leaves it out'),
};

const preset = (what: string) =>
  choice(`rule for ${what}: soft prefers, hard requires; ignored when affinity is given`, '', 'soft', 'hard');

const placement = {
  podAffinityPreset: preset('pods on the same node'),
  podAntiAffinityPreset: preset('pods on different nodes'),
  nodeAffinityPreset: block('rule for nodes by one label; ignored when affinity is given', {
    type: choice('soft prefers, hard requires', '', 'soft', 'hard'),
    key: words('label of the node'),
    values: texts('values of the label'),
  }),
  affinity: free('affinity; it takes the place of all presets'),
  nodeSelector: labelMap('labels a node must have'),
  tolerations: objects('taints to tolerate'),
};

const podFields = {
  hostAliases: objects('entries of /etc/hosts'),
  terminationGracePeriodSeconds: words('seconds a pod has to stop'),
  schedulerName: words('scheduler; empty: that of the cluster'),
  priorityClassName: words('priority class'),
  runtimeClassName: words('runtime class'),
  topologySpreadConstraints: objects('how pods spread over zones and nodes'),
};

const environment = {
  extraEnvVars: objects('further environment variables'),
  extraEnvVarsCM: words('ConfigMap whose keys become environment variables'),
  extraEnvVarsSecret: words('Secret whose keys become environment variables'),
};

const commands = {
  command: texts('command of the container; empty: its own'),
  args: texts('arguments of the container; empty: its own'),
};

const channel = (what: string) =>
  block(`TLS of ${what}`, {
    secureTransport: flag('encrypt'),
    useAutoTLS: flag('let etcd make its own certificate'),
    existingSecret: words('Secret with certificate, key and authority; required unless useAutoTLS'),
    enableAuthentication: flag('require a certificate of the other side'),
    certFilename: words('key of the certificate in the Secret'),
    certKeyFilename: words('key of the private key in the Secret'),
    caFilename: words('key of the authority in the Secret; empty: ca.crt where one is needed'),
  });

const auth = block('who may do what', {
  rbac: block('users and roles', {
    create: flag('turn authentication on, with the user root'),
    allowNoneAuthentication: flag('allow a cluster without authentication'),
    rootPassword: words('password of root; it ends up in a Secret of the release, so prefer existingSecret'),
    existingSecret: words('Secret with the password of root'),
    existingSecretPasswordKey: words('key in that Secret; empty: etcd-root-password'),
  }),
  token: block('tokens clients get when they log in; used with rbac only', {
    enabled: flag('set up tokens'),
    type: choice('simple, or jwt with a key', 'jwt', 'simple'),
    privateKey: block('key that signs tokens', {
      filename: words('file name of the key'),
      existingSecret: words('Secret with the key; without one Helm makes up a new key at every render'),
    }),
    signMethod: words('how tokens are signed'),
    ttl: words('how long a token lives'),
  }),
  client: channel('clients'),
  peer: channel('members among themselves'),
});

const probe = (what: string) =>
  block(`standard probe for ${what}`, {
    enabled: flag('probe'),
    initialDelaySeconds: whole('seconds before the first probe'),
    periodSeconds: whole('seconds between probes'),
    timeoutSeconds: whole('seconds a probe may take'),
    successThreshold: whole('successes in a row that count'),
    failureThreshold: whole('failures in a row that count'),
  });

const ports = (what: string) => ({
  client: whole(`${what} for clients`),
  peer: whole(`${what} for members`),
  metrics: whole(`${what} for metrics, with metrics.useSeparateEndpoint`),
});

const service = block('the Service for clients', {
  type: choice('type', 'ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'),
  enabled: flag('render it'),
  clusterIP: words('fixed address, for ClusterIP'),
  ports: block('ports', ports('port')),
  nodePorts: block('ports of the nodes, for NodePort and LoadBalancer', ports('node port')),
  clientPortNameOverride: words('another name of the client port'),
  peerPortNameOverride: words('another name of the peer port'),
  metricsPortNameOverride: words('another name of the metrics port'),
  loadBalancerIP: words('fixed address, for LoadBalancer'),
  loadBalancerClass: words('class, for LoadBalancer'),
  loadBalancerSourceRanges: texts('who may come in, for LoadBalancer'),
  externalIPs: texts('further addresses'),
  externalTrafficPolicy: choice('Local keeps the address of the client', 'Cluster', 'Local'),
  extraPorts: objects('further ports'),
  annotations: labelMap('annotations'),
  sessionAffinity: choice('whether a client keeps its member', 'None', 'ClientIP'),
  sessionAffinityConfig: free('settings of the session affinity'),
  headless: block('the Service that names each member', { annotations: labelMap('annotations') }),
});

const metrics = block('metrics for Prometheus', {
  enabled: flag('annotate the pods for scraping'),
  useSeparateEndpoint: flag('serve metrics on a port of their own, without TLS'),
  podAnnotations: labelMap('annotations of the pods'),
  podMonitor: block('the PodMonitor', {
    enabled: flag('render it'),
    namespace: words('its namespace'),
    interval: words('time between scrapes'),
    scrapeTimeout: words('time a scrape may take'),
    additionalLabels: labelMap('labels by which Prometheus finds it'),
    scheme: words('http or https'),
    tlsConfig: free('TLS settings of the scrape'),
    relabelings: objects('relabelings before the scrape'),
  }),
  prometheusRule: block('the PrometheusRule', {
    enabled: flag('render it'),
    namespace: words('its namespace; empty: that of the release'),
    additionalLabels: labelMap('labels by which Prometheus finds it'),
    rules: objects('rules'),
  }),
});

const snapshots = block('snapshots at regular times, from which a broken cluster recovers', {
  enabled: flag('take snapshots; needs persistence'),
  cronjob: block('the CronJob', {
    schedule: words('when, as cron writes it'),
    historyLimit: whole('finished Jobs to keep'),
    snapshotHistoryLimit: whole('snapshots to keep'),
    snapshotsDir: words('directory of the snapshots; below /snapshots'),
    podAnnotations: labelMap('annotations of the pod'),
    podLabels: labelMap('labels of the pod'),
    ...resources,
    nodeSelector: placement.nodeSelector,
    tolerations: placement.tolerations,
    serviceAccountName: words('account of the pod'),
    command: commands.command,
  }),
  pvc: block('the claim that holds the snapshots', {
    existingClaim: words('claim to use; empty: make one that all nodes can mount'),
    size: words('size of the claim'),
    storageClassName: words('storage class of the claim; it must allow ReadWriteMany'),
    subPath: words('directory in the claim'),
  }),
});

const defrag = block('defragmentation at regular times', {
  enabled: flag('defragment'),
  cronjob: block('the CronJob', {
    schedule: words('when, as cron writes it'),
    startingDeadlineSeconds: words('seconds a missed run may start late'),
    concurrencyPolicy: choice('what happens to overlapping runs', 'Allow', 'Forbid', 'Replace'),
    suspend: flag('do not run for now'),
    successfulJobsHistoryLimit: whole('finished Jobs to keep'),
    failedJobsHistoryLimit: whole('failed Jobs to keep'),
    labels: labelMap('labels of the CronJob'),
    annotations: labelMap('annotations of the CronJob'),
    activeDeadlineSeconds: words('seconds a run may take'),
    restartPolicy: choice('what happens after a failure', 'OnFailure', 'Never'),
    podLabels: labelMap('labels of the pod'),
    podAnnotations: labelMap('annotations of the pod'),
    ...securityContexts,
    nodeSelector: placement.nodeSelector,
    tolerations: placement.tolerations,
    serviceAccountName: words('account of the pod'),
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
  startDelay: words('seconds to wait before it starts'),
  ...podFields,
  ...commands,
});

const security = block(
  'ours: authentication and TLS from Secrets that exist already, one switch each; read when the switch security-blocks is on',
  {
    auth: block('authentication with the user root', {
      enabled: flag('require it'),
      secretName: words('Secret with the password of root'),
      passwordKey: words('key in the Secret; empty: etcd-root-password'),
    }),
    tls: block('TLS of clients and members', {
      enabled: flag('require it'),
      secretName: words('Secret with tls.crt, tls.key and ca.crt, as cert-manager makes it'),
      verifyClients: flag('require a certificate of clients too; members always show each other theirs'),
    }),
  },
);

/** The values of etcd, with a description on every key. */
export const schema = block('etcd, the key-value store of graphs that do not use Kubernetes for discovery', {
  enabled: flag('run etcd; not needed while dynamo-operator.discoveryBackend is kubernetes'),
  global: block('settings shared with other parts', {
    imageRegistry: words('registry of every image'),
    imagePullSecrets: listOf('pull Secrets, as names or {name}', either('one Secret')),
    defaultStorageClass: words('storage class where none is named'),
    storageClass: words('storage class that wins over persistence.storageClass'),
    security: block('checks', { allowInsecureImages: flag('accept images the chart was not made for') }),
    compatibility: block('other platforms', {
      openshift: block('OpenShift', {
        adaptSecurityContext: choice(
          'leave users and groups to OpenShift: auto when its API is known',
          'auto',
          'force',
          'disabled',
        ),
      }),
    }),
  }),
  kubeVersion: words('Kubernetes version to render for'),
  nameOverride: words('takes the place of `etcd` in names'),
  fullnameOverride: words('takes the place of release and `etcd` in names'),
  namespaceOverride: words('namespace of the objects; empty: that of the release'),
  commonLabels: labelMap('labels of every object'),
  commonAnnotations: labelMap('annotations of every object'),
  clusterDomain: words('DNS domain of the Kubernetes cluster'),
  extraDeploy: listOf('further objects', either('one object, or the text of manifests')),
  usePasswordFiles: flag('hand the root password over as a file, not as an environment variable'),
  diagnosticMode: block('pods that sleep instead of running etcd', { enabled: flag('sleep'), ...commands }),
  image: block('image of the members and jobs', { ...imageKeys('the members'), debug: flag('talk more') }),
  auth,
  autoCompactionMode: choice('how old revisions are counted', '', 'periodic', 'revision'),
  autoCompactionRetention: words('how many old revisions, or for how long, are kept'),
  initialClusterToken: words('token that tells clusters apart at their start'),
  logLevel: words('log level; debug when image.debug is on'),
  maxProcs: words('processors the Go runtime may use'),
  configuration: either('etcd.conf.yml, as text or as a map'),
  existingConfigmap: words('ConfigMap with etcd.conf.yml; wins over configuration'),
  ...environment,
  ...commands,
  replicaCount: whole('number of members: 1, 3 or 5; choose it at the first installation'),
  updateStrategy: free('how members are replaced'),
  podManagementPolicy: choice('how members start', 'Parallel', 'OrderedReady'),
  automountServiceAccountToken: flag('mount a token for the Kubernetes API'),
  lifecycleHooks: free('hooks at start and stop of the container'),
  containerPorts: block('ports of the container', ports('port')),
  ...securityContexts,
  ...resources,
  livenessProbe: probe('restarting a member'),
  readinessProbe: probe('sending clients to a member'),
  startupProbe: probe('waiting for a member to start'),
  customLivenessProbe: free('takes the place of livenessProbe'),
  customReadinessProbe: free('takes the place of readinessProbe'),
  customStartupProbe: free('takes the place of startupProbe'),
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
    whenScaled: choice('when a member goes', 'Retain', 'Delete'),
    whenDeleted: choice('when the StatefulSet goes', 'Retain', 'Delete'),
  }),
  service,
  persistence: block('the claim of a member', {
    enabled: flag('keep data on a claim'),
    storageClass: words('storage class; empty: the default of the cluster; `-`: no class'),
    annotations: labelMap('annotations of the claim'),
    labels: labelMap('labels of the claim'),
    accessModes: texts('access modes'),
    size: words('size'),
    selector: free('which volumes fit'),
  }),
  volumePermissions: block('init container, as root, that gives the data to the user of etcd', {
    enabled: flag('run it'),
    image: block('its image', imageKeys('the init container')),
    ...resources,
  }),
  networkPolicy: block('the NetworkPolicy of the members', {
    enabled: flag('render it'),
    allowExternal: flag('let every pod in, not only those with the client label'),
    allowExternalEgress: flag('let members call everybody'),
    extraIngress: objects('further rules for who may come in'),
    extraEgress: objects('further rules for where members may go'),
    ingressNSMatchLabels: labelMap('labels of namespaces that may come in'),
    ingressNSPodMatchLabels: labelMap('labels of pods in those namespaces'),
  }),
  metrics,
  startFromSnapshot: block('start with the data of a snapshot', {
    enabled: flag('start from it'),
    existingClaim: words('claim that holds the snapshot'),
    snapshotFilename: words('file of the snapshot'),
  }),
  disasterRecovery: snapshots,
  serviceAccount: block('the account of the members', {
    create: flag('create it'),
    name: words('its name; empty: derived, or `default` when none is created'),
    automountServiceAccountToken: flag('mount a token for the Kubernetes API'),
    annotations: labelMap('annotations'),
    labels: labelMap('labels'),
  }),
  preUpgradeJob,
  defrag,
  pdb: block('how many members may be evicted at once', {
    create: flag('render a PodDisruptionBudget'),
    minAvailable: words('members that must stay, as number or percentage'),
    maxUnavailable: words('members that may go, as number or percentage'),
  }),
  security,
});

/** Values that are read by nothing. */
export const dead = {
  kubeVersion: 'give --kube-version instead; nothing depends on it',
};

/** The block `etcd` of the values, every key optional. */
export type EtcdValues = ValuesOf<typeof schema>;
