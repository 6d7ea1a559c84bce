import { formatDuration, parseDuration } from '../api/index.ts';
import { flagDefaults, type OperatorConfig, withFlags } from '../render/index.ts';
import type { EnvironmentVariables } from './api/proxy.ts';
import { etcdAccess, type EtcdAccess } from './effects/etcd-access.ts';
import { flagTable } from './flag-table.ts';
import { isTrue } from './go-flags.ts';
import { urlProblem } from './go-url.ts';

/** How log lines are written; absent members follow the preset. */
export interface LogOptions {
  readonly development: boolean;
  readonly encoder?: string | undefined;
  readonly level?: string | undefined;
  readonly stackTraceLevel?: string | undefined;
  readonly timeEncoding: string;
}

/** The typed options. */
export interface ManagerOptions {
  /** The configuration that controllers render with. */
  readonly config: OperatorConfig;
  readonly log: LogOptions;
  readonly kubeconfig: string;
  readonly metrics: { readonly address: string; readonly secure: boolean };
  readonly probeAddress: string;
  readonly http2: boolean;
  readonly election: { readonly enabled: boolean; readonly id: string; readonly namespace: string };
  /** The one namespace of a restricted operator; empty for a cluster-wide one. */
  readonly restrictedNamespace: string;
  /** Milliseconds. */
  readonly scopeLease: { readonly duration: number; readonly interval: number };
  readonly operatorVersion: string;
  readonly webhooks: WebhookOptions;
  /** Credentials and certificates for the etcd of the flag `--etcdAddr`. */
  readonly etcd: EtcdAccess;
  /** Flags given that have no effect. */
  readonly ignored: readonly string[];
}

/** The webhook server and where its certificate comes from. */
export interface WebhookOptions {
  readonly enabled: boolean;
  readonly selfManaged: boolean;
  readonly secretName: string;
  readonly serviceName: string;
  readonly configurationName: string;
}

/** The typed options of the flags given; absent flags have their defaults. */
export function readOptions(given: ReadonlyMap<string, string>, environment: EnvironmentVariables): ManagerOptions {
  const value = (name: string): string => given.get(name) ?? flagTable.find((flag) => flag.name === name)?.default ?? '';
  const on = (name: string): boolean => isTrue(value(name));
  const word = (name: string): string | undefined => (value(name) === '' ? undefined : value(name).toLowerCase());
  const milliseconds = (name: string): number => Number(parseDuration(value(name)) ?? 0n) / 1e6;
  const secure = on('metrics-secure');
  return {
    config: {
      ...withFlags(flagDefaults, Object.fromEntries(given)),
      debuggerImage: environment['INTERNAL_IMAGES_DEBUGGER'] || flagDefaults.debuggerImage,
    },
    log: {
      development: on('zap-devel'),
      encoder: word('zap-encoder'),
      level: word('zap-log-level'),
      stackTraceLevel: word('zap-stacktrace-level'),
      timeEncoding: word('zap-time-encoding') ?? 'rfc3339',
    },
    kubeconfig: value('kubeconfig'),
    // An empty address is the default one; only 0 turns metrics off.
    metrics: { address: given.get('metrics-bind-address') || (secure ? ':8443' : ':8080'), secure },
    probeAddress: value('health-probe-bind-address'),
    http2: on('enable-http2'),
    election: { enabled: on('leader-elect'), id: value('leader-election-id'), namespace: value('leader-election-namespace') },
    restrictedNamespace: value('restrictedNamespace'),
    scopeLease: {
      duration: milliseconds('namespace-scope-lease-duration'),
      interval: milliseconds('namespace-scope-lease-renew-interval'),
    },
    operatorVersion: value('operator-version'),
    webhooks: {
      enabled: on('enable-webhooks'),
      selfManaged: value('webhook-certificates').toLowerCase() === 'self-managed',
      secretName: value('webhook-certificate-secret-name'),
      serviceName: value('webhook-service-name'),
      configurationName: value('webhook-configuration-name'),
    },
    etcd: etcdAccess(environment),
    ignored: ['virtual-service-supports-https'].filter((name) => given.has(name)),
  };
}

/** A start-up failure: what the log says and why. */
interface StartProblem {
  readonly message: string;
  readonly cause?: string;
}

/** The manager cannot be started; the message is for the log, the cause is the reason. */
export class StartError extends Error {
  readonly code = 'cannot_start';

  constructor({ message, cause }: StartProblem) {
    super(message, { cause });
    this.name = 'StartError';
  }
}

/** Checks before the cluster is looked for, in the original's order; the first that fails ends the start. */
export function checkOptions(options: ManagerOptions): StartProblem | undefined {
  const { config } = options;
  if (options.restrictedNamespace === '' && config.plannerClusterRole === '')
    return { message: 'planner-cluster-role-name is required in cluster-wide mode' };
  if (config.discoveryBackend !== 'kubernetes' && config.discoveryBackend !== 'etcd')
    return {
      message: "invalid discovery-backend value, must be 'kubernetes' or 'etcd'",
      cause: `got "${config.discoveryBackend}"`,
    };
  const wrongUrl = config.modelExpressUrl === '' ? undefined : urlProblem(config.modelExpressUrl);
  if (wrongUrl !== undefined) return { message: 'invalid model-express-url provided', cause: wrongUrl };
  if (config.mpiSecretName === '') return { message: 'mpi-run-ssh-secret-name is required' };
  if (config.mpiSecretNamespace === '') return { message: 'mpi-run-ssh-secret-namespace is required' };
  return undefined;
}

/** Checks once the cluster is found, in the original's order. */
export function checkManagerOptions(options: ManagerOptions): StartProblem | undefined {
  const { election, webhooks } = options;
  if (election.enabled && election.id === '')
    return { message: 'unable to start manager', cause: 'LeaderElectionID must be configured' };
  const wrongLease = options.restrictedNamespace === '' ? undefined : scopeLeaseProblem(options.scopeLease);
  if (wrongLease !== undefined) return { message: 'unable to create namespace scope marker lease manager', cause: wrongLease };
  for (const [name, value] of [
    ['webhook-service-name', webhooks.serviceName],
    ['webhook-configuration-name', webhooks.configurationName],
    ['webhook-certificate-secret-name', webhooks.secretName],
  ] as const)
    if (webhooks.enabled && webhooks.selfManaged && value === '')
      return { message: `${name} is required with --webhook-certificates=self-managed` };
  return undefined;
}

/** What is wrong with the timing of the scope Lease; undefined when it is valid. */
export function scopeLeaseProblem({ duration, interval }: ManagerOptions['scopeLease']): string | undefined {
  const shown = (milliseconds: number): string => formatDuration(BigInt(Math.round(milliseconds * 1e6)));
  if (duration <= 0) return `lease duration must be greater than zero, got ${shown(duration)}`;
  if (interval <= 0) return `renew interval must be greater than zero, got ${shown(interval)}`;
  if (interval >= duration) return `renew interval (${shown(interval)}) must be less than lease duration (${shown(duration)})`;
  return undefined;
}
