/** etcd, the key-value store of graphs that do not use Kubernetes for discovery: from the block `etcd` of the values to its objects. */
import { disruptionBudget, jobNetworkPolicy, networkPolicy } from './policies.ts';
import { defragmenter, hookJob, snapshotter, snapshotVolumeClaim } from './jobs.ts';
import { configMap } from './config.ts';
import { isObject, type Json, type JsonObject, listAt } from '../../json/index.ts';
import type { Issue } from '../../api/index.ts';
import { readManifests } from '../../manifest/index.ts';
import type { PlatformContext } from '../platform-context.ts';
import { atPath, truthy } from '../go-values.ts';
import type { Part, PartResult } from '../part.ts';
import { plainObjects } from '../plain-object.ts';
import { renderChecked } from '../checked-part.ts';
import { checkEtcd } from './checks.ts';
import { appVersion, chartVersion, defaults, platformDefaults } from './defaults.ts';
import { versionOf } from './images.ts';
import { podMonitor, prometheusRule } from './monitors.ts';
import { clientService, headlessService } from './network.ts';
import { etcdName, etcdNamespace, type EtcdRelease } from './release.ts';
import { serviceAccount } from './rbac.ts';
import { dead, schema } from './schema.ts';
import { secrets } from './secrets.ts';
import { securedEtcdValues } from './security.ts';
import { evaluateTemplates } from './template-text.ts';
import { statefulSet } from './workload.ts';

/** What templates in the values may refer to, besides the values. */
function templateNames(values: JsonObject, context: PlatformContext): Readonly<Record<string, string>> {
  return {
    '.Release.Service': context.managedBy,
    '.Chart.Name': 'etcd',
    '.Chart.Version': chartVersion,
    '.Chart.AppVersion': appVersion,
    'include "common.names.fullname" .': etcdName(values, context.release),
    'include "common.names.namespace" .': etcdNamespace(values, context),
  };
}

/** Extra objects: maps unchanged, strings parsed as manifests. */
function extraObjects(etcd: EtcdRelease): readonly Json[] {
  return listAt(etcd.values['extraDeploy']).flatMap((entry, index): readonly Json[] => {
    if (typeof entry !== 'string') return [entry];
    const path = ['etcd', 'extraDeploy', index];
    const { documents: found, issues } = readManifests(entry, 'etcd.extraDeploy');
    for (const { severity, code, message } of issues)
      (severity === 'error' ? etcd.issues : etcd.warnings).push({ path, code, message });
    return found.map(({ value }) => value);
  });
}

function documents(etcd: EtcdRelease): readonly (Json | undefined)[] {
  const on = (path: string): boolean => truthy(atPath(etcd.values, path));
  const guarded = etcd.context.switches['network-policies'];
  return [
    on('networkPolicy.enabled') ? networkPolicy(etcd) : undefined,
    on('networkPolicy.enabled') && guarded && (on('defrag.enabled') || on('disasterRecovery.enabled'))
      ? jobNetworkPolicy(etcd)
      : undefined,
    on('pdb.create') ? disruptionBudget(etcd) : undefined,
    on('serviceAccount.create') ? serviceAccount(etcd) : undefined,
    ...secrets(etcd),
    on('configuration') && !on('existingConfigmap') ? configMap(etcd) : undefined,
    on('disasterRecovery.enabled') ? snapshotVolumeClaim(etcd) : undefined,
    headlessService(etcd),
    on('service.enabled') ? clientService(etcd) : undefined,
    statefulSet(etcd),
    on('defrag.enabled') ? defragmenter(etcd) : undefined,
    on('disasterRecovery.enabled') ? snapshotter(etcd) : undefined,
    on('metrics.enabled') && on('metrics.podMonitor.enabled') ? podMonitor(etcd) : undefined,
    on('metrics.enabled') && on('metrics.prometheusRule.enabled') ? prometheusRule(etcd) : undefined,
    on('preUpgradeJob.enabled') ? hookJob(etcd) : undefined,
    ...extraObjects(etcd),
  ];
}

function renderRelease(chosen: JsonObject, context: PlatformContext): PartResult {
  const issues: Issue[] = [];
  const warnings: Issue[] = [];
  const evaluated = evaluateTemplates(
    chosen,
    { values: chosen, release: context.release, namespace: context.namespace, named: templateNames(chosen, context) },
    ['etcd'],
    issues,
  );
  const values = isObject(evaluated) ? evaluated : {};
  const etcd: EtcdRelease = {
    values,
    context,
    name: etcdName(values, context.release),
    namespace: etcdNamespace(values, context),
    version: versionOf({ values, context }),
    issues,
    warnings,
  };
  const objects = plainObjects(documents(etcd), ['etcd'], issues, !context.switches['managed-by']);
  return { objects, issues, warnings };
}

function render(given: JsonObject, context: PlatformContext): PartResult {
  const { values, issues: missing } = securedEtcdValues(given, context);
  const found = checkEtcd(values, context);
  return renderChecked({ ...found, issues: [...missing, ...found.issues] }, () => renderRelease(values, context));
}

/** etcd as a part of the platform. */
export const etcd: Part = { key: 'etcd', defaults, platformDefaults, schema, dead, render };
