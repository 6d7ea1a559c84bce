import type { JsonObject } from '../../json/index.ts';

/** Version of the NATS chart whose values and objects these are. */
export const chartVersion = '1.3.2';

/** NATS version of the chart; only a label, the image is another value. */
export const appVersion = '2.11.1';

const overlay = { merge: {}, patch: [] };
const named = { ...overlay, name: null };
const image = { pullPolicy: null, registry: null, digest: null, fullImageName: null };

function tls(protocol: string): JsonObject {
  return { enabled: false, secretName: null, dir: `/etc/nats-certs/${protocol}`, cert: 'tls.crt', key: 'tls.key', ...overlay };
}

function listener(protocol: string, port: number): JsonObject {
  return { enabled: false, port, tls: tls(protocol), ...overlay };
}

const jetstream = {
  enabled: false,
  fileStore: {
    enabled: true,
    dir: '/data',
    pvc: { enabled: true, size: '10Gi', storageClassName: null, ...named },
    maxSize: null,
  },
  memoryStore: { enabled: false, maxSize: '1Gi' },
  ...overlay,
};

const config = {
  cluster: {
    ...listener('cluster', 6222),
    replicas: 3,
    routeURLs: { user: null, password: null, useFQDN: false, k8sClusterDomain: 'cluster.local' },
  },
  jetstream,
  nats: { port: 4222, tls: tls('nats') },
  leafnodes: listener('leafnodes', 7422),
  websocket: {
    ...listener('websocket', 8080),
    ingress: { enabled: false, hosts: [], path: '/', pathType: 'Exact', className: null, tlsSecretName: null, ...named },
  },
  mqtt: listener('mqtt', 1883),
  gateway: listener('gateway', 7222),
  monitor: { enabled: true, port: 8222, tls: { enabled: false } },
  profiling: { enabled: false, port: 65432 },
  resolver: {
    enabled: false,
    dir: '/data/resolver',
    pvc: { enabled: true, size: '1Gi', storageClassName: null, ...named },
    ...overlay,
  },
  serverNamePrefix: '',
  ...overlay,
};

const protocolNames = ['nats', 'leafnodes', 'websocket', 'mqtt', 'cluster', 'gateway', 'monitor', 'profiling'] as const;
const inService = new Set<string>(['nats', 'leafnodes', 'websocket', 'mqtt']);
const noPorts: JsonObject = Object.fromEntries(protocolNames.map((name) => [name, {}]));
const servicePorts: JsonObject = Object.fromEntries(protocolNames.map((name) => [name, { enabled: inService.has(name) }]));

const defaultContext = {
  creds: { contents: null, secretName: null, dir: null, key: 'nats.creds' },
  nkey: { contents: null, secretName: null, dir: null, key: 'nats.nk' },
  tls: { secretName: null, dir: null, cert: 'tls.crt', key: 'tls.key' },
  ...overlay,
};

/** The NATS chart's own values. */
export const defaults: JsonObject = {
  global: { image: { registry: null, pullPolicy: null, pullSecretNames: [] }, labels: {} },
  nameOverride: null,
  fullnameOverride: null,
  namespaceOverride: null,
  tlsCA: { enabled: false, configMapName: null, secretName: null, dir: '/etc/nats-ca-cert', key: 'ca.crt' },
  config,
  container: { image: { repository: 'nats', tag: '2.11.1-binary-alpine', ...image }, ports: noPorts, env: {}, ...overlay },
  reloader: {
    enabled: true,
    image: { repository: 'natsio/nats-server-config-reloader', tag: '0.17.1', ...image },
    env: {},
    natsVolumeMountPrefixes: ['/etc/'],
    ...overlay,
  },
  promExporter: {
    enabled: false,
    image: { repository: 'natsio/prometheus-nats-exporter', tag: '0.16.0', ...image },
    port: 7777,
    env: {},
    ...overlay,
    podMonitor: { enabled: false, ...named },
  },
  service: { enabled: true, ports: servicePorts, ...named },
  statefulSet: named,
  podTemplate: { configChecksumAnnotation: true, topologySpreadConstraints: {}, ...overlay },
  headlessService: named,
  configMap: named,
  podDisruptionBudget: { enabled: true, ...named },
  serviceAccount: { enabled: false, ...named },
  natsBox: {
    enabled: true,
    contexts: { default: defaultContext },
    defaultContextName: 'default',
    container: { image: { repository: 'natsio/nats-box', tag: '0.17.0', ...image }, env: {}, ...overlay },
    podTemplate: overlay,
    deployment: named,
    contextsSecret: named,
    contentsSecret: named,
    serviceAccount: { enabled: false, ...named },
  },
  extraResources: [],
};

const placement = { merge: { spec: { tolerations: [], affinity: {} } } };

/** Values of the platform chart that override those of the NATS chart. */
export const platformDefaults: JsonObject = {
  enabled: true,
  config: { jetstream: { enabled: true }, merge: { max_payload: 15728640 } },
  container: { image: { tag: '2.10.21-alpine' } },
  reloader: { image: { tag: '0.16.0' } },
  podTemplate: placement,
  natsBox: { enabled: false, container: { image: { tag: '0.14.5' } }, podTemplate: placement },
};
