import { isEqual, listAt, objectAt, objectsAt, stringAt, findNumber, type Json, type JsonObject } from '../../lib/json/index.ts';
import {
  adapterIndex,
  adaptersOf,
  lookupKey,
  projectSecret,
  scaledServiceIndex,
  scaledServiceOf,
  type Lookup,
  type ObjectKey,
  type PatchOperation,
} from '../../lib/reconcile/index.ts';
import { applyPatch, PatchTestFailed } from './json-patch.ts';

/** A refusal, as the API server answers it. */
export class Refused extends Error {
  readonly status: number;
  readonly reason: string;
  constructor(status: number, reason: string, message: string) {
    super(message);
    this.status = status;
    this.reason = reason;
  }
}

const indexes: Readonly<Record<string, (object: JsonObject) => readonly string[]>> = {
  [adapterIndex]: adaptersOf,
  [scaledServiceIndex]: (adapter) => [scaledServiceOf(adapter)],
};

/** Kinds that count their generations. */
const counted = new Set([
  'DynamoModel',
  'DynamoGraphDeploymentRequest',
  'DynamoGraphDeployment',
  'DynamoComponentDeployment',
  'DynamoGraphDeploymentScalingAdapter',
  'Deployment',
  'LeaderWorkerSet',
  'PodGroup',
  'PodCliqueSet',
  'PodClique',
  'PodCliqueScalingGroup',
  'Ingress',
  'InferencePool',
]);

/** Kinds whose status is written apart. */
const withStatus = new Set([
  'DynamoModel',
  'DynamoGraphDeploymentRequest',
  'DynamoGraphDeployment',
  'DynamoComponentDeployment',
  'DynamoGraphDeploymentScalingAdapter',
  'Deployment',
  'LeaderWorkerSet',
  'PodCliqueSet',
  'PodClique',
  'PodCliqueScalingGroup',
]);

/**
 * A small model of the API server: versions and their conflicts, generations, sub-resources, finalizers and the deletion of what has lost
 * its owners. test/cluster/store.test.ts holds it against the real one.
 */
export class Store {
  readonly #objects = new Map<string, JsonObject>();
  #version = 0;
  #uid = 0;

  get(key: ObjectKey): JsonObject | undefined {
    return this.#objects.get(path(key));
  }

  all(): readonly JsonObject[] {
    return [...this.#objects.values()];
  }

  create(object: JsonObject): JsonObject {
    const key = keyOf(object);
    if (this.#objects.has(path(key))) throw new Refused(409, 'AlreadyExists', `${key.kind} "${key.name}" already exists`);
    const { status: _status, ...rest } = object;
    const metadata = {
      ...metaOf(object),
      uid: `uid-${++this.#uid}`,
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...(counted.has(key.kind) && { generation: 1 }),
    };
    return this.#put(key, { ...(withStatus.has(key.kind) ? rest : object), metadata });
  }

  /** Replaces the object itself; the status stays. */
  update(key: ObjectKey, change: (object: JsonObject) => JsonObject): JsonObject {
    const before = this.#expect(key);
    const changed = change(before);
    const { status: _status, ...rest } = changed;
    const after = withStatus.has(key.kind)
      ? { ...rest, ...(before['status'] !== undefined && { status: before['status'] }) }
      : changed;
    return this.#change(key, before, after);
  }

  patch(key: ObjectKey, operations: readonly PatchOperation[]): JsonObject {
    const before = this.#expect(key);
    try {
      return this.update(key, () => applyPatch(before, operations) as JsonObject);
    } catch (error) {
      if (error instanceof PatchTestFailed) throw new Refused(422, 'Invalid', error.message);
      throw error;
    }
  }

  status(object: JsonObject, resourceVersion: string): JsonObject {
    const key = keyOf(object);
    const before = this.#expect(key);
    this.#expectVersion(before, resourceVersion);
    return this.#change(key, before, { ...before, status: object['status'] ?? {} });
  }

  scale(key: ObjectKey, resourceVersion: string, replicas: number): JsonObject {
    const before = this.#expect(key);
    this.#expectVersion(before, resourceVersion);
    return this.#change(key, before, { ...before, spec: { ...objectAt(before, 'spec'), replicas } });
  }

  delete(key: ObjectKey, uid?: string): void {
    const before = this.#expect(key);
    if (uid !== undefined && uidOf(before) !== uid) throw new Refused(409, 'Conflict', `uid of ${key.name} differs`);
    if (finalizersOf(before).length === 0) this.#objects.delete(path(key));
    else if (metaOf(before)['deletionTimestamp'] === undefined)
      this.#change(key, before, {
        ...before,
        metadata: {
          ...metaOf(before),
          deletionTimestamp: '2026-01-01T00:00:00Z',
          ...(counted.has(key.kind) && { generation: generationOf(before) + 1 }),
        },
      });
  }

  /** What the garbage collector does: removes objects none of whose owners are left, and references to owners that are gone. */
  collect(): boolean {
    for (let round = 0; ; round++) {
      const uids = new Set(this.all().map((object) => uidOf(object)));
      const lost = this.all().filter((object) => ownersOf(object).some((owner) => !uids.has(stringAt(owner, 'uid'))));
      const doomed = lost.filter(
        (object) => metaOf(object)['deletionTimestamp'] === undefined || finalizersOf(object).length === 0,
      );
      if (doomed.length === 0) return round > 0;
      for (const object of doomed) {
        const left = ownersOf(object).filter((owner) => uids.has(stringAt(owner, 'uid')));
        if (left.length === 0) this.delete(keyOf(object));
        else this.update(keyOf(object), (o) => ({ ...o, metadata: { ...metaOf(o), ownerReferences: left } }));
      }
    }
  }

  /** Answers a look-up as a shell's cache does. */
  answer(lookup: Lookup): JsonObject | null | readonly JsonObject[] {
    if (lookup.question === 'get') {
      const found = this.get(lookup);
      return found === undefined ? null : shown(found);
    }
    const { select } = lookup;
    const beginning = path({ ...lookup, name: '' });
    return [...this.#objects]
      .filter(([at, object]) => {
        if (!at.startsWith(beginning)) return false;
        if ('secretType' in select) return object['type'] === select.secretType;
        if ('index' in select) return indexes[select.index]?.(object).includes(select.value) === true;
        if ('labels' in select)
          return Object.entries(select.labels).every(([name, value]) => stringAt(object, 'metadata', 'labels', name) === value);
        const [uid, controls] = 'controllerUid' in select ? [select.controllerUid, true] : [select.coOwnerUid, false];
        return ownersOf(object).some((owner) => (owner['controller'] === true) === controls && owner['uid'] === uid);
      })
      .map(([, object]) => shown(object));
  }

  /** An independent copy, for what-if questions. */
  copy(): Store {
    const copy = new Store();
    for (const [key, object] of this.#objects) copy.#objects.set(key, object);
    copy.#version = this.#version;
    copy.#uid = this.#uid;
    return copy;
  }

  #expect(key: ObjectKey): JsonObject {
    const found = this.#objects.get(path(key));
    if (found === undefined) throw new Refused(404, 'NotFound', `${key.kind} "${key.name}" not found`);
    return found;
  }

  #expectVersion(object: JsonObject, resourceVersion: string): void {
    if (versionOf(object) === resourceVersion) return;
    const text = 'the object has been modified; please apply your changes to the latest version and try again';
    throw new Refused(409, 'Conflict', `Operation cannot be fulfilled on ${keyOf(object).name}: ${text}`);
  }

  #change(key: ObjectKey, before: JsonObject, after: JsonObject): JsonObject {
    if (isEqual(before, after)) return before;
    const raised =
      counted.has(key.kind) &&
      (!isEqual(before['spec'], after['spec']) ||
        (key.kind === 'Deployment' && !isEqual(metaOf(before)['annotations'], metaOf(after)['annotations'])));
    const generation = generationOf(after) + (raised ? 1 : 0);
    const metadata = { ...metaOf(after), ...(counted.has(key.kind) && { generation }) };
    if (metaOf(after)['deletionTimestamp'] !== undefined && finalizersOf(after).length === 0) {
      this.#objects.delete(path(key));
      return after;
    }
    return this.#put(key, { ...after, metadata });
  }

  #put(key: ObjectKey, object: JsonObject): JsonObject {
    const metadata = { ...withoutEmpty(metaOf(object)), resourceVersion: String(++this.#version) };
    const stored = { ...object, metadata };
    this.#objects.set(path(key), stored);
    return stored;
  }
}

/** Where a snapshot keeps an object. */
function path({ apiVersion, kind, namespace, name }: ObjectKey): string {
  return lookupKey({ question: 'get', apiVersion, kind, namespace, name });
}

/** Which object this is. */
export function keyOf(object: JsonObject): ObjectKey {
  return {
    apiVersion: stringAt(object, 'apiVersion'),
    kind: stringAt(object, 'kind'),
    namespace: stringAt(object, 'metadata', 'namespace'),
    name: stringAt(object, 'metadata', 'name'),
  };
}

/** The version of an object, as writes must name it. */
export function versionOf(object: JsonObject): string {
  return stringAt(object, 'metadata', 'resourceVersion');
}

/** How often the spec of an object was changed. */
export function generationOf(object: JsonObject): number {
  return findNumber(object, 'metadata', 'generation') ?? 0;
}

function metaOf(object: JsonObject): JsonObject {
  return objectAt(object, 'metadata');
}

/** Maps and lists without members are not stored. */
function withoutEmpty(metadata: JsonObject): JsonObject {
  const isEmpty = (value: Json | undefined): boolean =>
    typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => !isEmpty(value)));
}

function uidOf(object: JsonObject): string {
  return stringAt(object, 'metadata', 'uid');
}

function ownersOf(object: JsonObject): readonly JsonObject[] {
  return objectsAt(object, 'metadata', 'ownerReferences');
}

function finalizersOf(object: JsonObject): readonly Json[] {
  return listAt(object, 'metadata', 'finalizers');
}

const projected = new WeakMap<JsonObject, JsonObject>();

function shown(object: JsonObject): JsonObject {
  if (object['kind'] !== 'Secret') return object;
  const projection = projected.get(object) ?? projectSecret(object);
  projected.set(object, projection);
  return projection;
}
