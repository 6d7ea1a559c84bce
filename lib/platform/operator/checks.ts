import { type Issue, parseDuration } from '../../api/index.ts';
import { listAt, type Path } from '../../json/index.ts';
import type { CheckedPart } from '../checked-part.ts';
import { atPath, templateString, truthy } from '../go-values.ts';
import { unsafeInScripts } from '../script-values.ts';
import { checkCertificateTimes } from './certificate-times.ts';
import { checkFlags } from './check-flags.ts';
import type { OperatorRelease } from './release.ts';

interface Check {
  readonly path: string;
  readonly code: string;
  /** Whether the values break the rule. */
  readonly broken: (scope: OperatorRelease) => boolean;
  readonly message: (scope: OperatorRelease) => string;
}

const value = (scope: OperatorRelease, path: string): string => templateString(atPath(scope.values, path));
const on = (scope: OperatorRelease, path: string): boolean => truthy(atPath(scope.values, path));
const byValue = (scope: OperatorRelease): boolean =>
  on(scope, 'dynamo.dockerRegistry.useKubernetesSecret') && !on(scope, 'dynamo.dockerRegistry.existingSecretName');
const byReference = (scope: OperatorRelease): boolean =>
  on(scope, 'dynamo.dockerRegistry.useKubernetesSecret') && on(scope, 'dynamo.dockerRegistry.existingSecretName');
const trustsReference = (scope: OperatorRelease): boolean => scope.context.switches['registry-by-reference'];
const electionNamespace = (scope: OperatorRelease): string =>
  on(scope, 'controllerManager.leaderElection.namespace') ? value(scope, 'controllerManager.leaderElection.namespace') : '';

/** Rules of the original chart. */
const rules: readonly Check[] = [
  {
    path: 'controllerManager.leaderElection.id',
    code: 'leader_election_id',
    broken: (s) =>
      !s.restricted &&
      on(s, 'controllerManager.leaderElection.id') &&
      value(s, 'controllerManager.leaderElection.id') !== 'dynamo.nvidia.com',
    message: (s) =>
      `cluster-wide operators must share the id dynamo.nvidia.com, got '${value(s, 'controllerManager.leaderElection.id')}': with different ids several of them lead at once; leave it empty`,
  },
  {
    path: 'controllerManager.leaderElection.namespace',
    code: 'leader_election_namespace',
    broken: (s) => !s.restricted && electionNamespace(s) === s.context.namespace,
    message: (s) =>
      `must not be the release namespace '${s.context.namespace}' of a cluster-wide operator: releases in other namespaces would not see its lease; use kube-system or leave it empty`,
  },
  {
    path: 'discoveryBackend',
    code: 'discovery_backend',
    broken: (s) => !['kubernetes', 'etcd'].includes(value(s, 'discoveryBackend')),
    message: (s) => `must be 'kubernetes' or 'etcd', got '${value(s, 'discoveryBackend')}'`,
  },
  {
    path: 'dynamo.dockerRegistry.existingSecretName',
    code: 'credentials_in_values',
    broken: (s) => byValue(s) && trustsReference(s),
    message: () =>
      'is required with useKubernetesSecret: name an existing Secret of type kubernetes.io/dockerconfigjson; credentials in values would be committed to Git',
  },
  ...(['server', 'username', 'password'] as const).map((field): Check => ({
    path: `dynamo.dockerRegistry.${field}`,
    code: 'required',
    broken: (s) => byValue(s) && !trustsReference(s) && !on(s, `dynamo.dockerRegistry.${field}`),
    message: () => 'is required with useKubernetesSecret and without existingSecretName',
  })),
  {
    path: 'dynamo.dockerRegistry.existingSecretName',
    code: 'secret_lookup',
    broken: (s) => byReference(s) && !trustsReference(s),
    message: (s) =>
      `Secret '${value(s, 'dynamo.dockerRegistry.existingSecretName')}' in namespace '${s.context.namespace}' cannot be looked up offline, which the original requires; use the profile secure, which trusts the reference, or --switch registry-by-reference=on`,
  },
  {
    path: 'metricsService.ports',
    code: 'required',
    broken: (s) => on(s, 'metricsService.enabled') && listAt(atPath(s.values, 'metricsService.ports')).length === 0,
    message: () => 'must have at least one port; to have no metrics Service set metricsService.enabled to false',
  },
  {
    path: 'controllerManager.kubeRbacProxy.args',
    code: 'required',
    broken: (s) => listAt(atPath(s.values, 'controllerManager.kubeRbacProxy.args')).length === 0,
    message: () => 'must not be empty: the proxy needs --secure-listen-address and --upstream',
  },
];

/** Maps that templates read: without them nothing can be rendered. */
const requiredMaps: readonly string[] = [
  'namespaceRestriction',
  'controllerManager',
  'controllerManager.leaderElection',
  'controllerManager.serviceAccount',
  'controllerManager.manager',
  'controllerManager.manager.image',
  'controllerManager.kubeRbacProxy',
  'controllerManager.kubeRbacProxy.image',
  'metricsService',
  'dynamo',
  'dynamo.components',
  'dynamo.components.serviceAccount',
  'dynamo.internalImages',
  'dynamo.dockerRegistry',
  'dynamo.ingress',
  'dynamo.istio',
  'dynamo.metrics',
  'dynamo.mpiRun',
  'dynamo.mpiRun.sshKeygen',
  'webhook',
];

/** Maps that templates read in some cases only. */
const conditionalMaps: readonly { readonly when: (scope: OperatorRelease) => boolean; readonly maps: readonly string[] }[] = [
  { when: (s) => !on(s, 'natsAddr'), maps: ['nats'] },
  { when: (s) => on(s, 'webhook.enabled'), maps: ['webhook.certificateSecret', 'webhook.certManager'] },
  {
    when: (s) => on(s, 'webhook.enabled') && s.certificates === 'cert-manager',
    maps: ['webhook.certManager.certificate', 'webhook.certManager.certificate.rootCA'],
  },
  {
    when: (s) => on(s, 'webhook.enabled') && s.certificates === 'jobs',
    maps: ['webhook.certGenerator', 'webhook.certGenerator.image'],
  },
];

/** Values that the original does not check and Kubernetes or the operator rejects later: errors in the profile secure, warnings otherwise. */
const soundness: readonly Check[] = [
  {
    path: 'dynamo.mpiRun.secretName',
    code: 'required',
    broken: (s) => !on(s, 'dynamo.mpiRun.secretName'),
    message: () =>
      'must not be empty: the operator does not start without it; name a Secret with the keys private.key and private.key.pub',
  },
  {
    path: 'namespaceRestriction.lease.renewInterval',
    code: 'lease_times',
    broken: (s) => {
      if (!s.restricted) return false;
      const [duration, interval] = [
        parseDuration(value(s, 'namespaceRestriction.lease.duration')),
        parseDuration(value(s, 'namespaceRestriction.lease.renewInterval')),
      ];
      return duration === undefined || interval === undefined || interval <= 0 || interval >= duration;
    },
    message: (s) =>
      `must be a duration above zero and shorter than lease.duration (${value(s, 'namespaceRestriction.lease.duration') || 'not set'}), got '${value(s, 'namespaceRestriction.lease.renewInterval')}': the operator does not start otherwise`,
  },
  {
    path: 'webhook.caBundle',
    code: 'required',
    broken: (s) => on(s, 'webhook.enabled') && s.certificates === 'external' && !on(s, 'webhook.caBundle'),
    message: () =>
      'is required with an external certificate: without the CA the API server refuses the webhook and, with failurePolicy Fail, every write',
  },
  {
    path: 'webhook.failurePolicy',
    code: 'enum',
    broken: (s) => on(s, 'webhook.enabled') && !['Fail', 'Ignore'].includes(value(s, 'webhook.failurePolicy')),
    message: (s) => `must be 'Fail' or 'Ignore', got '${value(s, 'webhook.failurePolicy')}'`,
  },
  {
    path: 'namespaceRestriction.targetNamespace',
    code: 'target_namespace',
    broken: (s) => s.restricted && s.target !== s.context.namespace && !s.context.switches['target-namespace'],
    message: (s) =>
      `'${s.target}' is not the release namespace '${s.context.namespace}': accounts of graphs, webhook selector, monitors and the MPI Secret stay in the release namespace and graphs will fail; use --switch target-namespace=on`,
  },
  {
    path: 'webhook.certManager.enabled',
    code: 'both_modes',
    broken: (s) =>
      on(s, 'webhook.enabled') && on(s, 'webhook.certManager.enabled') && on(s, 'webhook.certificateSecret.external'),
    message: () =>
      'must not be on together with webhook.certificateSecret.external: the certificate comes either from cert-manager or from you',
  },
];

/** Values that do not work for every use. */
const warningChecks: readonly Check[] = [
  {
    path: 'webhook.certManager.enabled',
    code: 'no_effect',
    broken: (s) =>
      on(s, 'webhook.enabled') &&
      s.certificates === 'cert-manager' &&
      atPath(s.context.values, 'dynamo-operator.webhook.certManager.enabled') === false,
    message: () =>
      'has no effect: without Helm hooks cert-manager issues the certificate; for another source set platform.certificates.mode to external, or platform.operator.kind to dynamo-cdk8s',
  },
  {
    path: 'natsAddr',
    code: 'no_nats',
    broken: (s) =>
      s.context.switches['derived-addresses'] &&
      !on(s, 'natsAddr') &&
      on(s, 'nats.enabled') &&
      atPath(s.context.values, 'nats.enabled') === false,
    message: () =>
      'is empty while nats.enabled is false: graphs get no NATS; name one, or set dynamo-operator.nats.enabled to false if they need none',
  },
  {
    path: 'fullnameOverride',
    code: 'account_name',
    broken: (s) => on(s, 'webhook.enabled') && !s.account.endsWith('-dynamo-operator-controller-manager'),
    message: (s) =>
      `the operator's account is '${s.account}', but its webhook lets only accounts that end in -dynamo-operator-controller-manager scale graphs with scaling adapters; use a release name and overrides that keep this ending`,
  },
  {
    path: 'controllerManager.manager.image.pullPolicy',
    code: 'dead_value',
    broken: (s) =>
      !s.context.switches['pull-policy'] &&
      !['', 'IfNotPresent'].includes(value(s, 'controllerManager.manager.image.pullPolicy')),
    message: () => 'has no effect in the profile parity; use --switch pull-policy=on',
  },
];

/** Rules for the block `platform` and for values of the secure profile. */
const settingRules: readonly Check[] = [
  {
    path: 'webhook.certManager.enabled',
    code: 'jobs_are_hooks',
    broken: (s) => on(s, 'webhook.enabled') && s.certificates === 'jobs' && s.context.switches['no-hooks'],
    message: () =>
      'platform.certificates.mode jobs needs Helm hooks; choose cert-manager, external or self-managed, or use --switch no-hooks=off',
  },
  {
    path: 'platform.certificates.mode',
    code: 'self_managed_image',
    broken: (s) => on(s, 'webhook.enabled') && s.certificates === 'self-managed' && s.kind === 'original',
    message: () =>
      'the original operator cannot manage its own certificate; use cert-manager or external, or set platform.operator.kind to dynamo-cdk8s, which can',
  },
  {
    path: 'platform.operator.image',
    code: 'required',
    broken: (s) => s.kind === 'dynamo-cdk8s' && s.image === '',
    message: () =>
      'is required with platform.operator.kind dynamo-cdk8s: no image is published; build one with npm run image and push it to a registry of the cluster',
  },
  {
    path: 'etcdAddr',
    code: 'required',
    broken: (s) =>
      s.context.switches['derived-addresses'] &&
      value(s, 'discoveryBackend') === 'etcd' &&
      !on(s, 'etcdAddr') &&
      atPath(s.context.values, 'etcd.enabled') === false,
    message: () => 'is required with discoveryBackend etcd while etcd.enabled is false',
  },
];

function path(relative: string): Path {
  const steps = relative.split('.');
  return steps[0] === 'platform' ? steps : ['dynamo-operator', ...steps];
}

/** Checks the operator's values: rules of the original, values that fail later, and names that are too long. */
export function checkOperator(scope: OperatorRelease): CheckedPart {
  const maps = [...requiredMaps, ...conditionalMaps.filter((c) => c.when(scope)).flatMap((c) => c.maps)];
  const missing = maps.filter(
    (m) =>
      atPath(scope.values, m) === undefined || atPath(scope.values, m) === null || typeof atPath(scope.values, m) !== 'object',
  );
  if (missing.length > 0) {
    const outer = missing.filter((m) => !missing.some((other) => m.startsWith(`${other}.`)));
    return {
      issues: outer.map((m) => ({
        path: path(m),
        code: 'required',
        message: 'must be a map of values; remove the null or the scalar to use the defaults',
      })),
      warnings: [],
      isUnrenderable: true,
    };
  }
  const run = (checks: readonly Check[]): readonly Issue[] =>
    checks.filter((c) => c.broken(scope)).map((c) => ({ path: path(c.path), code: c.code, message: c.message(scope) }));
  const unsound = [...run(soundness), ...checkCertificateTimes(scope), ...nameLengths(scope)];
  const strict = scope.context.switches['sound-values'];
  const byRelease = scope.context.switches['release-flags'];
  const flags = checkFlags(scope);
  const credentials: readonly Issue[] =
    byValue(scope) && !trustsReference(scope)
      ? [
          {
            path: path('dynamo.dockerRegistry.password'),
            code: 'credentials_in_output',
            message:
              'the rendered Secret contains the registry credentials; do not commit it, or name an existing Secret instead',
          },
        ]
      : [];
  return {
    issues: [
      ...run(rules),
      ...run(settingRules),
      ...unsafeInScripts('dynamo-operator', scope.values),
      ...(byRelease ? flags.issues : []),
      ...(strict ? unsound : []),
    ],
    warnings: [
      ...(strict ? [] : unsound),
      ...(byRelease ? [] : flags.issues),
      ...flags.warnings,
      ...run(warningChecks),
      ...credentials,
    ],
    isUnrenderable: false,
  };
}

/** Names derived from the full name that would be too long for Kubernetes or cert-manager. */
function nameLengths(scope: OperatorRelease): readonly Issue[] {
  const { name, context, certificates } = scope;
  const webhook = on(scope, 'webhook.enabled');
  const limits: readonly { readonly name: string; readonly limit: number; readonly what: string; readonly when: boolean }[] = [
    { name: `${name}-webhook-service`, limit: 63, what: 'name of a Service', when: webhook },
    { name: `${name}-webhook-ca-inject-1`, limit: 63, what: 'name of a Job', when: webhook && certificates === 'jobs' },
    {
      name: `${name}-webhook-service.${context.namespace}.svc`,
      limit: 64,
      what: 'common name of a certificate',
      when: webhook && certificates === 'cert-manager' && !context.switches['certificate-names'],
    },
  ];
  return limits
    .filter((l) => l.when && l.name.length > l.limit)
    .map((l) => ({
      path: path('fullnameOverride'),
      code: 'name_too_long',
      message: `'${l.name}' has ${l.name.length} characters, at most ${l.limit} are allowed for the ${l.what}; use a shorter release name than '${context.release}' or set fullnameOverride`,
    }));
}
