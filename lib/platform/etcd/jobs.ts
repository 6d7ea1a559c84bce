import { type JsonObject, listAt, objectAt } from '../../json/index.ts';
import { type EtcdRelease, joined, labels, memberDomain, metadata, suffixed, whereSet } from './release.ts';
import { checksums, commandFields } from './workload.ts';
import { atPath, templateString, truthy, type Value } from '../go-values.ts';
import { yamlScalar } from '../yaml-scalar.ts';
import {
  debugVariable,
  environmentSources,
  memberUrls,
  passwordVariables,
  clientVariables,
  tlsVariables,
  variable,
} from './environment.ts';
import { imageOf, pullSecrets } from './images.ts';
import { placement } from './placement.ts';
import { resourcesOf } from './resources.ts';
import { podSecurityContext, securityContext } from './security-context.ts';
import { certificates, passwordFile, podVolumes, snapshotClaim, snapshotMount } from './volumes.ts';

/** Label of pods that the NetworkPolicy of the members admits. */
function clientLabel(etcd: EtcdRelease): JsonObject {
  return etcd.context.switches['network-policies'] ? { [`${etcd.name}-client`]: 'true' } : {};
}

/** Settings of a job's pod; with `pod-security` no service account token is mounted, since no job needs one. */
function jobPod(etcd: EtcdRelease, block: Value, contexts: Value): JsonObject {
  return {
    ...pullSecrets(etcd),
    ...(etcd.context.switches['pod-security'] ? { automountServiceAccountToken: false } : {}),
    ...whereSet(block, 'nodeSelector', 'tolerations', 'serviceAccountName'),
    ...podSecurityContext(etcd, atPath(contexts, 'podSecurityContext')),
  };
}

function containerBase(etcd: EtcdRelease, name: string, contexts: Value): JsonObject {
  return {
    name,
    image: imageOf(etcd),
    imagePullPolicy: templateString(atPath(etcd.values, 'image.pullPolicy')),
    ...securityContext(etcd, atPath(contexts, 'containerSecurityContext')),
  };
}

/** Seconds that a run of a CronJob may start late. */
function deadline({ context }: EtcdRelease, given: Value): JsonObject {
  if (truthy(given)) return { startingDeadlineSeconds: yamlScalar(given) };
  return context.switches['etcd-job-deadlines'] ? { startingDeadlineSeconds: 600 } : {};
}

/** The command of a job: that of diagnostic mode, of its block, or its default. */
function jobCommand(etcd: EtcdRelease, block: Value, fallback: JsonObject): JsonObject {
  return { ...fallback, ...commandFields(etcd, objectAt(block)) };
}

function podMetadata(etcd: EtcdRelease, block: Value, component?: string): JsonObject {
  const annotations = objectAt(atPath(block, 'podAnnotations'));
  const custom = joined(atPath(block, 'podLabels'), etcd.values['commonLabels']);
  return {
    labels: { ...labels(etcd, custom, component), ...clientLabel(etcd) },
    ...(truthy(annotations) ? { annotations } : {}),
  };
}

/** The CronJob that takes snapshots. */
export function snapshotter(etcd: EtcdRelease): JsonObject {
  const { values } = etcd;
  const block = atPath(values, 'disasterRecovery.cronjob');
  const mounted = [...certificates(etcd, 'client', 'certs'), ...passwordFile(etcd)];
  const container: JsonObject = {
    ...containerBase(etcd, 'etcd-snapshotter', values),
    ...jobCommand(etcd, block, { command: ['/opt/bitnami/scripts/etcd/snapshot.sh'] }),
    env: [
      debugVariable(etcd),
      variable('ETCD_ON_K8S', 'yes'),
      variable('MY_STS_NAME', etcd.name),
      variable('ETCD_CLUSTER_DOMAIN', memberDomain(etcd)),
      variable('ETCD_SNAPSHOT_HISTORY_LIMIT', templateString(atPath(block, 'snapshotHistoryLimit'))),
      variable('ETCD_SNAPSHOTS_DIR', templateString(atPath(block, 'snapshotsDir'))),
      ...tlsVariables(etcd, 'client'),
      ...passwordVariables(etcd),
    ],
    ...resourcesOf(etcd, ['disasterRecovery', 'cronjob']),
    volumeMounts: [
      { name: 'empty-dir', mountPath: '/tmp', subPath: 'tmp-dir' },
      snapshotMount(etcd),
      ...mounted.map(({ mount }) => mount),
    ],
  };
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: metadata(etcd, { name: suffixed(etcd, 'snapshotter') }),
    spec: {
      ...deadline(etcd, undefined),
      concurrencyPolicy: 'Forbid',
      schedule: templateString(atPath(block, 'schedule')),
      successfulJobsHistoryLimit: yamlScalar(atPath(block, 'historyLimit')),
      jobTemplate: {
        spec: {
          template: {
            metadata: podMetadata(etcd, block, 'snapshotter'),
            spec: {
              ...jobPod(etcd, block, values),
              restartPolicy: 'OnFailure',
              containers: [container],
              volumes: [
                { name: 'empty-dir', emptyDir: {} },
                ...mounted.map(({ volume }) => volume),
                { name: 'snapshot-volume', persistentVolumeClaim: { claimName: snapshotClaim(etcd) } },
              ],
            },
          },
        },
      },
    },
  };
}

/** The claim that holds the snapshots; undefined when an existing one is used. */
export function snapshotVolumeClaim(etcd: EtcdRelease): JsonObject | undefined {
  const name = suffixed(etcd, 'snapshotter');
  if (snapshotClaim(etcd) !== name) return undefined;
  const block = atPath(etcd.values, 'disasterRecovery.pvc');
  const own = metadata(etcd, { name });
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { ...own, annotations: { 'helm.sh/resource-policy': 'keep', ...(own['annotations'] as JsonObject | undefined) } },
    spec: {
      accessModes: ['ReadWriteMany'],
      resources: { requests: { storage: templateString(atPath(block, 'size')) } },
      ...whereSet(block, 'storageClassName'),
    },
  };
}

function defragScript(etcd: EtcdRelease): string {
  const urls = memberUrls(etcd, 'client', templateString(atPath(etcd.values, 'containerPorts.client'))).map(({ url }) => url);
  return `#!/usr/bin/env bash
set -eo pipefail

# Include library
. /opt/bitnami/scripts/libetcd.sh

# Load etcd environment settings
. /opt/bitnami/scripts/etcd-env.sh

# Common flags
read -r -a flags <<<"$(etcdctl_auth_flags)"
cmd="etcdctl --command-timeout=60s \${flags[@]}"
$cmd --endpoints="${urls.join(',')}" defrag`;
}

/** The CronJob that defragments the database, which releases unused space. */
export function defragmenter(etcd: EtcdRelease): JsonObject {
  const { values } = etcd;
  const block = atPath(values, 'defrag.cronjob');
  const limit = atPath(block, 'activeDeadlineSeconds');
  const mounted = [
    ...certificates(etcd, 'client'),
    ...passwordFile(etcd, { mountPath: '/opt/bitnami/etcd/secrets/', readOnly: true }),
  ];
  const container: JsonObject = {
    ...containerBase(etcd, 'etcd-defrag', block),
    ...jobCommand(etcd, block, { command: ['/bin/bash', '-c', defragScript(etcd)] }),
    env: [
      debugVariable(etcd),
      ...clientVariables(etcd),
      ...(truthy(atPath(values, 'auth.token.enabled')) ? passwordVariables(etcd) : []),
      ...listAt(atPath(block, 'extraEnvVars')),
    ],
    ...environmentSources(objectAt(block)),
    ...resourcesOf(etcd, ['defrag', 'cronjob']),
    ...(mounted.length > 0 ? { volumeMounts: mounted.map(({ mount }) => mount) } : {}),
  };
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: metadata(etcd, {
      name: suffixed(etcd, 'defrag'),
      labels: atPath(block, 'labels'),
      annotations: atPath(block, 'annotations'),
    }),
    spec: {
      ...deadline(etcd, atPath(block, 'startingDeadlineSeconds')),
      concurrencyPolicy: templateString(atPath(block, 'concurrencyPolicy')),
      schedule: templateString(atPath(block, 'schedule')),
      suspend: yamlScalar(atPath(block, 'suspend')),
      successfulJobsHistoryLimit: yamlScalar(atPath(block, 'successfulJobsHistoryLimit')),
      failedJobsHistoryLimit: yamlScalar(atPath(block, 'failedJobsHistoryLimit')),
      jobTemplate: {
        spec: {
          ...(truthy(limit) ? { activeDeadlineSeconds: yamlScalar(limit) } : {}),
          template: {
            metadata: podMetadata(etcd, block, etcd.context.switches['network-policies'] ? 'defrag' : undefined),
            spec: {
              ...jobPod(etcd, block, block),
              restartPolicy: templateString(atPath(block, 'restartPolicy')),
              containers: [container],
              ...(mounted.length > 0 ? { volumes: mounted.map(({ volume }) => volume) } : {}),
            },
          },
        },
      },
    },
  };
}

/** The hook Job that changes the membership before an upgrade. */
function preUpgradeJob(etcd: EtcdRelease): JsonObject {
  const { values } = etcd;
  const block = atPath(values, 'preUpgradeJob');
  const component = 'etcd-pre-upgrade-job';
  const custom = joined(atPath(block, 'podLabels'), values['commonLabels']);
  const cluster = memberUrls(etcd, 'client', templateString(atPath(values, 'containerPorts.client'))).map(
    ({ member, url }) => `${member}=${url}`,
  );
  const { volumes, mounts } = podVolumes(etcd, false);
  const delay = atPath(block, 'startDelay');
  const container: JsonObject = {
    ...containerBase(etcd, 'pre-upgrade-job', block),
    ...jobCommand(etcd, block, {
      command: ['/opt/bitnami/scripts/etcd/entrypoint.sh'],
      args: ['/opt/bitnami/scripts/etcd/preupgrade.sh'],
    }),
    env: [
      debugVariable(etcd),
      variable('ETCD_ON_K8S', 'yes'),
      variable('ETCD_DATA_DIR', '/bitnami/etcd/data'),
      ...passwordVariables(etcd),
      variable('ETCD_INITIAL_CLUSTER', cluster.join(',')),
      ...tlsVariables(etcd, 'client'),
      ...tlsVariables(etcd, 'peer'),
      ...(truthy(delay) ? [variable('ETCD_PREUPGRADE_START_DELAY', templateString(delay))] : []),
      ...listAt(values['extraEnvVars']),
    ],
    ...environmentSources(values),
    ...resourcesOf(etcd, ['preUpgradeJob']),
    volumeMounts: mounts,
  };
  const hook = { 'helm.sh/hook': 'pre-upgrade', 'helm.sh/hook-delete-policy': 'before-hook-creation' };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: metadata(etcd, {
      name: `${etcd.name}-pre-upgrade`,
      component,
      annotations: joined(atPath(block, 'annotations'), hook),
    }),
    spec: {
      template: {
        metadata: {
          labels: labels(etcd, custom, component),
          annotations: joined(checksums(etcd), atPath(block, 'podAnnotations')),
        },
        spec: {
          ...pullSecrets(etcd),
          automountServiceAccountToken: atPath(values, 'automountServiceAccountToken'),
          ...placement(etcd, block, custom, component),
          ...podSecurityContext(etcd, atPath(block, 'podSecurityContext')),
          restartPolicy: 'Never',
          containers: [container],
          volumes,
        },
      },
    },
  };
}

/** The pre-upgrade hook; with `no-hooks` a warning instead. */
export function hookJob(etcd: EtcdRelease): JsonObject | undefined {
  if (!etcd.context.switches['no-hooks']) return preUpgradeJob(etcd);
  etcd.warnings.push({
    path: ['etcd', 'preUpgradeJob', 'enabled'],
    code: 'no_hooks',
    message:
      'is not rendered: only Helm runs such a Job before an upgrade; change the membership with etcdctl before changing replicaCount',
  });
  return undefined;
}
