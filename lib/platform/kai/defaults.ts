import type { JsonObject } from '../../json/index.ts';

/** Version of the KAI chart and tag of all its images. */
export const chartVersion = 'v0.9.4';

function image(name: string): JsonObject {
  return { name, pullPolicy: 'IfNotPresent' };
}

/** The KAI chart's own values. */
export const defaults: JsonObject = {
  global: {
    registry: 'ghcr.io/nvidia/kai-scheduler',
    tag: 'latest',
    imagePullPolicy: 'IfNotPresent',
    imagePullSecrets: [],
    securityContext: {},
    tolerations: [],
    affinity: {},
    nodeSelector: {},
    leaderElection: false,
    gpuSharing: false,
    clusterAutoscaling: false,
    namespaceLabelSelector: {},
    podLabelSelector: {},
    resourceReservation: {
      namespace: 'kai-resource-reservation',
      serviceAccount: 'kai-resource-reservation',
      appLabel: 'kai-resource-reservation',
    },
  },
  operator: {
    image: image('operator'),
    replicaCount: 1,
    metricsBindAddress: ':8080',
    probeBindAddress: ':8081',
    qps: 50,
    burst: 300,
  },
  podgrouper: { image: image('podgrouper') },
  podgroupcontroller: { image: image('podgroupcontroller') },
  binder: {
    name: 'binder',
    image: image('binder'),
    resourceReservationImage: { name: 'resourcereservation' },
    ports: { metricsPort: 8080 },
    cdi: false,
  },
  scheduler: { image: image('scheduler'), placementStrategy: 'binpack', ports: { metricsPort: 8080 } },
  admission: {
    name: 'kai-admission',
    image: image('admission'),
    certSecretName: 'admission-webhook-tls-secret',
    ports: { webhookPort: 9443, metricsPort: 8080, probePort: 8081 },
    cdi: false,
  },
  queuecontroller: { image: image('queuecontroller'), certSecretName: 'queuecontroller-webhook-tls-secret' },
  nodescaleadjuster: {
    image: image('nodescaleadjuster'),
    scalingPodImage: { name: 'scalingpod' },
    scalingPodNamespace: 'kai-scale-adjust',
  },
  crdupgrader: { image: image('crd-upgrader') },
};

/** Values of the platform chart that override those of the KAI chart. */
export const platformDefaults: JsonObject = { enabled: false, global: { tolerations: [], affinity: {} } };
