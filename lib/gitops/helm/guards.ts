import type { OperatorKind } from '../../platform/index.ts';
import { operatorPath, valueExpression } from './open-values.ts';

/** A combination of values that the chart rejects. */
interface Guard {
  readonly path: string;
  /** Template expression that is true for the rejected values. */
  readonly when: string;
  readonly message: string;
}

const operatorName = 'include "dynamo.dynamo-operator.fullname" .';
const milliseconds = (key: string): string =>
  `(include "dynamo.milliseconds" $operator.namespaceRestriction.lease.${key} | int64)`;
const restricted = 'and $on $operator.namespaceRestriction.enabled';
const addresses = ['natsAddr', 'etcdAddr', 'modelExpressURL', 'dynamo.metrics.prometheusEndpoint'];

/**
 * Combinations that the command line rejects too and a schema cannot express. `$on` is true if the release includes the operator, `$webhooks` is the
 * certificate mode.
 */
const guards: readonly Guard[] = [
  {
    path: 'dynamo-operator.webhook.caBundle',
    when: 'and $on (eq $webhooks "external") (not $operator.webhook.caBundle)',
    message:
      'is required with an external certificate: without the CA the API server refuses the webhook and, with failurePolicy Fail, every write',
  },
  {
    path: 'dynamo-operator.etcdAddr',
    when: 'and $on (eq $operator.discoveryBackend "etcd") (not $operator.etcdAddr) (not .Values.etcd.enabled)',
    message: 'is required with discoveryBackend etcd while etcd.enabled is false',
  },
  {
    path: 'dynamo-operator.dynamo.mpiRun.secretName',
    when: 'and $on (not $operator.dynamo.mpiRun.secretName)',
    message:
      'must not be empty: the operator does not start without it; name a Secret with the keys private.key and private.key.pub',
  },
  {
    path: 'dynamo-operator.namespaceRestriction.lease.renewInterval',
    when: `and (${restricted}) (or (lt ${milliseconds('renewInterval')} 1) (ge ${milliseconds('renewInterval')} ${milliseconds('duration')}))`,
    message: 'must be a duration above zero and shorter than lease.duration: the operator does not start otherwise',
  },
  {
    path: 'dynamo-operator.fullnameOverride',
    when: `and $on (ne $webhooks "off") (gt (len (${operatorName})) 47)`,
    message:
      'the name of the webhook Service would have more than 63 characters; use a shorter release name or set fullnameOverride',
  },
  ...addresses.map((path) => ({
    path: `dynamo-operator.${path}`,
    when: `and $on (regexMatch "://[^/]*@" (default "" $operator.${path}))`,
    message: 'must not hold a user and password: they would be readable in the pod and in Git; give them in a Secret',
  })),
];

const tag = '(default $.Chart.AppVersion $operator.controllerManager.manager.image.tag)';
const tagPath = 'dynamo-operator.controllerManager.manager.image.tag';

/** Releases of the original operator that do not accept the flags in the templates. */
const releaseGuards: readonly Guard[] = [
  {
    path: tagPath,
    when: `and $on (regexMatch "^v?[1-9][0-9]*[.][0-9]+[.][0-9]+([-+@]|$)" ${tag})`,
    message: 'releases from 1.0.0 on take a configuration file and not flags, which this chart does not write; use 0.9.1',
  },
  {
    path: tagPath,
    when: `and $on (regexMatch "^v?0[.][0-7][.][0-9]+([-+@]|$)" ${tag})`,
    message: 'releases before 0.8.0 do not know all flags of this chart and would not start; use 0.9.1',
  },
];

/** Paths of container resources, and the condition under which the container exists. */
const containers: readonly { readonly path: string; readonly when: string; readonly kind?: OperatorKind }[] = [
  { path: operatorPath('controllerManager.manager.resources'), when: '$on' },
  { path: operatorPath('controllerManager.kubeRbacProxy.resources'), when: '$on', kind: 'original' },
  { path: 'nats.container.merge.resources', when: '.Values.nats.enabled' },
  { path: 'etcd.resources', when: '.Values.etcd.enabled' },
];

/** `templates/validate.yaml`: rejects combinations of values with a message, as the command line does. */
export function validateTemplate(kind: OperatorKind): string {
  const lines = [...guards, ...(kind === 'original' ? releaseGuards : [])].map(
    ({ path, when, message }) => `{{- if ${when} }}\n{{- fail ${JSON.stringify(`${path}: ${message}`)} }}\n{{- end }}`,
  );
  return [
    '{{- $operator := index .Values "dynamo-operator" -}}',
    '{{- $on := ne (toString $operator.enabled) "false" -}}',
    '{{- $webhooks := include "dynamo.webhooks" . -}}',
    ...lines,
    ...containers
      .filter((c) => c.kind === undefined || c.kind === kind)
      .map(
        ({ path, when }) =>
          `{{- if ${when} }}\n{{- include "dynamo.resources" (list "${path}" ${valueExpression(path)}) }}\n{{- end }}`,
      ),
    '',
  ].join('\n');
}
