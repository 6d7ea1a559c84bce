import { findString, isObject, type Json, type JsonObject, listAt, objectAt, type Path } from '../json/index.ts';
import type { FieldErrors } from './field-errors.ts';
import { checkClaimSpec } from './claim-spec.ts';
import { checkSchedule } from './cron-schedule.ts';
import { checkAnnotations, checkLabels, checkLabelSelector } from './metadata.ts';
import { checkDnsLabel } from './names.ts';
import { checkPodTemplate } from './pod-spec.ts';

function checkNonNegative(spec: JsonObject, keys: readonly string[], field: Path, errors: FieldErrors): void {
  for (const key of keys)
    if (Number(spec[key] ?? 0) < 0) errors.invalid([...field, key], spec[key], 'must be greater than or equal to 0');
}

/** Checks and returns a number or percentage of a rolling update; undefined when it is neither. */
function checkCountOrPercentage(value: Json | undefined, field: Path, errors: FieldErrors): number | undefined {
  if (typeof value === 'string') {
    if (/^[0-9]+%$/.test(value)) return Number(value.slice(0, -1));
    errors.invalid(field, value, "must match the regex [0-9]+% (e.g. '1%',  or '93%')");
    return undefined;
  }
  const number = Number(value ?? 0);
  if (number < 0) errors.invalid(field, number, 'must be greater than or equal to 0');
  return number;
}

function checkStrategy(strategy: JsonObject, field: Path, errors: FieldErrors): void {
  const type = findString(strategy, 'type') || 'RollingUpdate';
  const rolling = strategy['rollingUpdate'];
  if (type === 'Recreate') {
    if (isObject(rolling))
      errors.forbidden([...field, 'rollingUpdate'], "may not be specified when strategy `type` is 'Recreate'");
  } else if (type === 'RollingUpdate') {
    const given = isObject(rolling) ? rolling : {};
    const unavailable = checkCountOrPercentage(
      given['maxUnavailable'] ?? '25%',
      [...field, 'rollingUpdate', 'maxUnavailable'],
      errors,
    );
    const extra = checkCountOrPercentage(given['maxSurge'] ?? '25%', [...field, 'rollingUpdate', 'maxSurge'], errors);
    if (unavailable === 0 && extra === 0)
      errors.invalid([...field, 'rollingUpdate', 'maxUnavailable'], given['maxUnavailable'], 'may not be 0 when `maxSurge` is 0');
    if (typeof given['maxUnavailable'] === 'string' && (unavailable ?? 0) > 100)
      errors.invalid([...field, 'rollingUpdate', 'maxUnavailable'], given['maxUnavailable'], 'must not be greater than 100%');
  } else errors.unsupported([...field, 'type'], type, ['Recreate', 'RollingUpdate']);
}

/** Checks a Deployment's spec. */
export function checkDeployment(object: JsonObject, errors: FieldErrors): void {
  const spec = objectAt(object, 'spec');
  checkNonNegative(spec, ['replicas', 'minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'], ['spec'], errors);
  checkPods(spec, 'deployment', errors);
  checkStrategy(objectAt(spec, 'strategy'), ['spec', 'strategy'], errors);
}

/** Checks the selector and the pod template of a Deployment or StatefulSet. */
function checkPods(spec: JsonObject, owner: string, errors: FieldErrors): void {
  const selector = spec['selector'];
  if (!isObject(selector)) errors.required(['spec', 'selector']);
  checkLabelSelector(selector, ['spec', 'selector'], errors);
  const template = objectAt(spec, 'template');
  const labels = objectAt(template, 'metadata', 'labels');
  const wanted = objectAt(selector, 'matchLabels');
  if (isObject(selector) && Object.keys(wanted).length === 0)
    errors.invalid(['spec', 'selector'], selector, `empty selector is invalid for ${owner}`);
  if (Object.entries(wanted).some(([key, value]) => labels[key] !== value))
    errors.invalid(['spec', 'template', 'metadata', 'labels'], labels, '`selector` does not match template `labels`');
  checkPodTemplate(template, ['spec', 'template'], errors);
  const pod = objectAt(template, 'spec');
  const restart = findString(pod, 'restartPolicy') || 'Always';
  if (restart !== 'Always') errors.unsupported(['spec', 'template', 'spec', 'restartPolicy'], restart, ['Always']);
  if (pod['activeDeadlineSeconds'] !== undefined)
    errors.forbidden(
      ['spec', 'template', 'spec', 'activeDeadlineSeconds'],
      'activeDeadlineSeconds in ReplicaSet is not Supported',
    );
}

const managementPolicies = ['OrderedReady', 'Parallel'];
const retentionPolicies = ['Delete', 'Retain'];

/**
 * Adds the volumes of `volumeClaimTemplates` to the pod template; a claim template replaces a volume of the same name.
 * https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/stateful-set-v1/#StatefulSetSpec
 */
function withClaims(spec: JsonObject): JsonObject {
  const template = objectAt(spec, 'template');
  const pod = objectAt(template, 'spec');
  const names = listAt(spec, 'volumeClaimTemplates').map((claim) => findString(claim, 'metadata', 'name') ?? '');
  const others = listAt(pod, 'volumes').filter((volume) => !names.includes(findString(volume, 'name') ?? ''));
  const claims = names.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  return { ...spec, template: { ...template, spec: { ...pod, volumes: [...others, ...claims] } } };
}

/** Checks a StatefulSet's spec. */
export function checkStatefulSet(object: JsonObject, errors: FieldErrors): void {
  const spec = objectAt(object, 'spec');
  checkNonNegative(spec, ['replicas', 'minReadySeconds', 'revisionHistoryLimit'], ['spec'], errors);
  checkPods(withClaims(spec), 'statefulset', errors);
  const service = findString(spec, 'serviceName') ?? '';
  if (service !== '') errors.each(checkDnsLabel(service), ['spec', 'serviceName'], service);
  const policy = findString(spec, 'podManagementPolicy') || 'OrderedReady';
  if (!managementPolicies.includes(policy))
    errors.invalid(['spec', 'podManagementPolicy'], policy, `must be '${managementPolicies.join("' or '")}'`);
  for (const [key, kept] of Object.entries(objectAt(spec, 'persistentVolumeClaimRetentionPolicy')))
    if (typeof kept !== 'string' || !retentionPolicies.includes(kept))
      errors.unsupported(['spec', 'persistentVolumeClaimRetentionPolicy', key], kept, retentionPolicies);
  const update = objectAt(spec, 'updateStrategy');
  const type = findString(update, 'type') || 'RollingUpdate';
  if (type !== 'OnDelete' && type !== 'RollingUpdate')
    errors.invalid(['spec', 'updateStrategy'], update, "must be 'RollingUpdate' or 'OnDelete'");
  if (type === 'OnDelete' && isObject(update['rollingUpdate']))
    errors.invalid(
      ['spec', 'updateStrategy', 'rollingUpdate'],
      update['rollingUpdate'],
      "only allowed for updateStrategy 'RollingUpdate'",
    );
  checkNonNegative(objectAt(update, 'rollingUpdate'), ['partition'], ['spec', 'updateStrategy', 'rollingUpdate'], errors);
  for (const [i, claim] of listAt(spec, 'volumeClaimTemplates').entries())
    checkClaimSpec(objectAt(claim, 'spec'), ['spec', 'volumeClaimTemplates', i, 'spec'], errors);
}

/** Checks a Job. */
export function checkJob(object: JsonObject, errors: FieldErrors): void {
  checkJobSpec(objectAt(object, 'spec'), ['spec'], errors);
}

const concurrencyPolicies = ['Allow', 'Forbid', 'Replace'];

/** Checks a CronJob. */
export function checkCronJob(object: JsonObject, errors: FieldErrors): void {
  const spec = objectAt(object, 'spec');
  checkNonNegative(spec, ['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit'], ['spec'], errors);
  const schedule = findString(spec, 'schedule') ?? '';
  if (schedule === '') errors.required(['spec', 'schedule']);
  else errors.each(checkSchedule(schedule), ['spec', 'schedule'], schedule);
  const policy = findString(spec, 'concurrencyPolicy') || 'Allow';
  if (!concurrencyPolicies.includes(policy)) errors.unsupported(['spec', 'concurrencyPolicy'], policy, concurrencyPolicies);
  const template = objectAt(spec, 'jobTemplate');
  checkLabels(objectAt(template, 'metadata')['labels'], ['spec', 'jobTemplate', 'labels'], errors);
  checkAnnotations(objectAt(template, 'metadata')['annotations'], ['spec', 'jobTemplate', 'annotations'], errors);
  checkJobSpec(objectAt(template, 'spec'), ['spec', 'jobTemplate', 'spec'], errors);
}

function checkJobSpec(spec: JsonObject, field: Path, errors: FieldErrors): void {
  checkNonNegative(
    spec,
    ['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished'],
    field,
    errors,
  );
  checkPodTemplate(objectAt(spec, 'template'), [...field, 'template'], errors);
  const restart = findString(spec, 'template', 'spec', 'restartPolicy') || 'Always';
  if (restart !== 'OnFailure' && restart !== 'Never')
    errors.required([...field, 'template', 'spec', 'restartPolicy'], 'valid values: "OnFailure", "Never"');
}
