import {
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
import { keepBackend, nodeCount, validateComponent, warnComponent } from './component-rules.ts';
import { broken, worded, type AdmissionIssue } from './admission-issue.ts';
import { isZeroQuantity } from './quantity-syntax.ts';
import type { AdmissionContext, AdmissionRequest, AdmissionRules, AdmissionVerdict } from './admission-request.ts';
import { keepReplicas } from './who-may-scale.ts';

/** Services by key, in byte order of their keys: the original's order is random. */
function services(object: JsonObject): readonly (readonly [string, Json])[] {
  const given = objectAt(object, 'spec', 'services');
  return sortedKeys(given).map((key) => [key, given[key] ?? null] as const);
}

function checkPvcs(object: JsonObject, { thorough }: AdmissionContext): readonly AdmissionIssue[] {
  const issues: AdmissionIssue[] = [];
  for (const [index, pvc] of listAt(findObject(object, 'spec'), 'pvcs').entries()) {
    const path = ['spec', 'pvcs', index];
    if (stringAt(pvc, 'name') === '') issues.push(broken([...path, 'name'], 'required', 'is required'));
    if (isTrueAt(pvc, 'create')) {
      const missing = [
        ['storageClass', stringAt(pvc, 'storageClass') === ''],
        ['size', isZeroQuantity(valueAt(pvc, 'size'))],
        ['volumeAccessMode', stringAt(pvc, 'volumeAccessMode') === ''],
      ] as const;
      for (const [field, absent] of missing)
        if (absent) issues.push(broken([...path, field], 'required', 'is required when create is true'));
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
  if (stringAt(restart, 'id') === '') issues.push(broken(['spec', 'restart', 'id'], 'required', 'is required'));
  const strategy = findObject(restart, 'strategy');
  const order = listAt(strategy, 'order').filter((name) => typeof name === 'string');
  const path = ['spec', 'restart', 'strategy', 'order'];
  if (order.length === 0) return issues;
  if (stringAt(strategy, 'type') === 'Parallel')
    return [...issues, broken(path, 'not_allowed', 'cannot be specified when strategy is parallel')];
  const names = new Set(order);
  const known = objectAt(spec, 'services');
  if (names.size !== order.length) issues.push(broken(path, 'duplicate', 'must be unique'));
  if (names.size !== Object.keys(known).length)
    issues.push(broken(path, 'incomplete', 'must have the same number of unique services as the deployment'));
  for (const name of names) {
    if (Object.hasOwn(known, name)) continue;
    const message = `unknown service: ${name}`;
    issues.push(
      worded([...path, order.indexOf(name)], 'unknown_service', `spec.restart.strategy.order contains ${message}`, message),
    );
  }
  return issues;
}

function checkServices(object: JsonObject, { thorough, apiGroups }: AdmissionContext): readonly AdmissionIssue[] {
  const issues: AdmissionIssue[] = [];
  for (const [key, service] of services(object)) {
    const path = ['spec', 'services', key];
    if (isObject(service)) issues.push(...validateComponent({ spec: service, path, apiGroups }, thorough));
    else issues.push(broken(path, 'null', 'must be an object'));
    if (issues.length > 0 && !thorough) break;
  }
  return issues;
}

function validate({ object }: AdmissionRequest, context: AdmissionContext): AdmissionVerdict {
  if (services(object).length === 0)
    return { issues: [broken(['spec', 'services'], 'required', 'must have at least one service')], warnings: [] };
  const issues: AdmissionIssue[] = [];
  for (const check of [checkPvcs, checkRestart, checkServices]) {
    issues.push(...check(object, context));
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

/** Services present before and after. */
function kept(object: JsonObject, oldObject: JsonObject): readonly (readonly [string, Json, Json])[] {
  const before = new Map(services(oldObject));
  return services(object).flatMap(([key, after]) => {
    const was = before.get(key);
    return was === undefined ? [] : [[key, was, after] as const];
  });
}

function validateUpdate({ object, oldObject = {}, user }: AdmissionRequest, { thorough }: AdmissionContext): AdmissionVerdict {
  const backend = keepBackend(objectAt(object, 'spec'), objectAt(oldObject, 'spec'));
  const flipped = kept(object, oldObject)
    .filter(([, was, is]) => nodeCount(was) > 1 !== nodeCount(is) > 1)
    .map(([key]) =>
      broken(
        ['spec', 'services', key],
        'immutable',
        'cannot change node topology (between single-node and multi-node) after creation',
      ),
    );
  const issues = [...backend.issues, ...flipped];
  if (issues.length === 0 || thorough) issues.push(...keepServices(object, oldObject));
  if (issues.length === 0 || thorough) issues.push(...keepReplicas(user, kept(object, oldObject)));
  return { issues, warnings: backend.warnings };
}

function keepServices(object: JsonObject, oldObject: JsonObject): readonly AdmissionIssue[] {
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
  return [worded(['spec', 'services'], 'immutable', text)];
}

/** Rules of a DynamoGraphDeployment. */
export const graphDeployment: AdmissionRules = { validate, validateUpdate };
