import type { JsonObject } from '../json/index.ts';
import type { PlatformContext } from './platform-context.ts';
import { atPath, templateString, truthy } from './go-values.ts';
import * as operatorDefaults from './operator/defaults.ts';
import { createsKey } from './operator/jobs.ts';
import { metricsReader, sendsToken } from './operator/rbac.ts';
import { operatorRelease, type OperatorRelease } from './operator/release.ts';
import { effectiveBlock } from './values.ts';

interface Prerequisite {
  readonly when: (scope: OperatorRelease) => boolean;
  readonly note: (scope: OperatorRelease) => string;
}

const value = (scope: OperatorRelease, path: string): string => templateString(atPath(scope.values, path));
const webhooks = (scope: OperatorRelease): boolean => truthy(atPath(scope.values, 'webhook.enabled'));

const ofOperator: readonly Prerequisite[] = [
  {
    when: (s) => s.context.switches['no-hooks'] && !createsKey(s),
    note: (s) =>
      `Secret ${s.restricted ? s.home : s.context.namespace}/${value(s, 'dynamo.mpiRun.secretName')} with the keys private.key and private.key.pub must exist before the first graph`,
  },
  {
    when: (s) => webhooks(s) && s.certificates === 'cert-manager',
    note: () => 'cert-manager must be installed: it issues the certificate of the webhooks',
  },
  {
    when: (s) => webhooks(s) && s.certificates === 'external',
    note: (s) =>
      `Secret ${s.context.namespace}/${value(s, 'webhook.certificateSecret.name')} with the keys tls.crt and tls.key must exist: the operator does not start without it`,
  },
  {
    when: (s) => isScraped(s),
    note: (s) =>
      `the account of Prometheus must be bound to ClusterRole ${metricsReader(s)} to read the operator's metrics, unless it may get /metrics already, as that of kube-prometheus-stack may`,
  },
  {
    when: (s) => s.registrySecret !== undefined && s.context.switches['registry-by-reference'],
    note: (s) =>
      `Secret ${s.restricted ? s.home : s.context.namespace}/${s.registrySecret ?? ''} of type kubernetes.io/dockerconfigjson must exist: graphs pull their images with it`,
  },
];

/** Whether a Prometheus of the cluster scrapes the operator and must authenticate. */
function isScraped(scope: OperatorRelease): boolean {
  return scope.context.monitoring && truthy(atPath(scope.values, 'metricsService.enabled')) && sendsToken(scope);
}

const ofParts = { grove: 'the CRDs of Grove', 'kai-scheduler': 'the CRDs of the KAI scheduler' } as const;

/** Prerequisites: what must exist in the cluster and is not rendered. */
export function prerequisites(values: JsonObject, context: PlatformContext): readonly string[] {
  const block = effectiveBlock({ key: 'dynamo-operator', ...operatorDefaults }, values);
  const scope = operatorRelease(block.values, context);
  const parts = Object.entries(ofParts).filter(([key]) => atPath(values[key], 'enabled') === true);
  return [
    ...(block.enabled ? ofOperator.filter((p) => p.when(scope)).map((p) => p.note(scope)) : []),
    ...parts.map(([, what]) => `${what} must be installed`),
  ];
}
