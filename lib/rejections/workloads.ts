import { findString, isObject, type Json, type JsonObject, objectAt, type Path } from '../json/index.ts';
import type { FieldErrors } from './field-errors.ts';
import { checkLabelSelector } from './metadata.ts';
import { checkPodTemplate } from './pod-spec.ts';

function checkNonNegative(spec: JsonObject, keys: readonly string[], field: Path, errors: FieldErrors): void {
  for (const key of keys)
    if (Number(spec[key] ?? 0) < 0) errors.invalid([...field, key], spec[key], 'must be greater than or equal to 0');
}

/** A number or a percentage of a rolling update; undefined when it is neither. */
function surge(value: Json | undefined, field: Path, errors: FieldErrors): number | undefined {
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
    const unavailable = surge(given['maxUnavailable'] ?? '25%', [...field, 'rollingUpdate', 'maxUnavailable'], errors);
    const extra = surge(given['maxSurge'] ?? '25%', [...field, 'rollingUpdate', 'maxSurge'], errors);
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
  const selector = spec['selector'];
  if (!isObject(selector)) errors.required(['spec', 'selector']);
  checkLabelSelector(selector, ['spec', 'selector'], errors);
  const template = objectAt(spec, 'template');
  const labels = objectAt(template, 'metadata', 'labels');
  const wanted = objectAt(selector, 'matchLabels');
  if (isObject(selector) && Object.keys(wanted).length === 0)
    errors.invalid(['spec', 'selector'], selector, 'empty selector is invalid for deployment');
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
  checkStrategy(objectAt(spec, 'strategy'), ['spec', 'strategy'], errors);
}

/** Checks a Job's spec. */
export function checkJob(object: JsonObject, errors: FieldErrors): void {
  const spec = objectAt(object, 'spec');
  checkNonNegative(
    spec,
    ['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished'],
    ['spec'],
    errors,
  );
  checkPodTemplate(objectAt(spec, 'template'), ['spec', 'template'], errors);
  const restart = findString(spec, 'template', 'spec', 'restartPolicy') || 'Always';
  if (restart !== 'OnFailure' && restart !== 'Never')
    errors.required(['spec', 'template', 'spec', 'restartPolicy'], 'valid values: "OnFailure", "Never"');
}
