import { InvalidArgumentError, Option, type Command } from 'commander';
import { parseDuration } from '../api/index.ts';
import { operatorFlags } from '../render/index.ts';

type FlagType = 'text' | 'bool' | 'duration' | 'backend';

/** Every flag of the operator: how its value is read and what it does to a rendering. */
const flags: readonly (readonly [name: string, type: FlagType, does: string])[] = [
  ['natsAddr', 'text', 'address of NATS, as NATS_SERVER in every pod'],
  ['etcdAddr', 'text', 'address of etcd, as ETCD_ENDPOINTS in every pod'],
  ['model-express-url', 'text', 'address of Model Express, as MODEL_EXPRESS_URL in every pod'],
  ['prometheus-endpoint', 'text', 'address of Prometheus, as PROMETHEUS_ENDPOINT in every pod'],
  ['discovery-backend', 'backend', 'how pods find each other'],
  ['grove-termination-delay', 'duration', 'how long Grove waits before it ends a broken gang'],
  ['mpi-run-ssh-secret-name', 'text', 'secret with the SSH keys of TRT-LLM'],
  ['mpi-run-ssh-secret-namespace', 'text', 'namespace that secret is copied from'],
  ['istio-virtual-service-gateway', 'text', 'gateway of VirtualServices'],
  ['ingress-controller-class-name', 'text', 'class of the default Ingress'],
  ['ingress-controller-tls-secret-name', 'text', 'TLS secret of the default Ingress'],
  ['ingress-host-suffix', 'text', 'suffix of default host names'],
  ['restrictedNamespace', 'text', 'the one namespace of a restricted operator'],
  ['planner-cluster-role-name', 'text', 'role of planners'],
  ['epp-cluster-role-name', 'text', 'role of endpoint pickers'],
  ['dgdr-profiling-cluster-role-name', 'text', 'role of profiling jobs'],
  ['metrics-bind-address', 'text', ''],
  ['health-probe-bind-address', 'text', ''],
  ['leader-elect', 'bool', ''],
  ['leader-election-id', 'text', ''],
  ['leader-election-namespace', 'text', ''],
  ['metrics-secure', 'bool', ''],
  ['enable-http2', 'bool', ''],
  ['enable-webhooks', 'bool', ''],
  ['virtual-service-supports-https', 'bool', ''],
  ['namespace-scope-lease-duration', 'duration', ''],
  ['namespace-scope-lease-renew-interval', 'duration', ''],
  ['operator-version', 'text', ''],
  ['kubeconfig', 'text', ''],
  ['zap-devel', 'bool', ''],
  ['zap-encoder', 'text', ''],
  ['zap-log-level', 'text', ''],
  ['zap-stacktrace-level', 'text', ''],
  ['zap-time-encoding', 'text', ''],
];

const readers: Readonly<Record<FlagType, (value: string) => string>> = {
  text: (value) => value,
  bool: (value) => {
    if (/^(1|0|t|f|true|false)$/i.test(value)) return value;
    throw new InvalidArgumentError(`must be true or false, got ${JSON.stringify(value)}`);
  },
  duration: (value) => {
    if (parseDuration(value) !== undefined) return value;
    throw new InvalidArgumentError(`must be a duration such as 30s, 15m or 1h30m, got ${JSON.stringify(value)}`);
  },
  backend: (value) => {
    if (value === 'kubernetes' || value === 'etcd') return value;
    throw new InvalidArgumentError(`must be kubernetes or etcd, got ${JSON.stringify(value)}`);
  },
};

/** Gives a command every flag of the operator; those that change no rendering are accepted and not shown. */
export function addOperatorFlags(command: Command): Command {
  for (const [name, type, does] of flags) {
    const option = new Option(`--${name} ${type === 'bool' ? '[value]' : '<value>'}`, does)
      .argParser(readers[type])
      .helpGroup('Flags of the operator:');
    command.addOption(does === '' ? option.hideHelp() : option);
  }
  return command;
}

/** The operator flags among a command's options, by their own names. */
export function operatorFlagsOf(command: Command): Readonly<Record<string, string>> {
  const given: Record<string, string> = {};
  for (const option of command.options) {
    const name = option.long?.slice(2) ?? '';
    const value: unknown = command.getOptionValue(option.attributeName());
    if (Object.hasOwn(operatorFlags, name) && typeof value === 'string') given[name] = value;
  }
  return given;
}

/** Flags written as arguments, `--name=value`, by name. */
export function parseArguments(args: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    args.flatMap((arg) => {
      const match = /^--?([^=]+)(?:=(.*))?$/s.exec(arg);
      return match?.[1] === undefined ? [] : [[match[1], match[2] ?? 'true'] as const];
    }),
  );
}
