import type { JsonObject } from '../../json/index.ts';

/** Version of the Grove chart and of its images. */
export const chartVersion = 'v0.1.0-alpha.3';

function labels(component: string, name: string): JsonObject {
  return {
    'app.kubernetes.io/component': component,
    'app.kubernetes.io/name': name,
    'app.kubernetes.io/part-of': 'grove',
  };
}

const config = {
  runtimeClientConnection: { qps: 100, burst: 150 },
  leaderElection: {
    enabled: true,
    leaseDuration: '15s',
    renewDeadline: '10s',
    retryPeriod: '2s',
    resourceLock: 'leases',
    resourceName: 'grove-operator-leader-election',
  },
  server: { webhooks: { port: 9443 }, healthProbes: { enable: false, port: 9444 }, metrics: { port: 9445 } },
  controllers: { podCliqueSet: { concurrentSyncs: 3 }, podClique: { concurrentSyncs: 3 } },
  debugging: { enableProfiling: false },
  logLevel: 'info',
  logFormat: 'json',
  authorizer: {
    enabled: false,
    // The accounts of KAI's components and of the garbage collector, which change objects that Grove manages.
    exemptServiceAccountUserNames: [
      'system:serviceaccount:kube-system:generic-garbage-collector',
      'system:serviceaccount:kai-scheduler:binder',
      'system:serviceaccount:kai-scheduler:pod-grouper',
      'system:serviceaccount:kai-scheduler:podgroup-controller',
      'system:serviceaccount:kai-scheduler:scheduler',
    ],
  },
};

/** The Grove chart's own values. */
export const defaults: JsonObject = {
  replicaCount: 1,
  image: { repository: 'ghcr.io/nvidia/grove/grove-operator', tag: chartVersion, pullPolicy: 'IfNotPresent' },
  resources: { limits: { memory: '1Gi' }, requests: { cpu: '50m', memory: '128Mi', 'ephemeral-storage': '128Mi' } },
  tolerations: [],
  config,
  serviceAccount: {
    name: 'grove-operator',
    automount: false,
    labels: labels('operator-serviceaccount', 'grove-operator-service-account'),
  },
  configMap: { labels: labels('operator-configmap', 'grove-operator') },
  deployment: {
    labels: labels('operator-deployment', 'grove-operator'),
    env: [{ name: 'GROVE_INIT_CONTAINER_IMAGE', value: 'ghcr.io/nvidia/grove/grove-initc' }],
  },
  service: { name: 'grove-operator', type: 'ClusterIP', port: 80, labels: labels('operator-service', 'grove-operator') },
  clusterRole: { name: 'grove:system:grove-operator', labels: labels('operator-clusterrole', 'grove-operator') },
  clusterRoleBinding: { name: 'grove:system:grove-operator', labels: labels('operator-clusterrolebinding', 'grove-operator') },
  priorityClass: { enabled: false, name: 'grove-operator-priority-critical', value: 999999550 },
  webhooks: {
    podCliqueSetDefaultingWebhook: { labels: labels('operator-pcs-defaulting-webhook', 'pcs-defaulting-webhook') },
    podCliqueSetValidationWebhook: { labels: labels('operator-pcs-validating-webhook', 'pcs-validating-webhook') },
    authorizerWebhook: { labels: labels('operator-authorizer-webhook', 'authorizer-webhook') },
  },
  webhookServerSecret: { labels: labels('operator-webhook-server-secret', 'grove-webhook-server-secret') },
};

/** Values of the platform chart that override those of the Grove chart. */
export const platformDefaults: JsonObject = { enabled: false, tolerations: [], affinity: {} };
