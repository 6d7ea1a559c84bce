import { findNumber, type Json, type JsonObject } from '../../lib/json/index.ts';
import type { ObjectKey } from '../../lib/reconcile/index.ts';
import { pass, type PassOptions, type PassResult } from './shell.ts';
import { generationOf, keyOf, Store, versionOf } from './store.ts';

const dynamo = 'nvidia.com/v1alpha1';

/** A graph of three services as the recordings have it. */
export function graphOf(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  const image = 'nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.9.0';
  const worker = (subComponentType: string, ...args: readonly string[]): JsonObject => ({
    componentType: 'worker',
    subComponentType,
    replicas: 1,
    resources: { limits: { gpu: '1' } },
    extraPodSpec: {
      mainContainer: { image, command: ['python3', '-m', 'dynamo.vllm'], args: ['--model', 'Qwen/Qwen3-0.6B', ...args] },
    },
  });
  const services = {
    Frontend: { componentType: 'frontend', replicas: 1, extraPodSpec: { mainContainer: { image } } },
    prefill: worker('prefill', '--is-prefill-worker'),
    decode: worker('decode'),
  };
  return {
    apiVersion: dynamo,
    kind: 'DynamoGraphDeployment',
    metadata: { name, namespace: 'demo', ...metadata },
    spec: { services, ...spec },
  };
}

/** A component on its own. */
export function componentOf(name: string, spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: dynamo,
    kind: 'DynamoComponentDeployment',
    metadata: { name, namespace: 'demo' },
    spec: {
      backendFramework: 'vllm',
      serviceName: 'Solo',
      dynamoNamespace: `demo-${name}`,
      componentType: 'worker',
      replicas: 1,
      resources: { limits: { gpu: '1' } },
      extraPodSpec: { mainContainer: { image: 'i', command: ['python3', '-m', 'dynamo.vllm'], args: ['--model', 'm'] } },
      ...spec,
    },
  };
}

/** The key of one of our resources in the namespace of the tests. */
export function resourceKey(kind: 'Deployment' | 'ComponentDeployment' | 'ScalingAdapter', name: string): ObjectKey {
  const kinds = {
    Deployment: 'DynamoGraphDeployment',
    ComponentDeployment: 'DynamoComponentDeployment',
    ScalingAdapter: 'DynamoGraphDeploymentScalingAdapter',
  } as const;
  return { apiVersion: dynamo, kind: kinds[kind], namespace: 'demo', name };
}

/** A store with what the platform's chart installs. */
export function platformStore(store = new Store()): Store {
  for (const name of ['planner', 'epp'])
    store.create({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name } });
  store.create({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'mpi-run-ssh-secret', namespace: 'dynamo-system' },
    type: 'Opaque',
    data: { 'private.key': 'eA==' },
  });
  return store;
}

const order = ['DynamoGraphDeploymentScalingAdapter', 'DynamoGraphDeployment', 'DynamoComponentDeployment'];

/** Resources of the operator in a store. */
export function resourcesIn(store: Store): readonly JsonObject[] {
  return store
    .all()
    .filter((object) => order.includes(keyOf(object).kind))
    .toSorted((a, b) => order.indexOf(keyOf(a).kind) - order.indexOf(keyOf(b).kind));
}

/** What happened while a cluster came to rest. */
export interface Settled {
  readonly passes: readonly (PassResult & { readonly of: ObjectKey })[];
}

/** Makes passes over all resources, and lets workloads move, until nothing is written any more. */
export function settle(store: Store, options: PassOptions = {}, workloads: (store: Store) => boolean = runWorkloads): Settled {
  const passes: (PassResult & { readonly of: ObjectKey })[] = [];
  const last = new Map<string, { readonly resource: JsonObject; readonly result: PassResult }>();
  for (let round = 0; round < 60; round++) {
    let wrote = false;
    for (const resource of resourcesIn(store)) {
      const of = keyOf(resource);
      const place = `${of.kind}/${of.name}`;
      const before = last.get(place);
      if (before && isQuiet(store, of, before)) continue;
      const result = pass(store, of, { ...options, ...(before && { expected: before.result.read.keys() }) });
      last.set(place, { resource, result });
      passes.push({ ...result, of });
      wrote ||= result.writes.length > 0;
    }
    const collected = store.collect();
    const moved = workloads(store);
    if (!wrote && !collected && !moved) return { passes };
  }
  throw new Error('the cluster does not come to rest');
}

/** Whether nothing that the last pass read has changed since, and that pass wrote nothing: the next one would do the same. */
function isQuiet(
  store: Store,
  key: ObjectKey,
  { resource, result }: { readonly resource: JsonObject; readonly result: PassResult },
): boolean {
  if (result.writes.length > 0 || result.ended !== 'done' || store.get(key) !== resource) return false;
  for (const [lookup, told] of result.read) {
    const now = store.answer(lookup);
    const same = Array.isArray(told) && Array.isArray(now) ? sameItems(told, now) : told === now;
    if (!same) return false;
  }
  return true;
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

/** Lets every Deployment and LeaderWorkerSet reach its spec; whether any moved. */
export function runWorkloads(store: Store): boolean {
  let moved = false;
  for (const object of store.all()) {
    const { kind } = keyOf(object);
    if (kind !== 'Deployment' && kind !== 'LeaderWorkerSet') continue;
    moved = setStatus(store, object, readyStatus(object)) || moved;
  }
  return moved;
}

/** The status of a workload that runs what its spec asks for. */
export function readyStatus(object: JsonObject): JsonObject {
  const replicas = findNumber(object, 'spec', 'replicas') ?? 1;
  const observedGeneration = generationOf(object);
  const conditions: Json = [{ type: 'Available', status: 'True' }];
  return {
    observedGeneration,
    replicas,
    updatedReplicas: replicas,
    readyReplicas: replicas,
    availableReplicas: replicas,
    conditions,
  };
}

/** Writes the status of an object as its own controller would. */
export function setStatus(store: Store, object: JsonObject, status: JsonObject): boolean {
  const before = store.get(keyOf(object)) ?? object;
  const after = store.status({ ...before, status }, versionOf(before));
  return versionOf(after) !== versionOf(before);
}
