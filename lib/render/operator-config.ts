import type { OperatorConfig } from './render-context.ts';

/** The configuration that the platform chart sets for the operator, with default values. */
export function chartConfig(release = 'dynamo-platform', namespace = 'dynamo-system'): OperatorConfig {
  const operator = `${release}-dynamo-operator`;
  return {
    ...flagDefaults,
    natsAddress: `nats://${release}-nats.${namespace}.svc.cluster.local:4222`,
    etcdAddress: `${release}-etcd.${namespace}.svc.cluster.local:2379`,
    groveTerminationDelay: '4h',
    mpiSecretName: 'mpi-run-ssh-secret',
    mpiSecretNamespace: namespace,
    plannerClusterRole: `${operator}-planner`,
    eppClusterRole: `${operator}-epp`,
    profilingClusterRole: `${operator}-dgdr-profiling`,
  };
}

/** The configuration of an operator without any flags. */
export const flagDefaults: OperatorConfig = {
  natsAddress: '',
  etcdAddress: '',
  modelExpressUrl: '',
  prometheusEndpoint: '',
  discoveryBackend: 'kubernetes',
  groveTerminationDelay: '15m',
  mpiSecretName: '',
  mpiSecretNamespace: '',
  virtualServiceGateway: '',
  ingressClassName: '',
  ingressTlsSecret: '',
  ingressHostSuffix: '',
  restrictedNamespace: '',
  plannerClusterRole: '',
  eppClusterRole: '',
  profilingClusterRole: '',
  debuggerImage: 'python:3.12-slim',
};

/** The configuration field that each flag of the operator sets. */
export const operatorFlags = {
  natsAddr: 'natsAddress',
  etcdAddr: 'etcdAddress',
  'model-express-url': 'modelExpressUrl',
  'prometheus-endpoint': 'prometheusEndpoint',
  'discovery-backend': 'discoveryBackend',
  'grove-termination-delay': 'groveTerminationDelay',
  'mpi-run-ssh-secret-name': 'mpiSecretName',
  'mpi-run-ssh-secret-namespace': 'mpiSecretNamespace',
  'istio-virtual-service-gateway': 'virtualServiceGateway',
  'ingress-controller-class-name': 'ingressClassName',
  'ingress-controller-tls-secret-name': 'ingressTlsSecret',
  'ingress-host-suffix': 'ingressHostSuffix',
  restrictedNamespace: 'restrictedNamespace',
  'planner-cluster-role-name': 'plannerClusterRole',
  'epp-cluster-role-name': 'eppClusterRole',
  'dgdr-profiling-cluster-role-name': 'profilingClusterRole',
} as const satisfies Record<string, keyof OperatorConfig>;

/** Overrides fields of a configuration by flags. */
export function withFlags(config: OperatorConfig, flags: Readonly<Record<string, string>>): OperatorConfig {
  const entries = Object.entries(operatorFlags).flatMap(([flag, field]) =>
    flags[flag] === undefined ? [] : [[field, flags[flag]] as const],
  );
  return { ...config, ...Object.fromEntries(entries) };
}
