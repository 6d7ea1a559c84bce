import * as fc from 'fast-check';
import { isObject, objectAt, stringAt, valueAt, type Json, type JsonObject } from '../../lib/json/index.ts';
import type { ObjectKey } from '../../lib/reconcile/index.ts';
import { platformStore, resourceKey, runWorkloads, settle } from './cluster.ts';
import { groveGroups, runGrove } from './grove.ts';
import type { PassOptions } from './shell.ts';
import { keyOf, type Store } from './store.ts';

/** A change somebody makes to a cluster. */
export type Edit =
  | { readonly edit: 'replicas'; readonly service: string; readonly replicas: number }
  | { readonly edit: 'scale'; readonly service: string; readonly replicas: number }
  | { readonly edit: 'adapter'; readonly service: string; readonly enabled: boolean }
  | { readonly edit: 'env'; readonly value: string }
  | { readonly edit: 'restart'; readonly id: string; readonly type: 'Parallel' | 'Sequential' }
  | { readonly edit: 'service'; readonly service: string; readonly present: boolean }
  | { readonly edit: 'discovery'; readonly backend: string }
  | { readonly edit: 'grove'; readonly enabled: boolean }
  | { readonly edit: 'deleteChild'; readonly place: number }
  | { readonly edit: 'editChild'; readonly place: number };

/** A cluster to try laws on. */
export interface World {
  readonly mode: 'component' | 'lws' | 'grove';
  readonly services: readonly {
    readonly name: string;
    readonly replicas: number;
    readonly adapter: boolean;
    readonly nodes: number;
  }[];
  readonly claim: boolean;
  readonly edits: readonly Edit[];
}

/** API groups by mode. */
const groups = { component: [], lws: ['leaderworkerset.x-k8s.io', 'scheduling.volcano.sh'], grove: groveGroups } as const;

/** The key of the graph of a world. */
export const graphKey = resourceKey('Deployment', 'g');

const serviceNames = ['Frontend', 'decode', 'prefill'];
const service = fc.constantFrom(...serviceNames);
const replicas = fc.integer({ min: 0, max: 3 });

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ edit: fc.constant('replicas' as const), service, replicas }),
  fc.record({ edit: fc.constant('scale' as const), service, replicas }),
  fc.record({ edit: fc.constant('adapter' as const), service, enabled: fc.boolean() }),
  fc.record({ edit: fc.constant('env' as const), value: fc.constantFrom('a', 'b') }),
  fc.record({
    edit: fc.constant('restart' as const),
    id: fc.constantFrom('r1', 'r2', 'r3'),
    type: fc.constantFrom('Parallel' as const, 'Sequential' as const),
  }),
  fc.record({ edit: fc.constant('service' as const), service: fc.constantFrom('prefill'), present: fc.boolean() }),
  fc.record({ edit: fc.constant('discovery' as const), backend: fc.constantFrom('etcd', 'kubernetes') }),
  fc.record({ edit: fc.constant('grove' as const), enabled: fc.boolean() }),
  fc.record({ edit: fc.constant('deleteChild' as const), place: fc.nat(30) }),
  fc.record({ edit: fc.constant('editChild' as const), place: fc.nat(30) }),
);

const one = (name: string, count: number, adapter = false, nodes = 1): World['services'][number] => ({
  name,
  replicas: count,
  adapter,
  nodes,
});

/** Graphs to begin with: few, so that what they converge to is worked out once. */
const beginnings: readonly World['services'][] = [
  [one('decode', 1)],
  [one('Frontend', 1), one('decode', 2, true)],
  [one('Frontend', 1), one('decode', 1, true, 2)],
  [one('Frontend', 1), one('decode', 0), one('prefill', 2, true)],
  [one('Frontend', 1), one('decode', 1), one('prefill', 1)],
];

/** Random clusters with random changes. */
export const worlds: fc.Arbitrary<World> = fc.record({
  mode: fc.constantFrom('component' as const, 'component' as const, 'lws' as const, 'grove' as const),
  services: fc.constantFrom(...beginnings),
  claim: fc.boolean(),
  edits: fc.array(edit, { maxLength: 4 }),
});

/** How passes are made in a world. */
export function optionsOf({ mode }: World): PassOptions {
  return { apiGroups: groups[mode], effectsSucceed: true };
}

/** Lets the workloads of a world move. */
export function move(store: Store): boolean {
  return [runWorkloads(store), runGrove(store)].includes(true);
}

function serviceSpec(name: string, count: number, adapter: boolean, nodes: number): JsonObject {
  const worker = {
    componentType: 'worker',
    resources: { limits: { gpu: '1' } },
    ...(nodes > 1 && { multinode: { nodeCount: nodes } }),
  };
  return {
    ...(name === 'Frontend' ? { componentType: 'frontend' } : worker),
    replicas: count,
    ...(adapter && { scalingAdapter: { enabled: true } }),
    extraPodSpec: { mainContainer: { image: 'i', command: ['python3', '-m', 'dynamo.vllm'], args: ['--model', 'm'] } },
  };
}

/** A world before its changes: converged. */
export function converged(world: World): Store {
  const store = begun(world);
  settle(store, optionsOf(world), move);
  return store;
}

/** A cluster in which the graph of a world was just created, among objects of others. */
export function begun(world: World): Store {
  const store = platformStore();
  const nodes = (wanted: number): number => (world.mode === 'component' ? 1 : wanted);
  const services = Object.fromEntries(
    world.services.map((one) => [one.name, serviceSpec(one.name, one.replicas, one.adapter, nodes(one.nodes))]),
  );
  const pvcs = [{ name: 'cache', create: true, size: '1Gi', storageClass: 's', volumeAccessMode: 'ReadWriteMany' }];
  store.create({
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeployment',
    metadata: { name: 'g', namespace: 'demo' },
    spec: { services, ...(world.claim && { pvcs }) },
  });
  seedForeign(store);
  return store;
}

/** Names of objects of others among those of the graph. */
export const foreignNames: ReadonlySet<string> = new Set(['theirs', 'other', 'g-decode-x', 'data']);

function seedForeign(store: Store): void {
  const metadata = (name: string): JsonObject => ({ name, namespace: 'demo' });
  const shop = store.create({ apiVersion: 'v1', kind: 'Shop', metadata: metadata('theirs') });
  const owner = { apiVersion: 'v1', kind: 'Shop', name: 'theirs', uid: stringAt(shop, 'metadata', 'uid'), controller: true };
  const labels = { 'nvidia.com/dynamo-graph-deployment-name': 'g' };
  store.create({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: metadata('other'), spec: { replicas: 1 } });
  store.create({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...metadata('g-decode-x'), ownerReferences: [owner], labels },
    spec: {},
  });
  store.create({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: metadata('data'), spec: {} });
}

/** Makes a change; one that makes no sense in the present cluster changes nothing. */
export function apply(store: Store, change: Edit): void {
  const graph = store.get(graphKey);
  if (graph === undefined) return;
  const services = objectAt(graph, 'spec', 'services');
  const setSpec = (spec: JsonObject): void =>
    void store.update(graphKey, (o) => ({ ...o, spec: { ...objectAt(o, 'spec'), ...spec } }));
  const setService = (name: string, fields: JsonObject): void => {
    if (isObject(services[name])) setSpec({ services: { ...services, [name]: { ...objectAt(services, name), ...fields } } });
  };
  const annotate = (key: string, value: string): void =>
    void store.update(graphKey, (o) => {
      const metadata = objectAt(o, 'metadata');
      return { ...o, metadata: { ...metadata, annotations: { ...objectAt(metadata, 'annotations'), [key]: value } } };
    });
  if (change.edit === 'replicas') setService(change.service, { replicas: change.replicas });
  if (change.edit === 'adapter') setService(change.service, { scalingAdapter: { enabled: change.enabled } });
  if (change.edit === 'env') setSpec({ envs: [{ name: 'A', value: change.value }] });
  if (change.edit === 'restart') setSpec({ restart: { id: change.id, strategy: { type: change.type } } });
  if (change.edit === 'discovery') annotate('nvidia.com/dynamo-discovery-backend', change.backend);
  if (change.edit === 'grove') annotate('nvidia.com/enable-grove', String(change.enabled));
  if (change.edit === 'scale') {
    const key = resourceKey('ScalingAdapter', `g-${change.service.toLowerCase()}`);
    if (store.get(key)) store.update(key, (o) => ({ ...o, spec: { ...objectAt(o, 'spec'), replicas: change.replicas } }));
  }
  if (change.edit === 'service') changeService(change.service, change.present, services, setSpec);
  if (change.edit === 'deleteChild' || change.edit === 'editChild') changeChild(store, change.edit, change.place);
}

function changeService(name: string, present: boolean, services: JsonObject, setSpec: (spec: JsonObject) => void): void {
  const { [name]: _removed, ...rest } = services;
  if (!present && Object.keys(rest).length > 0) setSpec({ services: rest });
  if (present && services[name] === undefined) setSpec({ services: { ...services, [name]: serviceSpec(name, 1, false, 1) } });
}

const untouched = new Set(['Shop', 'ClusterRole', 'DynamoGraphDeployment', 'Secret', 'PersistentVolumeClaim']);

function changeChild(store: Store, how: 'deleteChild' | 'editChild', place: number): void {
  const children = store.all().filter((object) => !untouched.has(keyOf(object).kind) && !foreignNames.has(keyOf(object).name));
  const child = children[place % Math.max(1, children.length)];
  if (child === undefined) return;
  const key: ObjectKey = keyOf(child);
  if (how === 'deleteChild') return store.delete(key);
  if (key.kind === 'Deployment') store.update(key, (o) => ({ ...o, spec: { ...objectAt(o, 'spec'), replicas: 9 } }));
}

const volatile = new Set(['resourceVersion', 'uid', 'generation', 'observedGeneration', 'nvidia.com/last-applied-generation']);
const times = new Set(['lastTransitionTime', 'lastScaleTime', 'creationTimestamp']);

/** What is left of a cluster when versions, generations and times are left out: what two ways to the same end must agree in. */
export function essence(store: Store): Readonly<Record<string, Json>> {
  const entries = store.all().map((object): [string, Json] => {
    const { kind, namespace, name } = keyOf(object);
    const scrubbed = scrubbedObjects.get(object) ?? scrub(object);
    scrubbedObjects.set(object, scrubbed);
    return [`${kind}/${namespace}/${name}`, scrubbed];
  });
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const scrubbedObjects = new WeakMap<JsonObject, Json>();

function scrub(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => scrub(item));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).flatMap(([key, member]): [string, Json][] => {
    if (member === undefined || volatile.has(key)) return [];
    return [[key, times.has(key) ? '(time)' : scrub(member)]];
  });
  return Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The replicas a graph asks of a service. */
export function replicasOf(store: Store, name: string): number {
  return Number(valueAt(store.get(graphKey), 'spec', 'services', name, 'replicas') ?? 1);
}
