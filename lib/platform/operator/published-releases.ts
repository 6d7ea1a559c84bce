/** Flags of the published images of the original operator. From 1.0.0 on they take a configuration file, which this package does not write. */
import { publishedIn, spansByName, type SpanTable } from '../../api/index.ts';
import type { OperatorKind } from '../settings.ts';

/** Flags of the manager by the releases that know them. */
const flagSpans: SpanTable = {
  '0.4.0..0.9-main': `enable-http2 etcdAddr grove-termination-delay health-probe-bind-address ingress-controller-class-name
    ingress-controller-tls-secret-name ingress-host-suffix istio-virtual-service-gateway kubeconfig leader-elect leader-election-id
    metrics-bind-address metrics-secure natsAddr restrictedNamespace virtual-service-supports-https zap-devel zap-encoder zap-log-level
    zap-stacktrace-level zap-time-encoding`,
  '0.5.0..0.9-main': 'model-express-url',
  '0.5.1..0.9-main': 'leader-election-namespace mpi-run-ssh-secret-name mpi-run-ssh-secret-namespace prometheus-endpoint',
  '0.6.0..0.9-main': 'planner-cluster-role-name',
  '0.6.1..0.9-main': 'dgdr-profiling-cluster-role-name',
  '0.7.0..0.9-main': 'discovery-backend namespace-scope-lease-duration namespace-scope-lease-renew-interval operator-version',
  '0.8.0..0.9-main': 'enable-webhooks',
  '0.9-main..0.9-main': 'epp-cluster-role-name',
};

const flags = spansByName(flagSpans);

/** Flags that were added with the configuration file, by the first release that knows them. */
const laterFlags: Readonly<Record<string, string>> = {
  config: '1.0.0',
  'operator-image': '1.4.1',
  'operator-image-pull-policy': '1.4.1',
};

/** The first release that knows a flag that was added in 1.0.0 or later; undefined for other flags. */
export function laterRelease(flag: string): string | undefined {
  return Object.hasOwn(laterFlags, flag) ? laterFlags[flag] : undefined;
}

/** Flags that only the operator of this package has. */
export const ownFlagNames: readonly string[] = [
  'webhook-certificates',
  'webhook-certificate-secret-name',
  'webhook-service-name',
  'webhook-configuration-name',
];

/** Flags that an operator knows: those of a published release of the original, or all flags for the operator of this package. */
export function knownFlags(kind: OperatorKind, release: string): readonly string[] {
  if (kind === 'dynamo-cdk8s') return [...flags.keys(), ...ownFlagNames];
  return [...flags].filter(([, span]) => publishedIn(span, release)).map(([name]) => name);
}

/** Name of the flag that an argument sets; undefined if the argument is not a flag. */
export function flagOf(argument: string): string | undefined {
  return /^--?([^-=][^=]*)/.exec(argument)?.[1];
}

/** The release that an image tag names, such as 0.9.1 for `v0.9.1-rc2@sha256:...`; undefined for a tag without a release. */
export function releaseOfTag(tag: string): string | undefined {
  return /^v?(\d{1,4}\.\d{1,4}\.\d{1,4})(?:[-+@]|$)/.exec(tag)?.[1];
}

/** Whether a release takes a configuration file instead of flags. */
export function takesConfigFile(release: string): boolean {
  return Number(release.split('.', 1)[0]) >= 1;
}
