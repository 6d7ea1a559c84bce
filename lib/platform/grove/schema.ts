import { block, choice, flag, passThrough, mapOf, objects, strings, integer, string, type ValuesOf } from '../schema-fields.ts';

const labels = (what: string) => mapOf(`labels of ${what}`, string('value of the label'));
const onlyLabels = (what: string) => block(what, { labels: labels(what) });

const config = block('configuration file of the operator', {
  runtimeClientConnection: block('requests to the Kubernetes API', {
    qps: integer('requests per second'),
    burst: integer('requests at once'),
  }),
  leaderElection: block('choice of the active replica', {
    enabled: flag('elect one'),
    leaseDuration: string('duration of a lease'),
    renewDeadline: string('how long the leader tries to renew the lease'),
    retryPeriod: string('time between tries'),
    resourceLock: string('kind of the lock'),
    resourceName: string('name of the lock'),
  }),
  server: block('endpoints', {
    webhooks: block('webhooks', { port: integer('port') }),
    healthProbes: block('health', { enable: flag('probe the operator'), port: integer('port') }),
    metrics: block('metrics', { port: integer('port') }),
  }),
  controllers: block('controllers', {
    podCliqueSet: block('of PodCliqueSets', { concurrentSyncs: integer('reconciliations at once', 1) }),
    podClique: block('of PodCliques', { concurrentSyncs: integer('reconciliations at once', 1) }),
  }),
  debugging: block('debugging', { enableProfiling: flag('serve profiles') }),
  logLevel: choice('log level', 'debug', 'info', 'error'),
  logFormat: choice('log format', 'json', 'text'),
  authorizer: block('webhook that keeps others from changing what Grove manages', {
    enabled: flag('turn it on'),
    exemptServiceAccountUserNames: strings('accounts that may still change it'),
  }),
});

/** The values of Grove, with a description on every key. */
export const schema = block('Grove, the operator for multi-node graphs; one per cluster', {
  enabled: flag('run the Grove operator'),
  replicaCount: integer('replicas of the operator'),
  image: block('image of the operator', {
    repository: string('repository with registry'),
    tag: string('tag, or a digest that starts with sha256:'),
    pullPolicy: choice('when to pull', 'Always', 'IfNotPresent', 'Never'),
  }),
  resources: passThrough('requests and limits of the operator'),
  tolerations: objects('taints the operator tolerates'),
  affinity: passThrough('not read'),
  config,
  serviceAccount: block('account of the operator', {
    name: string('its name'),
    automount: flag('mount its token automatically'),
    labels: labels('the account and the Service'),
  }),
  configMap: onlyLabels('the ConfigMap'),
  deployment: block('the Deployment', {
    labels: labels('the Deployment; its pods are selected by them'),
    env: objects('environment variables of the operator'),
  }),
  service: block('the Service', {
    name: string('its name'),
    type: string('its type'),
    port: integer('not read'),
    labels: labels('the Service; not read'),
  }),
  clusterRole: block('the ClusterRole', { name: string('its name'), labels: labels('the ClusterRole') }),
  clusterRoleBinding: block('the ClusterRoleBinding', { name: string('its name'), labels: labels('the binding') }),
  priorityClass: block('the PriorityClass of the operator', {
    enabled: flag('render and use it'),
    name: string('its name'),
    value: integer('its value'),
  }),
  webhooks: block('webhook configurations', {
    podCliqueSetDefaultingWebhook: onlyLabels('the defaulting webhook'),
    podCliqueSetValidationWebhook: onlyLabels('the validating webhook'),
    authorizerWebhook: onlyLabels('the authorizer webhook'),
  }),
  webhookServerSecret: onlyLabels('the Secret with the certificate'),
});

/** Values that nothing reads. */
export const dead = {
  affinity: 'this version of Grove has no affinity; use tolerations',
  'service.port': 'the ports of the Service follow config.server',
  'service.labels': 'the Service has serviceAccount.labels',
};

/** The block `grove` of the values, every key optional. */
export type GroveValues = ValuesOf<typeof schema>;
