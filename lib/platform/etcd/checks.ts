import type { Issue } from '../../api/index.ts';
import type { JsonObject } from '../../json/index.ts';
import type { PlatformContext } from '../platform-context.ts';
import type { CheckedPart } from '../checked-part.ts';
import { openToAll } from '../client-namespaces.ts';
import { atPath, templateString, truthy } from '../go-values.ts';
import { missingBlocks } from '../needed-blocks.ts';
import { unsafeInScripts } from '../script-values.ts';
import { checkImages } from './images.ts';
import { checkPresets } from './resources.ts';
import { needsCertificates } from './volumes.ts';

/** Blocks of values that the objects are rendered from. */
const neededBlocks = [
  'image auth auth.rbac auth.token auth.client auth.peer diagnosticMode containerPorts service service.headless',
  'persistence persistentVolumeClaimRetentionPolicy volumePermissions volumePermissions.image networkPolicy metrics startFromSnapshot',
  'disasterRecovery serviceAccount preUpgradeJob defrag pdb livenessProbe readinessProbe startupProbe podSecurityContext containerSecurityContext',
  'auth.token.enabled: auth.token.privateKey',
  'service.enabled: service.ports',
  'metrics.enabled: metrics.podMonitor metrics.prometheusRule',
  'disasterRecovery.enabled: disasterRecovery.cronjob disasterRecovery.pvc',
  'defrag.enabled: defrag.cronjob',
];

/** A rule over the values: the path it reports, when it is broken, and what to do. */
interface Rule {
  readonly path: string;
  readonly code: string;
  readonly broken: (values: JsonObject) => boolean;
  readonly message: string;
}

function on(values: JsonObject, path: string): boolean {
  return truthy(atPath(values, path));
}

function snapshotAlone(values: JsonObject): boolean {
  return on(values, 'startFromSnapshot.enabled') && !on(values, 'disasterRecovery.enabled');
}

/** Rules of the original chart. */
const rules: readonly Rule[] = [
  {
    path: 'startFromSnapshot.existingClaim',
    code: 'required',
    broken: (values) => snapshotAlone(values) && !on(values, 'startFromSnapshot.existingClaim'),
    message: 'must name the claim that holds the snapshot, or turn disasterRecovery.enabled on',
  },
  {
    path: 'startFromSnapshot.snapshotFilename',
    code: 'required',
    broken: (values) => snapshotAlone(values) && !on(values, 'startFromSnapshot.snapshotFilename'),
    message: 'must name the file of the snapshot, or turn disasterRecovery.enabled on',
  },
  {
    path: 'disasterRecovery.enabled',
    code: 'conflict',
    broken: (values) => on(values, 'disasterRecovery.enabled') && !on(values, 'persistence.enabled'),
    message: 'needs persistence.enabled: true: there is nothing to recover from memory',
  },
  ...(['client', 'peer'] as const).map((channel) => ({
    path: `auth.${channel}.existingSecret`,
    code: 'required',
    broken: (values: JsonObject) => needsCertificates({ values }, channel) && !on(values, `auth.${channel}.existingSecret`),
    message: `must name a Secret with the ${channel} certificates, or set auth.${channel}.useAutoTLS and not enableAuthentication`,
  })),
];

/** Rules of the secure profile: no secrets in the values, and no generated keys. */
const secretRules: readonly Rule[] = [
  {
    path: 'auth.rbac.rootPassword',
    code: 'secret_in_values',
    broken: (values) => on(values, 'auth.rbac.rootPassword'),
    message:
      'must not be given here, since it would end up in Git; put it into a Secret and name that as auth.rbac.existingSecret',
  },
  {
    path: 'auth.rbac.existingSecret',
    code: 'required',
    broken: (values) =>
      on(values, 'auth.rbac.create') && !on(values, 'auth.rbac.existingSecret') && !on(values, 'auth.rbac.rootPassword'),
    message: 'must name the Secret with the root password (key etcd-root-password, or auth.rbac.existingSecretPasswordKey)',
  },
];

/** Doubtful combinations. */
const warningRules: readonly Rule[] = [
  {
    path: 'replicaCount',
    code: 'doubtful',
    broken: (values) =>
      Number(templateString(atPath(values, 'replicaCount'))) > 0 &&
      Number(templateString(atPath(values, 'replicaCount'))) % 2 === 0,
    message: 'should be odd: an even number of members tolerates no more failures than one member less',
  },
  {
    path: 'disasterRecovery.cronjob.snapshotsDir',
    code: 'doubtful',
    broken: (values) =>
      on(values, 'disasterRecovery.enabled') &&
      !/^\/snapshots(\/|$)/.test(templateString(atPath(values, 'disasterRecovery.cronjob.snapshotsDir'))),
    message: 'should be below /snapshots, where the volume is mounted; elsewhere the snapshots are lost with the pod',
  },
];

function broken(values: JsonObject, list: readonly Rule[]): readonly Issue[] {
  const found = list.filter((rule) => rule.broken(values));
  return found.map(({ path, code, message }) => ({ path: ['etcd', ...path.split('.')], code, message }));
}

/** Whether clients must authenticate, or a NetworkPolicy of the values restricts them. */
function isGuarded(values: JsonObject): boolean {
  return (
    on(values, 'auth.rbac.create') ||
    on(values, 'auth.client.enableAuthentication') ||
    (on(values, 'networkPolicy.enabled') && !on(values, 'networkPolicy.allowExternal'))
  );
}

/** Settings that expose etcd to more clients than its NetworkPolicy admits. */
function exposureOf(values: JsonObject): Parameters<typeof openToAll>[2] {
  if (!on(values, 'networkPolicy.enabled'))
    return { to: 'the pods of every namespace', fix: 'set etcd.networkPolicy.enabled to true' };
  if (atPath(values, 'service.type') === 'ClusterIP') return undefined;
  return { to: 'clients outside the cluster', fix: 'set etcd.service.type to ClusterIP' };
}

/** Errors and warnings about the values, before anything is rendered. */
export function checkEtcd(values: JsonObject, context: PlatformContext): CheckedPart {
  const missing = missingBlocks('etcd', values, neededBlocks);
  if (missing.length > 0) return { issues: missing, warnings: [], isUnrenderable: true };
  const images = checkImages({ values, context });
  const secrets = context.switches['no-secrets'] ? broken(values, secretRules) : [];
  return {
    issues: [...images.issues, ...checkPresets(values), ...unsafeInScripts('etcd', values), ...broken(values, rules), ...secrets],
    warnings: [
      ...images.warnings,
      ...broken(values, warningRules),
      ...(isGuarded(values) ? [] : openToAll('etcd', context, exposureOf(values))),
    ],
    isUnrenderable: false,
  };
}
