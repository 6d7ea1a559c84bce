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

const annotations = (what: string) =>
  mapOf(`annotations of ${what}, for example for a cloud's workload identity`, string('value of the annotation'));

const container = (what: string, image: ReturnType<typeof imageBlock>) => ({
  image,
  args: strings(`arguments of ${what}`),
  resources: passThrough(`resource requests and limits of ${what}`),
  containerSecurityContext: passThrough(`security context of ${what}`),
});

function imageBlock(what: string) {
  return block(`image of ${what}`, {
    repository: string('repository with its registry'),
    tag: string('tag; for the manager also the version it reports, and empty means the version of this platform'),
    pullPolicy: choice('when to pull', 'Always', 'IfNotPresent', 'Never'),
  });
}

const scheduling = {
  tolerations: objects('tolerations of the operator pod and of its Jobs'),
  affinity: passThrough('affinity of the operator pod and of its Jobs'),
};

const lifetime = {
  duration: string('lifetime of the certificate, such as 8760h'),
  renewBefore: string('time before expiry at which it is renewed, such as 360h'),
};

/** Schema of the block `dynamo-operator`. */
export const schema = block('the Dynamo operator', {
  enabled: flag('install the operator'),
  global: passThrough('values for this part only that are otherwise set at the top level'),
  nameOverride: string('replaces dynamo-operator in names and labels'),
  fullnameOverride: string('replaces the whole prefix of names'),
  natsAddr: string('address of NATS for graphs, such as nats://host:4222; empty: the NATS of this release'),
  nats: block('the NATS of this release', { enabled: flag('pass its address to graphs if natsAddr is empty') }),
  etcdAddr: string('address of etcd for graphs, such as host:2379; empty: the etcd of this release'),
  modelExpressURL: string('URL of a Model Express server for graphs'),
  discoveryBackend: choice('how workers of a graph find each other', 'kubernetes', 'etcd'),
  namespaceRestriction: block('manage one namespace instead of the whole cluster', {
    enabled: flag('manage one namespace only'),
    targetNamespace: string('the namespace to manage; empty: the release namespace'),
    lease: block('lease that makes a cluster-wide operator skip the namespace', {
      duration: string('duration of the lease, such as 30s'),
      renewInterval: string('how often it is renewed; shorter than the duration'),
    }),
  }),
  imagePullSecrets: listOf('pull secrets of the operator pod', block('one pull secret', { name: string('name of the Secret') })),
  kubernetesClusterDomain: string('DNS domain of the cluster'),
  controllerManager: block('the operator pod', {
    replicas: integer('number of operator pods; one of them leads, all of them serve webhooks'),
    ...scheduling,
    leaderElection: block('leader election', {
      id: string('name of the lease; empty: dynamo.nvidia.com, which cluster-wide operators must share'),
      namespace: string('namespace of the lease of a cluster-wide operator; empty: kube-system'),
    }),
    serviceAccount: block('account of the operator', { annotations: annotations('the account') }),
    manager: block(
      'the manager container',
      container('the manager; flags that values decide are added', imageBlock('the manager')),
    ),
    kubeRbacProxy: block('the proxy in front of the metrics', container('the proxy', imageBlock('the proxy'))),
  }),
  metricsService: block('Service of the metrics', {
    enabled: flag('render the Service, and with it the ServiceMonitor'),
    type: string('type of the Service'),
    ports: objects('ports of the Service'),
  }),
  istioVirtualServiceEnabled: flag('add a rule for VirtualServices to the original manager role, which needs none'),
  dynamo: block('settings for graphs', {
    components: block('pods of graphs', {
      serviceAccount: block('their account', { annotations: annotations('the account of graph pods') }),
    }),
    groveTerminationDelay: string('how long Grove waits before it restarts a gang that lost pods, such as 4h'),
    internalImages: block('images the operator adds to pods', { debugger: string('image of the debug container') }),
    enableRestrictedSecurityContext: flag('set an environment variable that the operator does not read'),
    dynamoIngressSuffix: string('set an environment variable that the operator does not read'),
    dockerRegistry: block('registry of graph images', {
      useKubernetesSecret: flag('add a pull secret to the accounts of graphs'),
      server: string('host, or host and path, of the registry'),
      username: string('user name; only when credentials are given in the values'),
      password: string('password; never in the profile secure'),
      existingSecretName: string('Secret of type kubernetes.io/dockerconfigjson that exists'),
      secure: flag('not read'),
    }),
    ingress: block('Ingresses for graphs', {
      enabled: flag('create an Ingress for every frontend'),
      className: string('ingress class'),
      tlsSecretName: string('Secret with the TLS certificate'),
    }),
    istio: block('VirtualServices for graphs', {
      enabled: flag('create a VirtualService for every frontend'),
      gateway: string('Istio gateway to bind to'),
    }),
    ingressHostSuffix: string('host suffix of Ingresses and VirtualServices'),
    virtualServiceSupportsHTTPS: flag('pass a flag that the operator does not read'),
    metrics: block('metrics for graphs', { prometheusEndpoint: string('URL of the Prometheus that planners query') }),
    mpiRun: block('SSH keys for multi-node MPI', {
      secretName: string('Secret with the keys private.key and private.key.pub'),
      sshKeygen: block('Job that creates the key pair', {
        enabled: flag('run the Job; the profile secure has no such Job and expects the Secret to exist'),
        tolerations: objects('tolerations of the Job instead of those of the operator'),
        affinity: passThrough('affinity of the Job instead of that of the operator'),
      }),
    }),
  }),
  webhook: block('validating webhooks', {
    enabled: flag('serve and register the webhooks'),
    certificateSecret: block('Secret of the certificate', {
      name: string('its name; keys tls.crt, tls.key, ca.crt'),
      external: flag('the Secret is managed outside the platform'),
    }),
    certificateValidity: integer('lifetime in days of the certificate that the Jobs create', 1),
    certGenerator: block('Jobs that create the certificate', { image: imageBlock('both Jobs; needs bash, openssl and kubectl') }),
    caBundle: string('CA of an external certificate, as base64 of PEM'),
    failurePolicy: choice('what happens to a write if the webhook does not answer', 'Fail', 'Ignore'),
    timeoutSeconds: integer('seconds the API server waits for an answer', 1),
    namespaceSelector: passThrough('label selector of the namespaces whose resources are checked'),
    certManager: block('certificate by cert-manager', {
      enabled: flag('let cert-manager issue the certificate'),
      certificate: block('lifetime of the certificates', { ...lifetime, rootCA: block('lifetime of the root', lifetime) }),
    }),
  }),
});

/** Values of the block `dynamo-operator`. */
export type OperatorValues = NonNullable<ValuesOf<typeof schema>>;

/** Values of the operator that have no effect, and what to do instead. */
export const dead: Readonly<Record<string, string>> = {
  'dynamo.dockerRegistry.secure': 'remove it: nothing reads it',
  'dynamo.enableRestrictedSecurityContext': 'remove it: it sets an environment variable that the operator does not read',
  'dynamo.dynamoIngressSuffix':
    'use dynamo.ingressHostSuffix: this one sets an environment variable that the operator does not read',
  'dynamo.virtualServiceSupportsHTTPS': 'remove it: it passes a flag that the operator does not read',
  'webhook.certManager.issuerRef': 'use platform.certificates.issuerRef',
  'namespaceRestriction.namespace': 'use namespaceRestriction.targetNamespace',
  istioVirtualServiceEnabled: 'remove it: rights for VirtualServices follow dynamo.istio',
};
