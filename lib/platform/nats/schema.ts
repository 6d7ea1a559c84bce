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

const overlay = (what: string) => ({
  merge: passThrough(`fields to merge into ${what}: maps merge, everything else replaces`),
  patch: listOf(`JSON patch (RFC 6902) applied to ${what} after merge`, passThrough('one operation: op, path, value or from')),
});

const named = (what: string) => ({ name: string(`name of ${what}; empty: derived from the release`), ...overlay(what) });

const image = (what: string) =>
  block(`image of ${what}`, {
    registry: string('registry in front of the repository; empty: global.image.registry, then Docker Hub'),
    repository: string('repository without registry and tag'),
    tag: string('tag; a digest replaces it'),
    digest: string('digest such as sha256:...; replaces the tag'),
    fullImageName: string('whole reference; replaces registry, repository, tag and digest'),
    pullPolicy: string('Always, IfNotPresent or Never; empty: global.image.pullPolicy, then the default of Kubernetes'),
  });

const env = (what: string) =>
  mapOf(`environment variables of ${what} by name: a string, or a map such as {valueFrom: ...}`, {
    type: ['string', 'object', 'number', 'boolean', 'null'],
    description: 'the value, or the rest of the entry',
    additionalProperties: true,
  });

const tls = (what: string) =>
  block(`TLS of ${what}`, {
    enabled: flag('encrypt'),
    secretName: string('Secret with certificate and key; empty: no files are named'),
    dir: string('directory the Secret is mounted at'),
    cert: string('key of the certificate in the Secret'),
    key: string('key of the private key in the Secret'),
    ...overlay('the tls block of the configuration'),
  });

const listener = (what: string) => ({
  enabled: flag(`listen for ${what}`),
  port: integer(`port for ${what}`),
  tls: tls(what),
  ...overlay(`the block for ${what} in the configuration`),
});

const claim = (what: string) =>
  block(`volume claim of ${what}`, {
    enabled: flag('keep the files on a separate volume'),
    size: string('size, such as 10Gi'),
    storageClassName: string('storage class; empty: the default class of the cluster'),
    ...named('the volume claim template'),
  });

const portExtras = (what: string, extra: string) =>
  block(
    what,
    Object.fromEntries(
      ['nats', 'leafnodes', 'websocket', 'mqtt', 'cluster', 'gateway', 'monitor', 'profiling'].map((name) => [
        name,
        passThrough(`${extra} of the port ${name}`),
      ]),
    ),
  );

const config = block('configuration of the server (nats.conf)', {
  cluster: block('several servers that form one cluster', {
    ...listener('other servers of the cluster'),
    replicas: integer('number of servers'),
    routeURLs: block('addresses under which servers find each other', {
      user: string('user of the routes; with a password it also protects the cluster port'),
      password: string('password of the routes; it is written into the ConfigMap'),
      useFQDN: flag('use whole DNS names'),
      k8sClusterDomain: string('DNS domain of the Kubernetes cluster'),
    }),
  }),
  jetstream: block('persistence of messages', {
    enabled: flag('turn JetStream on'),
    fileStore: block('streams kept in files', {
      enabled: flag('allow streams in files'),
      dir: string('directory of the files'),
      pvc: claim('JetStream'),
      maxSize: string('most bytes in files, such as 8Gi; empty: the size of the claim'),
    }),
    memoryStore: block('streams kept in memory', {
      enabled: flag('allow streams in memory'),
      maxSize: string('most bytes in memory, such as 1Gi'),
    }),
    ...overlay('the jetstream block of the configuration'),
  }),
  nats: block('connections of clients', { port: integer('port for clients'), tls: tls('clients') }),
  leafnodes: block('connections of leaf nodes', listener('leaf nodes')),
  websocket: block('connections of browsers', {
    ...listener('websocket clients'),
    ingress: block('Ingress for websocket clients', {
      enabled: flag('render the Ingress; it also needs a host and the websocket port of the Service'),
      hosts: strings('host names'),
      path: string('path'),
      pathType: choice('how the path matches', 'Exact', 'Prefix', 'ImplementationSpecific'),
      className: string('ingress class; empty: the default of the cluster'),
      tlsSecretName: string('Secret with the certificate of the hosts; empty: no TLS'),
      ...named('the Ingress'),
    }),
  }),
  mqtt: block('connections of MQTT clients', listener('MQTT clients')),
  gateway: block('connections of other clusters', listener('gateways of other clusters')),
  monitor: block('HTTP endpoint for monitoring; all probes use it', {
    enabled: flag('serve the endpoint; without it there are no probes'),
    port: integer('port of the endpoint'),
    tls: block('TLS of the endpoint, with the certificate of config.nats.tls', { enabled: flag('serve HTTPS') }),
  }),
  profiling: block('endpoint for profiles of the Go runtime', {
    enabled: flag('serve profiles'),
    port: integer('port of the endpoint'),
  }),
  resolver: block('resolver of account JWTs', {
    enabled: flag('turn the resolver on'),
    dir: string('directory of the accounts'),
    pvc: claim('the resolver'),
    ...overlay('the resolver block of the configuration'),
  }),
  serverNamePrefix: string('prefix of the pod name in the server name; needed to distinguish servers of several clusters'),
  merge: passThrough(
    'fields to merge into the configuration; a string `<< X >>` is printed as unquoted X, a key that ends in $include becomes an include directive',
  ),
  patch: listOf(
    'JSON patch (RFC 6902) applied to the configuration after merge',
    passThrough('one operation: op, path, value or from'),
  ),
});

const credential = (what: string) =>
  block(`${what} of the context`, {
    contents: string(`the ${what} itself; it is written into a Secret of the release`),
    secretName: string(`Secret that holds the ${what}`),
    dir: string('directory the Secret is mounted at'),
    key: string('key in the Secret'),
  });

const natsBox = block('a pod with the nats command line', {
  enabled: flag('run nats-box'),
  contexts: mapOf(
    'connections the nats command line knows, by name',
    block('one connection', {
      creds: credential('credentials file'),
      nkey: credential('nkey seed'),
      tls: block('client certificate of the context', {
        secretName: string('Secret with certificate and key'),
        dir: string('directory the Secret is mounted at'),
        cert: string('key of the certificate in the Secret'),
        key: string('key of the private key in the Secret'),
      }),
      ...overlay('the JSON of the context'),
    }),
  ),
  defaultContextName: string('context that is selected at first'),
  container: block('the container', { image: image('nats-box'), env: env('nats-box'), ...overlay('the container') }),
  podTemplate: block('the pod', overlay('the pod template')),
  deployment: block('the Deployment', named('the Deployment')),
  contextsSecret: block('the Secret with the contexts', named('the Secret')),
  contentsSecret: block('the Secret with contents of credentials', named('the Secret')),
  serviceAccount: block('the account of the pod', { enabled: flag('create an account'), ...named('the ServiceAccount') }),
});

const security = block(
  'of this package: authentication and TLS from existing Secrets; read if the switch security-blocks is on',
  {
    auth: block('authentication of clients', {
      enabled: flag('require it'),
      secretName: string('Secret with a piece of NATS configuration, such as an authorization or accounts block'),
      key: string('key in the Secret; default auth.conf'),
    }),
    tls: block('TLS of clients and, in a cluster, between servers', {
      enabled: flag('require it'),
      secretName: string('Secret with tls.crt, tls.key and ca.crt, as cert-manager creates it'),
      verifyClients: flag('require a certificate of clients too'),
    }),
  },
);

/** The values of NATS, with a description on every key. */
export const schema = block('NATS, the message bus of graphs', {
  enabled: flag('run NATS; off when graphs use another one'),
  global: block('settings of every NATS container', {
    image: block('images', {
      registry: string('registry of every image that names none'),
      pullPolicy: string('pull policy of every container that names none'),
      pullSecretNames: strings('names of pull Secrets'),
    }),
    labels: mapOf('labels of every NATS object and pod', string('value of the label')),
  }),
  nameOverride: string('replaces `nats` in names'),
  fullnameOverride: string('replaces release and `nats` in names'),
  namespaceOverride: string('namespace of the objects; empty: that of the release'),
  tlsCA: block('certificate authority that every tls block and nats-box names', {
    enabled: flag('mount and name it'),
    configMapName: string('ConfigMap that holds it; overrides the Secret'),
    secretName: string('Secret that holds it'),
    dir: string('directory it is mounted at'),
    key: string('key in the ConfigMap or Secret'),
  }),
  config,
  container: block('the container of the server', {
    image: image('the server'),
    ports: portExtras('fields added to the ports of the container', 'fields such as hostPort'),
    env: env('the server'),
    ...overlay('the container'),
  }),
  reloader: block('the sidecar that reloads a changed configuration', {
    enabled: flag('run it'),
    image: image('the reloader'),
    env: env('the reloader'),
    natsVolumeMountPrefixes: strings('mounts of the server below these paths are mounted here too'),
    ...overlay('the container'),
  }),
  promExporter: block('the sidecar that serves metrics to Prometheus', {
    enabled: flag('run it; needs config.monitor'),
    image: image('the exporter'),
    port: integer('port of the metrics'),
    env: env('the exporter'),
    ...overlay('the container'),
    podMonitor: block('PodMonitor of the exporter', { enabled: flag('render it'), ...named('the PodMonitor') }),
  }),
  service: block('the Service for clients', {
    enabled: flag('render it'),
    ports: portExtras('ports of the Service', '`enabled`, and fields such as nodePort,'),
    ...named('the Service'),
  }),
  statefulSet: block('the StatefulSet of servers', named('the StatefulSet')),
  podTemplate: block('the pods of the servers', {
    configChecksumAnnotation: flag('restart the servers when the configuration changes'),
    topologySpreadConstraints: mapOf(
      'spread constraints by topology key',
      passThrough('fields of the constraint; the selector is added'),
    ),
    ...overlay('the pod template'),
  }),
  headlessService: block('the Service that names each server', named('the Service')),
  configMap: block('the ConfigMap with nats.conf', named('the ConfigMap')),
  podDisruptionBudget: block('how many servers may be evicted at once', {
    enabled: flag('render it'),
    ...named('the PodDisruptionBudget'),
  }),
  serviceAccount: block('the account of the servers', { enabled: flag('create an account'), ...named('the ServiceAccount') }),
  natsBox,
  extraResources: objects('further objects, rendered unchanged'),
  security,
});

/** Values that nothing reads. */
export const dead = {};

/** The block `nats` of the values, every key optional. */
export type NatsValues = ValuesOf<typeof schema>;
