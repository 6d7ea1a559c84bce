import type { JsonObject } from '../../json/index.ts';

/** Version of the original's operator sub chart, its image tag and version label. */
export const chartVersion = '0.7.1';

/** Version of the rendered platform: that of the newest published operator image that takes flags. */
export const platformVersion = '0.9.1';

const noPrivileges = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
const bindAddresses = ['--health-probe-bind-address=:8081', '--metrics-bind-address=127.0.0.1:8080'];

const webhook = {
  enabled: true,
  certificateSecret: { name: 'webhook-server-cert', external: false },
  certificateValidity: 365,
  certGenerator: { image: { repository: 'bitnami/kubectl', tag: 'latest', pullPolicy: 'IfNotPresent' } },
  caBundle: '',
  failurePolicy: 'Fail',
  timeoutSeconds: 10,
  namespaceSelector: {},
  certManager: {
    enabled: false,
    certificate: { duration: '8760h', renewBefore: '360h', rootCA: { duration: '87600h', renewBefore: '720h' } },
  },
};

/** The operator sub chart's own values. */
export const defaults: JsonObject = {
  namespaceRestriction: { enabled: false, targetNamespace: '', lease: { duration: '30s', renewInterval: '10s' } },
  controllerManager: {
    replicas: 1,
    tolerations: [],
    affinity: {},
    leaderElection: { id: '', namespace: '' },
    serviceAccount: { annotations: {} },
    kubeRbacProxy: {
      args: [
        '--secure-listen-address=0.0.0.0:8443',
        '--upstream=http://127.0.0.1:8080/',
        '--logtostderr=true',
        '--v=0',
        '--ignore-paths=/metrics',
      ],
      containerSecurityContext: noPrivileges,
      image: { repository: 'gcr.io/kubebuilder/kube-rbac-proxy', tag: 'v0.15.0' },
      resources: { limits: { cpu: '500m', memory: '128Mi' }, requests: { cpu: '5m', memory: '64Mi' } },
    },
    manager: {
      args: [...bindAddresses, '--leader-elect', '--leader-election-id=dynamo.nvidia.com'],
      containerSecurityContext: noPrivileges,
      image: { repository: 'nvcr.io/nvidia/ai-dynamo/kubernetes-operator', tag: '' },
      resources: { limits: { cpu: '1024m', memory: '2Gi' }, requests: { cpu: '512m', memory: '1Gi' } },
    },
  },
  dynamo: {
    components: { serviceAccount: { annotations: {} } },
    groveTerminationDelay: '15m',
    internalImages: { debugger: 'python:3.12-slim' },
    enableRestrictedSecurityContext: false,
    dockerRegistry: {
      server: '',
      useKubernetesSecret: false,
      username: '$oauthtoken',
      password: '',
      existingSecretName: '',
      secure: true,
    },
    metrics: { prometheusEndpoint: '' },
    mpiRun: { secretName: 'mpi-run-ssh-secret', sshKeygen: { enabled: true } },
  },
  kubernetesClusterDomain: 'cluster.local',
  metricsService: {
    enabled: true,
    ports: [{ name: 'https', port: 8443, protocol: 'TCP', targetPort: 'https' }],
    type: 'ClusterIP',
  },
  natsAddr: '',
  etcdAddr: '',
  nats: { enabled: true },
  modelExpressURL: '',
  webhook,
};

/** Values of the platform chart that override those of the operator sub chart. */
export const platformDefaults: JsonObject = {
  enabled: true,
  natsAddr: '',
  etcdAddr: '',
  nats: { enabled: true },
  modelExpressURL: '',
  namespaceRestriction: { enabled: false, targetNamespace: null, lease: { duration: '30s', renewInterval: '10s' } },
  discoveryBackend: 'kubernetes',
  controllerManager: {
    tolerations: [],
    affinity: {},
    leaderElection: { id: '', namespace: '' },
    manager: {
      image: { repository: 'nvcr.io/nvidia/ai-dynamo/kubernetes-operator', tag: '', pullPolicy: 'IfNotPresent' },
      args: bindAddresses,
    },
  },
  imagePullSecrets: [],
  dynamo: {
    groveTerminationDelay: '4h',
    internalImages: { debugger: 'python:3.12-slim' },
    enableRestrictedSecurityContext: false,
    dockerRegistry: {
      useKubernetesSecret: false,
      server: null,
      username: null,
      password: null,
      existingSecretName: null,
      secure: true,
    },
    ingress: { enabled: false, className: null, tlsSecretName: 'my-tls-secret' },
    istio: { enabled: false, gateway: null },
    ingressHostSuffix: '',
    virtualServiceSupportsHTTPS: false,
    metrics: { prometheusEndpoint: '' },
    mpiRun: { secretName: 'mpi-run-ssh-secret', sshKeygen: { enabled: true } },
  },
  webhook,
};
