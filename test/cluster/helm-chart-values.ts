/** Values for the generated chart: some that it renders as `platform` does, some that both reject, and some that both only just accept. */

/** Values, and what else decides about the objects. */
export interface ValueSet {
  readonly values: object;
  readonly apiVersions?: readonly string[];
  readonly release?: string;
  /** Whether the chart was made for the operator of this package. */
  readonly own?: boolean;
}

/** A block of the operator's values. */
export const operator = (values: object): object => ({ 'dynamo-operator': values });

/** The defaults and sets that between them set every documented value. */
export const sets: Readonly<Record<string, ValueSet>> = {
  defaults: { values: {} },
  'three replicas with everything about the pod': {
    values: {
      ...operator({
        controllerManager: {
          replicas: 3,
          tolerations: [{ key: 'system', operator: 'Exists' }],
          affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
          manager: {
            resources: { limits: { cpu: '2' } },
            image: { repository: 'example.com/operator', tag: '0.9.1', pullPolicy: 'Always' },
          },
          kubeRbacProxy: { image: { repository: 'example.com/proxy', tag: 'v1' }, resources: { requests: { cpu: '1m' } } },
        },
        imagePullSecrets: [{ name: 'pull' }],
        dynamo: { mpiRun: { secretName: 'ssh' } },
      }),
      platform: { operator: { nodeSelector: { pool: 'system' }, logLevel: 'debug' } },
    },
  },
  restricted: { values: operator({ namespaceRestriction: { enabled: true, lease: { duration: '60s', renewInterval: '20s' } } }) },
  'restricted to another namespace': { values: operator({ namespaceRestriction: { enabled: true, targetNamespace: 'team-b' } }) },
  'no webhooks, no NATS, no etcd': {
    values: { ...operator({ webhook: { enabled: false } }), nats: { enabled: false }, etcd: { enabled: false } },
  },
  'external certificate, NATS and etcd': {
    values: {
      ...operator({
        webhook: { caBundle: 'QUJD', certificateSecret: { name: 'mine' }, failurePolicy: 'Ignore', timeoutSeconds: 5 },
        natsAddr: 'nats://elsewhere:4222',
        etcdAddr: 'elsewhere:2379',
      }),
      platform: { certificates: { mode: 'external' } },
      nats: { enabled: false },
      etcd: { enabled: false },
    },
  },
  'etcd discovery through an etcd on another port': {
    values: { ...operator({ discoveryBackend: 'etcd', etcdAddr: 'https://elsewhere:2390/' }), etcd: { enabled: false } },
  },
  'etcd discovery through an etcd whose port goes without saying': {
    values: operator({ discoveryBackend: 'etcd', etcdAddr: 'elsewhere' }),
  },
  'the operator of this package': {
    values: { platform: { operator: { kind: 'dynamo-cdk8s', image: 'example.com/own-operator:1.2.3' } } },
    own: true,
  },
  'the operator of this package, restricted, with cert-manager': {
    values: {
      ...operator({ namespaceRestriction: { enabled: true } }),
      platform: {
        operator: { kind: 'dynamo-cdk8s', image: `example.com/own@sha256:${'a'.repeat(64)}` },
        certificates: { mode: 'cert-manager' },
        monitoring: { enabled: true },
      },
    },
    own: true,
  },
  'monitors where the cluster knows them': {
    values: { platform: { monitoring: { labels: { release: 'stack' } } } },
    apiVersions: ['monitoring.coreos.com/v1'],
  },
  'monitors on request': {
    values: { platform: { monitoring: { enabled: true } }, ...operator({ namespaceRestriction: { enabled: true } }) },
  },
  'no monitors although the cluster knows them': {
    values: { platform: { monitoring: { enabled: false } } },
    apiVersions: ['monitoring.coreos.com/v1'],
  },
  'another registry and a digest': {
    values: {
      global: { imageRegistry: 'mirror.example.com/dynamo/' },
      platform: { imageDigests: { 'nats:2.10.21-alpine': `sha256:${'a'.repeat(64)}` } },
    },
  },
  'ingress, Istio, etcd discovery': {
    values: operator({
      discoveryBackend: 'etcd',
      modelExpressURL: 'http://express',
      dynamo: {
        ingress: { enabled: true, className: 'nginx', tlsSecretName: 'tls' },
        istio: { enabled: true, gateway: 'istio/gateway' },
        ingressHostSuffix: 'example.com',
        groveTerminationDelay: '1h',
        metrics: { prometheusEndpoint: 'http://prometheus:9090' },
      },
    }),
  },
  'storage of NATS and etcd': {
    values: {
      nats: {
        config: { jetstream: { fileStore: { pvc: { size: '5Gi', storageClassName: 'fast' } } } },
        container: { image: { tag: '2.11.2' } },
      },
      etcd: { image: { tag: '3.5.19' }, persistence: { size: '3Gi', storageClass: 'fast' }, resources: { limits: { cpu: '2' } } },
    },
  },
  'a NATS cluster with resources and tolerations': {
    values: {
      nats: {
        config: { cluster: { enabled: true, replicas: 3 } },
        container: { merge: { resources: { limits: { cpu: '2', memory: '4Gi' } } } },
        podTemplate: { merge: { spec: { tolerations: [{ key: 'bus', operator: 'Exists' }], nodeSelector: { pool: 'bus' } } } },
      },
    },
  },
  'strategies, priorities and times of probes': {
    values: {
      platform: {
        operator: {
          strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2 } },
          priorityClassName: 'high',
          livenessProbe: { initialDelaySeconds: 31, periodSeconds: 32 },
          readinessProbe: { initialDelaySeconds: 33, periodSeconds: 34 },
        },
      },
      nats: {
        statefulSet: { merge: { spec: { updateStrategy: { type: 'OnDelete' } } } },
        podTemplate: { merge: { spec: { priorityClassName: 'high' } } },
        container: {
          merge: Object.fromEntries(
            ['startupProbe', 'readinessProbe', 'livenessProbe'].map((probe) => [
              probe,
              { initialDelaySeconds: 35, periodSeconds: 36, timeoutSeconds: 37, failureThreshold: 38 },
            ]),
          ),
        },
      },
      etcd: {
        updateStrategy: { type: 'OnDelete' },
        priorityClassName: 'high',
        ...Object.fromEntries(
          ['startupProbe', 'readinessProbe', 'livenessProbe'].map((probe) => [
            probe,
            { initialDelaySeconds: 39, periodSeconds: 40, timeoutSeconds: 41, failureThreshold: 42 },
          ]),
        ),
      },
    },
  },
  'the namespaces of clients': {
    values: { platform: { networkPolicy: { clientNamespaceLabels: { graphs: 'yes', team: 'a' } } } },
  },
  'restricted, and open to all namespaces': {
    values: {
      ...operator({ namespaceRestriction: { enabled: true } }),
      platform: { networkPolicy: { allowAllNamespaces: true } },
    },
  },
  'a NATS cluster of five': { values: { nats: { config: { cluster: { enabled: true, replicas: 5 } } } } },
  'three members of etcd, placed': {
    values: {
      etcd: { replicaCount: 3, tolerations: [{ key: 'store', operator: 'Exists' }], nodeSelector: { pool: 'store' } },
      global: { storageClass: 'global' },
    },
  },
  'etcd of seven without a storage class': { values: { etcd: { replicaCount: 7, persistence: { storageClass: '-' } } } },
  'pull secrets of every pod, as names and maps, one of them twice': {
    values: {
      ...operator({ imagePullSecrets: [{ name: 'own' }, { name: 'b' }] }),
      global: { imagePullSecrets: ['a', { name: 'b' }] },
      grove: { enabled: true },
      'kai-scheduler': { enabled: true },
    },
  },
  'Grove and KAI': { values: { grove: { enabled: true }, 'kai-scheduler': { enabled: true } } },
  'queues where the cluster knows them': { values: {}, apiVersions: ['scheduling.run.ai/v2'] },
  'no queues although the release brings KAI': {
    values: { 'kai-scheduler': { enabled: true }, platform: { queues: { enabled: false } } },
  },
  'globals of an umbrella chart': { values: { global: { team: 'search', defaultStorageClass: 'slow' } } },
  'a release with the name of a part': { values: {}, release: 'my-nats' },
  'names of the user': {
    values: { ...operator({ fullnameOverride: 'op' }), nats: { fullnameOverride: 'bus' }, etcd: { fullnameOverride: 'store' } },
  },
};

/** Values that the command line refuses, each for one reason. */
export const refused: Readonly<Record<string, object>> = {
  'an external certificate without its CA': { platform: { certificates: { mode: 'external' } } },
  'a certificate that the original operator cannot make': { platform: { certificates: { mode: 'self-managed' } } },
  'a release that takes a configuration file': operator({ controllerManager: { manager: { image: { tag: '1.4.1' } } } }),
  'a release that lacks flags': operator({ controllerManager: { manager: { image: { tag: 'v0.7.1' } } } }),
  'etcd discovery without etcd': { ...operator({ discoveryBackend: 'etcd' }), etcd: { enabled: false } },
  'no Secret for MPI': operator({ dynamo: { mpiRun: { secretName: '' } } }),
  'a lease renewed later than it ends': operator({
    namespaceRestriction: { enabled: true, lease: { duration: '30s', renewInterval: '1m' } },
  }),
  'a lease renewed as it ends': operator({
    namespaceRestriction: { enabled: true, lease: { duration: '1m', renewInterval: '60s' } },
  }),
  'a name too long for the webhook Service': operator({ fullnameOverride: 'a'.repeat(48) }),
  'a discovery backend that does not exist': operator({ discoveryBackend: 'zookeeper' }),
  'a request above its limit': operator({
    controllerManager: { manager: { resources: { requests: { memory: '2Gi' }, limits: { memory: '1500M' } } } },
  }),
  'a request above its limit, in units of their own': {
    etcd: { resources: { requests: { cpu: '1.5' }, limits: { cpu: '1499m' } } },
  },
  'a request above its limit, as numbers': {
    nats: { container: { merge: { resources: { requests: { cpu: 3 }, limits: { cpu: '2' } } } } },
  },
  'half of what nobody can share': operator({
    controllerManager: {
      kubeRbacProxy: { resources: { requests: { 'example.com/fpga': 1 }, limits: { 'example.com/fpga': 2 } } },
    },
  }),
  'a toleration of any value that names one': { etcd: { tolerations: [{ operator: 'Exists', value: 'x' }] } },
  'an affinity without a topology': operator({
    controllerManager: {
      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: {} }] } },
    },
  }),
  'a selector that no node can have': { etcd: { nodeSelector: { pool: 'bad value!' } } },
  'a quantity that is none': operator({ controllerManager: { manager: { resources: { limits: { memory: '2GB' } } } } }),
  'a failure policy that does not exist': operator({ webhook: { failurePolicy: 'Retry' } }),
};

/** Values that only just pass. */
export const accepted: Readonly<Record<string, object>> = {
  'a lease renewed in time': operator({
    namespaceRestriction: { enabled: true, lease: { duration: '1m', renewInterval: '59s' } },
  }),
  'requests at their limits': {
    ...operator({ controllerManager: { manager: { resources: { requests: { memory: '1Gi' }, limits: { memory: '1024Mi' } } } } }),
    etcd: { resources: { requests: { cpu: '1e3', memory: 1e9 }, limits: { cpu: '1k', memory: '1G' } } },
  },
  'a name just short enough': operator({ fullnameOverride: 'a'.repeat(47) }),
  'no operator, so nothing about it': { ...operator({ enabled: false, discoveryBackend: 'etcd' }), etcd: { enabled: false } },
};
