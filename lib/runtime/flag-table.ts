import type { FlagChoice, FlagDefinition } from './go-flags.ts';

const encoders = ['json', 'console'] as const;
const levels = ['debug', 'info', 'error', 'panic'] as const;
const stackTraceLevels = ['info', 'error', 'panic'] as const;
const timeEncodings = ['epoch', 'millis', 'nanos', 'iso8601', 'rfc3339', 'rfc3339nano'] as const;

function oneOf(words: readonly string[], what: string, isAlso: (value: string) => boolean = () => false): FlagChoice {
  return {
    placeholder: words.join('|'),
    problem: (value) =>
      words.includes(value.toLowerCase()) || isAlso(value)
        ? undefined
        : `invalid ${what} ${JSON.stringify(value)}, must be one of ${words.join(', ')}`,
  };
}

function isVerbosity(value: string): boolean {
  return /^\+?[0-9]{1,18}$/.test(value) && Number(value) > 0;
}

/** Flags of the original manager, with its names, types and defaults. One default differs: the original has `--zap-devel` on. */
export const originalFlags: readonly FlagDefinition[] = [
  { name: 'metrics-bind-address', type: 'string', default: ':8080', does: 'where metrics are served; 0 turns them off' },
  { name: 'health-probe-bind-address', type: 'string', default: ':8081', does: 'where probes are answered; 0 turns them off' },
  { name: 'leader-elect', type: 'bool', default: 'false', does: 'let one of several replicas reconcile' },
  { name: 'leader-election-id', type: 'string', default: '', does: 'name of the Lease of the leader' },
  {
    name: 'leader-election-namespace',
    type: 'string',
    default: '',
    does: 'namespace of that Lease; the namespace of the pod when empty',
  },
  {
    name: 'metrics-secure',
    type: 'bool',
    default: 'false',
    does: 'serve metrics over TLS to users who may get /metrics, on :8443 unless an address is given',
  },
  { name: 'enable-http2', type: 'bool', default: 'false', does: 'offer HTTP/2 on the TLS ports beside HTTP/1.1' },
  { name: 'enable-webhooks', type: 'bool', default: 'false', does: 'serve the validating webhooks on port 9443' },
  { name: 'restrictedNamespace', type: 'string', default: '', does: 'the one namespace to work in; all namespaces when empty' },
  { name: 'natsAddr', type: 'string', default: '', does: 'address of NATS, as NATS_SERVER in every pod' },
  { name: 'etcdAddr', type: 'string', default: '', does: 'address of etcd, as ETCD_ENDPOINTS in every pod' },
  {
    name: 'istio-virtual-service-gateway',
    type: 'string',
    default: '',
    does: 'gateway of VirtualServices, which then take the place of Ingresses',
  },
  { name: 'virtual-service-supports-https', type: 'bool', default: 'false', does: 'accepted and without effect' },
  { name: 'ingress-controller-class-name', type: 'string', default: '', does: 'class of the default Ingress' },
  { name: 'ingress-controller-tls-secret-name', type: 'string', default: '', does: 'TLS secret of the default Ingress' },
  { name: 'ingress-host-suffix', type: 'string', default: '', does: 'suffix of default host names' },
  {
    name: 'grove-termination-delay',
    type: 'duration',
    default: '15m',
    does: 'how long Grove waits before it ends a broken gang',
  },
  { name: 'model-express-url', type: 'string', default: '', does: 'address of Model Express, as MODEL_EXPRESS_URL in every pod' },
  {
    name: 'prometheus-endpoint',
    type: 'string',
    default: '',
    does: 'address of Prometheus, as PROMETHEUS_ENDPOINT in every pod',
  },
  { name: 'mpi-run-ssh-secret-name', type: 'string', default: '', does: 'secret with the SSH keys of multi-node MPI; required' },
  { name: 'mpi-run-ssh-secret-namespace', type: 'string', default: '', does: 'namespace that secret is copied from; required' },
  {
    name: 'planner-cluster-role-name',
    type: 'string',
    default: '',
    does: 'ClusterRole of planners; required unless restricted to one namespace',
  },
  { name: 'dgdr-profiling-cluster-role-name', type: 'string', default: '', does: 'ClusterRole of profiling jobs' },
  { name: 'epp-cluster-role-name', type: 'string', default: '', does: 'ClusterRole of endpoint pickers' },
  {
    name: 'namespace-scope-lease-duration',
    type: 'duration',
    default: '30s',
    does: 'how long a cluster-wide operator stays away after the last renewal',
  },
  {
    name: 'namespace-scope-lease-renew-interval',
    type: 'duration',
    default: '10s',
    does: 'how often a restricted operator renews the Lease of its namespace',
  },
  { name: 'operator-version', type: 'string', default: 'unknown', does: 'version in the holder of that Lease' },
  { name: 'discovery-backend', type: 'string', default: 'kubernetes', does: 'how pods find each other: kubernetes or etcd' },
  {
    name: 'kubeconfig',
    type: 'string',
    default: '',
    does: 'kubeconfig file; when empty $KUBECONFIG, the pod, then ~/.kube/config',
  },
  { name: 'zap-devel', type: 'bool', default: 'false', does: 'log for people: console format, debug level' },
  { name: 'zap-encoder', type: oneOf(encoders, 'encoder value'), default: '', does: 'format of log lines' },
  {
    name: 'zap-log-level',
    type: oneOf(levels, 'log level', isVerbosity),
    default: '',
    does: 'least important level that is logged, or a number above 0 for more detail',
  },
  {
    name: 'zap-stacktrace-level',
    type: oneOf(stackTraceLevels, 'stacktrace level'),
    default: '',
    does: 'least important level that comes with a stack trace',
  },
  { name: 'zap-time-encoding', type: oneOf(timeEncodings, 'time-encoding value'), default: 'rfc3339', does: 'format of times' },
];

/** Flags the original does not have: an operator that makes and rotates its own webhook certificate. */
export const ownFlags: readonly FlagDefinition[] = [
  {
    name: 'webhook-certificates',
    type: oneOf(['files', 'self-managed'], 'certificate source'),
    default: 'files',
    does: 'where the webhook certificate comes from: mounted files, or made and rotated by the operator',
  },
  {
    name: 'webhook-certificate-secret-name',
    type: 'string',
    default: 'webhook-server-cert',
    does: 'Secret that replicas share the self-managed certificate through',
  },
  {
    name: 'webhook-service-name',
    type: 'string',
    default: '',
    does: 'Service the self-managed certificate is made out to; required with self-managed',
  },
  {
    name: 'webhook-configuration-name',
    type: 'string',
    default: '',
    does: 'ValidatingWebhookConfiguration whose caBundle is kept; required with self-managed',
  },
];

/** Every flag, in the order of the help page. */
export const flagTable: readonly FlagDefinition[] = [...originalFlags, ...ownFlags];
