import { block, choice, flag, free, mapOf, objects, texts, whole, words, type ValuesOf } from '../described.ts';

const labels = (what: string) => mapOf(`labels of ${what}`, words('value of the label'));
const onlyLabels = (what: string) => block(what, { labels: labels(what) });

const config = block('configuration file of the operator', {
  runtimeClientConnection: block('requests to the Kubernetes API', {
    qps: whole('requests a second'),
    burst: whole('requests at once'),
  }),
  leaderElection: block('choice of the active replica', {
    enabled: flag('elect one'),
    leaseDuration: words('how long a lease holds'),
    renewDeadline: words('how long the leader tries to renew it'),
    retryPeriod: words('time between tries'),
    resourceLock: words('kind of the lock'),
    resourceName: words('name of the lock'),
  }),
  server: block('endpoints', {
    webhooks: block('webhooks', { port: whole('port') }),
    healthProbes: block('health', { enable: flag('probe the operator'), port: whole('port') }),
    metrics: block('metrics', { port: whole('port') }),
  }),
  controllers: block('controllers', {
    podCliqueSet: block('of PodCliqueSets', { concurrentSyncs: whole('reconciliations at once', 1) }),
    podClique: block('of PodCliques', { concurrentSyncs: whole('reconciliations at once', 1) }),
  }),
  debugging: block('debugging', { enableProfiling: flag('serve profiles') }),
  logLevel: choice('log level', 'debug', 'info', 'error'),
  logFormat: choice('log format', 'json', 'text'),
  authorizer: block('webhook that keeps others from changing what Grove manages', {
    enabled: flag('turn it on'),
    exemptServiceAccountUserNames: texts('accounts that may change it all the same'),
  }),
});

/** The values of Grove, with a description on every key. */
export const schema = block('Grove, the operator for multi-node graphs; one per cluster', {
  enabled: flag('run the Grove operator'),
  replicaCount: whole('replicas of the operator'),
  image: block('image of the operator', {
    repository: words('repository with registry'),
    tag: words('tag, or a digest that starts with sha256:'),
    pullPolicy: choice('when to pull', 'Always', 'IfNotPresent', 'Never'),
  }),
  resources: free('requests and limits of the operator'),
  tolerations: objects('taints the operator tolerates'),
  affinity: free('not read'),
  config,
  serviceAccount: block('account of the operator', {
    name: words('its name'),
    automount: flag('mount its token by itself'),
    labels: labels('the account and the Service'),
  }),
  configMap: onlyLabels('the ConfigMap'),
  deployment: block('the Deployment', {
    labels: labels('the Deployment; its pods are selected by them'),
    env: objects('environment variables of the operator'),
  }),
  service: block('the Service', {
    name: words('its name'),
    type: words('its type'),
    port: whole('not read'),
    labels: labels('nothing: not read'),
  }),
  clusterRole: block('the ClusterRole', { name: words('its name'), labels: labels('the ClusterRole') }),
  clusterRoleBinding: block('the ClusterRoleBinding', { name: words('its name'), labels: labels('the binding') }),
  priorityClass: block('the PriorityClass of the operator', {
    enabled: flag('render and use it'),
    name: words('its name'),
    value: whole('its value'),
  }),
  webhooks: block('webhook configurations', {
    podCliqueSetDefaultingWebhook: onlyLabels('the defaulting webhook'),
    podCliqueSetValidationWebhook: onlyLabels('the validating webhook'),
    authorizerWebhook: onlyLabels('the authorizer webhook'),
  }),
  webhookServerSecret: onlyLabels('the Secret with the certificate'),
});

/** Values that are read by nothing. */
export const dead = {
  affinity: 'this version of Grove has no affinity; use tolerations',
  'service.port': 'the ports of the Service follow config.server',
  'service.labels': 'the Service carries serviceAccount.labels',
};

/** The block `grove` of the values, every key optional. */
export type GroveValues = ValuesOf<typeof schema>;
