import { findNumber, isObject, listAt, objectAt, type Json, type JsonObject } from '../../lib/json/index.ts';
import type { ObjectKey } from '../../lib/reconcile/index.ts';
import { keyOf, Refused, Store } from './store.ts';

/**
 * A store with the CRDs and webhooks of Grove 0.1.0-alpha.3. They fill defaults in, of which a few stand for all, and refuse to create an invalid
 * PodCliqueSet and to update one that is invalid already.
 */
export class GroveStore extends Store {
  override create(object: JsonObject): JsonObject {
    if (!isSet(object)) return super.create(object);
    const filled = withDefaults(object);
    validate(filled);
    return super.create(filled);
  }

  override update(key: ObjectKey, change: (object: JsonObject) => JsonObject): JsonObject {
    const before = this.get(key);
    if (before === undefined || !isSet(before)) return super.update(key, change);
    return super.update(key, (live) => {
      const filled = withDefaults(change(live));
      validate(before);
      return filled;
    });
  }
}

function isSet(object: JsonObject): boolean {
  return keyOf(object).kind === 'PodCliqueSet';
}

function withDefaults(set: JsonObject): JsonObject {
  const spec = objectAt(set, 'spec');
  const template = objectAt(spec, 'template');
  const cliques = listAt(template, 'cliques').map(cliqueWithDefaults);
  return { ...set, spec: { ...spec, template: { terminationDelay: '4h0m0s', ...template, cliques } } };
}

function cliqueWithDefaults(clique: Json): Json {
  if (!isObject(clique)) return clique;
  const spec = objectAt(clique, 'spec');
  const given = objectAt(spec, 'podSpec');
  const containers = listAt(given, 'containers').map(containerWithDefaults);
  const podSpec = { restartPolicy: 'Always', terminationGracePeriodSeconds: 30, ...given, containers };
  return { ...clique, spec: { ...spec, replicas: findNumber(spec, 'replicas') || 1, podSpec } };
}

function containerWithDefaults(container: Json): Json {
  if (!isObject(container)) return container;
  const ports = listAt(container, 'ports').map((port) => (isObject(port) ? { protocol: 'TCP', ...port } : port));
  return { ...container, ...(ports.length > 0 && { ports }) };
}

function validate(set: JsonObject): void {
  const groups = listAt(objectAt(set, 'spec', 'template'), 'podCliqueScalingGroups');
  if (groups.every((group) => (findNumber(group, 'replicas') ?? 1) > 0)) return;
  const webhook = 'admission webhook "pcs.validating.webhooks.grove.io" denied the request';
  throw new Refused(
    403,
    'Forbidden',
    `${webhook}: spec.template.podCliqueScalingGroups.replicas: Invalid value: 0: must be greater than 0`,
  );
}
