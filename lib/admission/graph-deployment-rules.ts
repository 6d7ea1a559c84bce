import {
  append,
  findObject,
  isObject,
  isTrueAt,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  sortedKeys,
  stringAt,
  valueAt,
} from '../json/index.ts';
import { checkBackendUnchanged, nodeCount, validateComponent, warnComponent } from './component-rules.ts';
import { fieldIssue, issueWithText, type AdmissionIssue } from './admission-issue.ts';
import { isZeroQuantity } from './quantity-syntax.ts';
import type { AdmissionContext, AdmissionRequest, AdmissionRules, AdmissionVerdict } from './admission-request.ts';
import { checkReplicasUnchanged } from './who-may-scale.ts';

/** Services in byte order of their keys. The original operator iterates over a Go map, whose order is random. */
function services(object: JsonObject): readonly (readonly [string, Json])[] {
  const given = objectAt(object, 'spec', 'services');
  return sortedKeys(given).map((key) => [key, given[key] ?? null] as const);
}

function checkPvcs(object: JsonObject, { thorough }: AdmissionContext): readonly AdmissionIssue[] {
  const issues: AdmissionIssue[] = [];
  for (const [index, pvc] of listAt(findObject(object, 'spec'), 'pvcs').entries()) {
    const path = ['spec', 'pvcs', index];
    if (stringAt(pvc, 'name') === '') issues.push(fieldIssue([...path, 'name'], 'required', 'is required'));
    if (isTrueAt(pvc, 'create')) {
      const missing = [
        ['storageClass', stringAt(pvc, 'storageClass') === ''],
        ['size', isZeroQuantity(valueAt(pvc, 'size'))],
        ['volumeAccessMode', stringAt(pvc, 'volumeAccessMode') === ''],
      ] as const;
      for (const [field, absent] of missing)
        if (absent) issues.push(fieldIssue([...path, field], 'required', 'is required when create is true'));
    }
    if (issues.length > 0 && !thorough) break;
  }
  return issues;
}

function checkRestart(object: JsonObject): readonly AdmissionIssue[] {
  const spec = objectAt(object, 'spec');
  const restart = findObject(spec, 'restart');
  if (!restart) return [];
  const issues: AdmissionIssue[] = [];
  if (stringAt(restart, 'id') === '') issues.push(fieldIssue(['spec', 'restart', 'id'], 'required', 'is required'));
  const strategy = findObject(restart, 'strategy');
  const order = listAt(strategy, 'order').filter((name) => typeof name === 'string');
  const path = ['spec', 'restart', 'strategy', 'order'];
  if (order.length === 0) return issues;
  if (stringAt(strategy, 'type') === 'Parallel')
    return [...issues, fieldIssue(path, 'not_allowed', 'cannot be specified when strategy is parallel')];
  const names = new Set(order);
  const known = objectAt(spec, 'services');
  if (names.size !== order.length) issues.push(fieldIssue(path, 'duplicate', 'must be unique'));
  if (names.size !== Object.keys(known).length)
    issues.push(fieldIssue(path, 'incomplete', 'must have the same number of unique services as the deployment'));
  for (const name of names) {
    if (Object.hasOwn(known, name)) continue;
    const message = `unknown service: ${name}`;
    issues.push(
      issueWithText(
        [...path, order.indexOf(name)],
        'unknown_service',
        `spec.restart.strategy.order contains ${message}`,
        message,
      ),
    );
  }
  return issues;
}

function checkServices(object: JsonObject, { thorough, apiGroups }: AdmissionContext): readonly AdmissionIssue[] {
  const issues: AdmissionIssue[] = [];
  for (const [key, service] of services(object)) {
    const path = ['spec', 'services', key];
    if (isObject(service)) append(issues, validateComponent({ spec: service, path, apiGroups }, thorough));
    else issues.push(fieldIssue(path, 'null', 'must be an object'));
    if (issues.length > 0 && !thorough) break;
  }
  return issues;
}

function validate({ object }: AdmissionRequest, context: AdmissionContext): AdmissionVerdict {
  if (services(object).length === 0)
    return { issues: [fieldIssue(['spec', 'services'], 'required', 'must have at least one service')], warnings: [] };
  const issues: AdmissionIssue[] = [];
  for (const check of [checkPvcs, checkRestart, checkServices]) {
    append(issues, check(object, context));
    if (issues.length > 0 && !context.thorough) return { issues, warnings: [] };
  }
  return { issues, warnings: warn(object) };
}

function warn(object: JsonObject): readonly AdmissionIssue[] {
  const metadata = findObject(object, 'metadata');
  const owner = { namespace: stringAt(metadata, 'namespace'), graph: stringAt(metadata, 'name') };
  return services(object).flatMap(([key, spec]) =>
    isObject(spec) ? warnComponent({ spec, path: ['spec', 'services', key] }, owner) : [],
  );
}

/** Services that both objects have: key, old and new value. */
function commonServices(object: JsonObject, oldObject: JsonObject): readonly (readonly [string, Json, Json])[] {
  const oldServices = new Map(services(oldObject));
  return services(object).flatMap(([key, service]) => {
    const oldService = oldServices.get(key);
    return oldService === undefined ? [] : [[key, oldService, service] as const];
  });
}

function validateUpdate({ object, oldObject = {}, user }: AdmissionRequest, { thorough }: AdmissionContext): AdmissionVerdict {
  const backend = checkBackendUnchanged(objectAt(object, 'spec'), objectAt(oldObject, 'spec'));
  const topologyChanges = commonServices(object, oldObject)
    .filter(([, oldService, service]) => nodeCount(oldService) > 1 !== nodeCount(service) > 1)
    .map(([key]) =>
      fieldIssue(
        ['spec', 'services', key],
        'immutable',
        'cannot change node topology (between single-node and multi-node) after creation',
      ),
    );
  const issues = [...backend.issues, ...topologyChanges];
  if (issues.length === 0 || thorough) append(issues, checkServicesUnchanged(object, oldObject));
  if (issues.length === 0 || thorough) append(issues, checkReplicasUnchanged(user, commonServices(object, oldObject)));
  return { issues, warnings: backend.warnings };
}

function checkServicesUnchanged(object: JsonObject, oldObject: JsonObject): readonly AdmissionIssue[] {
  const after = services(object).map(([key]) => key);
  const before = services(oldObject).map(([key]) => key);
  const added = after.filter((key) => !before.includes(key));
  const removed = before.filter((key) => !after.includes(key));
  const changes = [
    ...(added.length > 0 ? [`services added: [${added.join(' ')}]`] : []),
    ...(removed.length > 0 ? [`services removed: [${removed.join(' ')}]`] : []),
  ];
  if (changes.length === 0) return [];
  const text = `service topology is immutable and cannot be modified after creation: ${changes.join(', ')}`;
  return [issueWithText(['spec', 'services'], 'immutable', text)];
}

/** Admission rules for a DynamoGraphDeployment. */
export const graphDeployment: AdmissionRules = { validate, validateUpdate };
