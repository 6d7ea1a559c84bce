import { type JsonObject, listAt } from '../../json/index.ts';
import { platformContext, type ContextOptions } from '../platform-context.ts';
import { atPath, templateString, truthy } from '../go-values.ts';
import { effectiveBlock } from '../values.ts';
import { graphAddresses } from './addresses.ts';
import { defaults, platformDefaults } from './defaults.ts';
import { flagOf, knownFlags } from './published-releases.ts';
import { operatorRelease, type OperatorRelease } from './release.ts';

/** A flag that appears when the value at a path is truthy. */
interface ValueFlag {
  readonly flag: string;
  readonly path: string;
  /** Another value that must be truthy too. */
  readonly gate?: string;
}

const graphFlags: readonly ValueFlag[] = [
  { flag: '--istio-virtual-service-gateway', path: 'dynamo.istio.gateway', gate: 'dynamo.istio.enabled' },
  { flag: '--ingress-controller-class-name', path: 'dynamo.ingress.className', gate: 'dynamo.ingress.enabled' },
  { flag: '--ingress-controller-tls-secret-name', path: 'dynamo.ingress.tlsSecretName', gate: 'dynamo.ingress.enabled' },
  { flag: '--ingress-host-suffix', path: 'dynamo.ingressHostSuffix' },
];

const runtimeFlags: readonly ValueFlag[] = [
  { flag: '--grove-termination-delay', path: 'dynamo.groveTerminationDelay' },
  { flag: '--model-express-url', path: 'modelExpressURL' },
  { flag: '--prometheus-endpoint', path: 'dynamo.metrics.prometheusEndpoint' },
  { flag: '--mpi-run-ssh-secret-name', path: 'dynamo.mpiRun.secretName' },
];

function valueFlags(values: JsonObject, table: readonly ValueFlag[]): readonly string[] {
  return table
    .filter((f) => truthy(atPath(values, f.path)) && (f.gate === undefined || truthy(atPath(values, f.gate))))
    .map((f) => `${f.flag}=${templateString(atPath(values, f.path))}`);
}

function election({ values, restricted, target }: OperatorRelease): readonly string[] {
  const id = atPath(values, 'controllerManager.leaderElection.id');
  const namespace = atPath(values, 'controllerManager.leaderElection.namespace');
  const where = restricted
    ? [`--restrictedNamespace=${target}`, `--leader-election-namespace=${target}`]
    : [`--leader-election-namespace=${truthy(namespace) ? templateString(namespace) : 'kube-system'}`];
  return ['--leader-elect', `--leader-election-id=${truthy(id) ? templateString(id) : 'dynamo.nvidia.com'}`, ...where];
}

/** Flags with the addresses of NATS and etcd. */
function addresses(scope: OperatorRelease): readonly string[] {
  const { nats, etcd } = graphAddresses(scope);
  return [...(nats === undefined ? [] : [`--natsAddr=${nats}`]), ...(etcd === undefined ? [] : [`--etcdAddr=${etcd}`])];
}

/** Flags with the names of the roles that the operator binds for graphs. No value sets them, so a release gets only those it knows. */
function roleNames({ name, restricted, kind, published, context }: OperatorRelease): readonly string[] {
  if (restricted) return [];
  const known = context.switches['release-flags'] && published !== undefined ? knownFlags(kind, published) : undefined;
  return ['dgdr-profiling', 'planner', 'epp']
    .filter((role) => known?.includes(`${role}-cluster-role-name`) ?? true)
    .map((role) => `--${role}-cluster-role-name=${name}-${role}`);
}

const behindProxy = '--metrics-bind-address=127.0.0.1:8080';

/** The arguments of the values. The operator of this package serves its metrics itself, over TLS and with authorization. */
function givenArguments({ values, kind }: OperatorRelease): readonly string[] {
  const given = listAt(atPath(values, 'controllerManager.manager.args')).map(templateString);
  if (kind === 'original') return given;
  const kept = given.filter((argument) => argument !== behindProxy);
  const own = ['--metrics-bind-address=:8443', '--metrics-secure'];
  return [...kept, ...own.filter((argument) => !kept.some((other) => flagOf(other) === flagOf(argument)))];
}

/** Port that metrics are scraped from: the operator's own, or that of the proxy beside the original. */
export function metricsPort(scope: OperatorRelease): number {
  if (!servesMetricsSecurely(scope)) return 8443;
  const address = givenArguments(scope).findLast((argument) => flagOf(argument) === 'metrics-bind-address');
  return scope.context.portOf(address ?? '', 8443);
}

function lease({ values, restricted }: OperatorRelease): readonly string[] {
  const block = atPath(values, 'namespaceRestriction.lease');
  if (!restricted || !truthy(block)) return [];
  return [
    `--namespace-scope-lease-duration=${templateString(atPath(block, 'duration'))}`,
    `--namespace-scope-lease-renew-interval=${templateString(atPath(block, 'renewInterval'))}`,
  ];
}

/** Whether the operator serves its metrics over TLS and authorizes readers itself, without a proxy in front of it. */
export function servesMetricsSecurely(scope: OperatorRelease): boolean {
  if (scope.kind === 'dynamo-cdk8s') return true;
  const last = givenArguments(scope).findLast((argument) => flagOf(argument) === 'metrics-secure');
  return scope.context.switches['proxy-rbac'] && last !== undefined && !/=(0|f|false)$/i.test(last);
}

const openMetrics = '--ignore-paths=/metrics';

/** Arguments of the proxy in front of the metrics, without the exemption that lets everyone read them, unless the values set it. */
export function proxyArguments({ values, context }: OperatorRelease): readonly string[] {
  const path = 'controllerManager.kubeRbacProxy.args';
  const all = listAt(atPath(values, path)).map(templateString);
  const isGiven = atPath(context.values, `dynamo-operator.${path}`) !== undefined;
  return context.switches['authenticated-metrics'] && !isGiven ? all.filter((argument) => argument !== openMetrics) : all;
}

/** Flags of an operator that manages its own webhook certificate. */
function certificates(scope: OperatorRelease): readonly string[] {
  if (scope.certificates !== 'self-managed') return [];
  return [
    '--webhook-certificates=self-managed',
    `--webhook-certificate-secret-name=${templateString(atPath(scope.values, 'webhook.certificateSecret.name'))}`,
    `--webhook-service-name=${scope.name}-webhook-service`,
    `--webhook-configuration-name=${webhookConfigurationName(scope)}`,
  ];
}

/** Name of the ValidatingWebhookConfiguration; that of a restricted operator contains its namespace. */
export function webhookConfigurationName({
  name,
  restricted,
  context,
}: Pick<OperatorRelease, 'name' | 'restricted' | 'context'>): string {
  return restricted ? `${name}-validating-${context.namespace}` : `${name}-validating`;
}

/** The manager's arguments in the order the chart gives them. */
export function managerArguments(scope: OperatorRelease): readonly string[] {
  const { values, context } = scope;
  const secretNamespace = scope.restricted ? scope.home : context.namespace;
  return [
    ...givenArguments(scope),
    ...(context.settings.operator.logLevel === undefined ? [] : [`--zap-log-level=${context.settings.operator.logLevel}`]),
    ...election(scope),
    ...addresses(scope),
    ...valueFlags(values, graphFlags),
    ...(truthy(atPath(values, 'dynamo.virtualServiceSupportsHTTPS')) ? ['--virtual-service-supports-https=true'] : []),
    ...valueFlags(values, runtimeFlags),
    ...(truthy(atPath(values, 'dynamo.mpiRun.secretName')) ? [`--mpi-run-ssh-secret-namespace=${secretNamespace}`] : []),
    ...roleNames(scope),
    `--discovery-backend=${templateString(values['discoveryBackend'])}`,
    ...lease(scope),
    `--operator-version=${scope.version}`,
    ...(truthy(atPath(values, 'webhook.enabled')) ? ['--enable-webhooks=true', ...certificates(scope)] : []),
  ];
}

/** The flags of an operator installed with these values, to render a graph as that operator would. */
export function operatorArguments(values: JsonObject, options: ContextOptions = {}): readonly string[] {
  const block = effectiveBlock({ key: 'dynamo-operator', defaults, platformDefaults }, values);
  return managerArguments(operatorRelease(block.values, platformContext(values, options)));
}
