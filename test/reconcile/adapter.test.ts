import { describe, expect, test } from 'vitest';
import { objectAt, valueAt, type JsonObject } from '../../lib/json/index.ts';
import { graphOf, platformStore, resourceKey, settle } from './cluster.ts';
import { decide, pass } from './shell.ts';
import { Refused, type Store } from './store.ts';

const key = resourceKey('ScalingAdapter', 'g-decode');
const graphKey = resourceKey('Deployment', 'g');

function adapterOf(replicas: number, service = 'decode'): JsonObject {
  return {
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeploymentScalingAdapter',
    metadata: { name: 'g-decode', namespace: 'demo' },
    spec: { replicas, dgdRef: { name: 'g', serviceName: service } },
  };
}

function storeWith(adapter: JsonObject, graph?: JsonObject): Store {
  const store = platformStore();
  if (graph) store.create(graph);
  store.create(adapter);
  return store;
}

const now = { now: '2026-05-01T10:00:00.123Z' };

test('gives its replicas to the graph with a patch of one field', () => {
  const store = storeWith(adapterOf(5), graphOf('g'));
  const { writes, events } = pass(store, key, now);
  expect(writes.at(-1)).toMatchObject({
    verb: 'patch',
    patch: [{ op: 'test' }, { op: 'add', path: '/spec/services/decode/replicas', value: 5 }],
  });
  expect(events).toEqual([{ type: 'Normal', reason: 'Scaled', message: 'Scaled service decode from 1 to 5 replicas' }]);
  expect(store.get(key)?.['status']).toEqual({
    replicas: 5,
    selector: 'nvidia.com/dynamo-graph-deployment-name=g,nvidia.com/dynamo-component=decode',
    lastScaleTime: '2026-05-01T10:00:00Z',
  });
  expect(pass(store, key, now).writes).toEqual([]);
});

test('writes no graph whose replicas are the same; unset means 1', () => {
  const store = storeWith(adapterOf(1), graphOf('g', { services: { decode: { componentType: 'worker' } } }));
  expect(pass(store, key).writes.map(({ verb }) => verb)).toEqual(['status']);
  const unset = storeWith(adapterOf(4), graphOf('g', { services: { decode: { componentType: 'worker' } } }));
  pass(unset, key);
  expect(valueAt(unset.get(graphKey), 'spec', 'services', 'decode', 'replicas')).toBe(4);
});

test('leaves zero replicas out of the status, as the original does', () => {
  const store = storeWith(adapterOf(0), graphOf('g'));
  pass(store, key);
  expect(valueAt(store.get(key), 'status', 'replicas')).toBeUndefined();
  expect(pass(store, key).writes).toEqual([]);
});

test('fails when the graph or its service is missing', () => {
  expect(decide(storeWith(adapterOf(5)), key)).toMatchObject({
    steps: [],
    error: 'DynamoGraphDeployment.nvidia.com "g" not found',
  });
  expect(decide(storeWith(adapterOf(5, 'other'), graphOf('g')), key)).toMatchObject({
    steps: [],
    error: 'service other not found in DGD',
  });
});

test('does nothing while it is being deleted', () => {
  const store = storeWith(
    { ...adapterOf(5), metadata: { name: 'g-decode', namespace: 'demo', finalizers: ['x'] } },
    graphOf('g'),
  );
  store.delete(key);
  expect(decide(store, key)).toMatchObject({ steps: [], events: [] });
});

test('says so when the graph refuses, and takes the moment of scaling back', () => {
  const store = storeWith(adapterOf(5), graphOf('g'));
  const refuse = new Refused(403, 'Forbidden', 'no');
  const result = pass(store, key, { ...now, intercept: (write) => (write.verb === 'patch' ? refuse : undefined) });
  expect(result).toMatchObject({
    error: 'no',
    events: [{ type: 'Warning', reason: 'UpdateFailed', message: 'Failed to update DGD g: no' }],
  });
  expect(valueAt(store.get(key), 'status', 'lastScaleTime')).toBeUndefined();
});

test('escapes a service key in the path of its patch', () => {
  const graph = graphOf('g', { services: { 'a/b~c': { componentType: 'worker', replicas: 1 } } });
  const store = storeWith(adapterOf(2, 'a/b~c'), graph);
  pass(store, key);
  expect(valueAt(store.get(graphKey), 'spec', 'services', 'a/b~c', 'replicas')).toBe(2);
});

const scaled = (replicas: number, enabled: boolean): JsonObject => ({
  services: { decode: { componentType: 'worker', replicas, scalingAdapter: { enabled } } },
});

test('a graph makes an adapter for a service that asks for one, and never writes its replicas again', () => {
  const store = platformStore();
  store.create(graphOf('g', scaled(3, true)));
  settle(store);
  expect(valueAt(store.get(key), 'spec', 'replicas')).toBe(3);
  store.update(key, (adapter) => ({ ...adapter, spec: { ...(adapter['spec'] as JsonObject), replicas: 5 } }));
  const { writes } = pass(store, graphKey);
  expect(valueAt(store.get(key), 'spec', 'replicas')).toBe(5);
  expect(writes.filter(({ target }) => target.kind === key.kind)).toMatchObject([
    { verb: 'patch', patch: [{ op: 'test' }, { path: /last-applied-hash/ }, { path: /last-applied-generation/, value: '2' }] },
  ]);
  expect(valueAt(store.get(resourceKey('ComponentDeployment', 'g-decode')), 'spec', 'replicas')).toBe(5);
  settle(store);
  expect(valueAt(store.get(graphKey), 'spec', 'services', 'decode', 'replicas')).toBe(5);
});

test('a graph that says nothing of replicas renders nothing of them while its adapter says one', () => {
  const store = platformStore();
  store.create(graphOf('g', { services: { decode: { componentType: 'worker', scalingAdapter: { enabled: true } } } }));
  settle(store);
  expect(valueAt(store.get(key), 'spec', 'replicas')).toBe(1);
  const component = store.get({ ...key, kind: 'DynamoComponentDeployment' });
  expect(valueAt(component, 'spec', 'serviceName')).toBe('decode');
  expect(valueAt(component, 'spec', 'replicas')).toBeUndefined();
});

test('a crash between status and graph loses neither the scaling nor its moment', () => {
  const store = storeWith(adapterOf(5), graphOf('g'));
  pass(store, key, { ...now, intercept: (write) => (write.verb === 'patch' ? 'crash' : undefined) });
  expect(valueAt(store.get(graphKey), 'spec', 'services', 'decode', 'replicas')).toBe(1);
  pass(store, key, { now: '2026-05-01T10:00:09.000Z' });
  expect(valueAt(store.get(graphKey), 'spec', 'services', 'decode', 'replicas')).toBe(5);
  expect(valueAt(store.get(key), 'status', 'lastScaleTime')).toBe('2026-05-01T10:00:09Z');
});

test('a graph sets labels and reference of its adapter right and leaves the replicas alone', () => {
  const store = platformStore();
  store.create(graphOf('g', scaled(3, true)));
  settle(store);
  const before = store.get(key);
  store.update(key, (adapter) => ({
    ...adapter,
    metadata: { ...objectAt(adapter, 'metadata'), labels: {} },
    spec: { replicas: 7, dgdRef: { name: 'g', serviceName: 'other' } },
  }));
  pass(store, graphKey);
  expect(valueAt(store.get(key), 'metadata', 'labels')).toEqual(valueAt(before, 'metadata', 'labels'));
  expect(store.get(key)?.['spec']).toEqual({ replicas: 7, dgdRef: { name: 'g', serviceName: 'decode' } });
});

test('an edit of the graph never wins over the adapter', () => {
  const store = platformStore();
  store.create(graphOf('g', scaled(3, true)));
  settle(store);
  store.patch(graphKey, [{ op: 'replace', path: '/spec/services/decode/replicas', value: 9 }]);
  settle(store);
  expect(valueAt(store.get(graphKey), 'spec', 'services', 'decode', 'replicas')).toBe(3);
  expect(valueAt(store.get(key), 'spec', 'replicas')).toBe(3);
});

test('an adapter goes when it is switched off or its service is removed', () => {
  const store = platformStore();
  store.create(graphOf('g', scaled(3, true)));
  settle(store);
  store.update(graphKey, (graph) => ({ ...graph, spec: scaled(3, false) }));
  expect(pass(store, graphKey).events.map(({ message }) => message)).toContain(
    'Deleted DynamoGraphDeploymentScalingAdapter g-decode',
  );
  expect(store.get(key)).toBeUndefined();
  store.update(graphKey, (graph) => ({ ...graph, spec: scaled(3, true) }));
  settle(store);
  store.update(graphKey, (graph) => ({ ...graph, spec: { services: { other: { componentType: 'worker', replicas: 1 } } } }));
  expect(pass(store, graphKey).events).toContainEqual({
    type: 'Normal',
    reason: 'AdapterDeleted',
    message: 'Deleted orphaned scaling adapter g-decode for removed service decode',
  });
  expect(store.get(key)).toBeUndefined();
});

describe('several adapters of one service', () => {
  const made = (name: string, replicas: number, more: JsonObject = {}): JsonObject => ({
    ...adapterOf(replicas),
    metadata: { name, namespace: 'demo', ...more },
  });
  const replicasOf = (store: Store): unknown => valueAt(store.get(graphKey), 'spec', 'services', 'decode', 'replicas');

  test('the graph’s own decides where it is switched on, and the other says so', () => {
    const store = platformStore();
    store.create(graphOf('g', scaled(3, true)));
    store.create(made('a-rival', 5));
    const { passes } = settle(store);
    expect(replicasOf(store)).toBe(3);
    expect(passes.flatMap(({ error }) => error ?? [])).toContain('service decode of DGD g is scaled by adapter g-decode');
    expect(store.get(resourceKey('ScalingAdapter', 'a-rival'))?.['status']).toBeUndefined();
  });

  test('the oldest decides where the graph has none', () => {
    const store = platformStore();
    store.create(graphOf('g', scaled(3, false)));
    store.create(made('b', 5));
    store.create(made('a', 7));
    store.update(resourceKey('ScalingAdapter', 'a'), (one) => ({
      ...one,
      metadata: { ...objectAt(one, 'metadata'), creationTimestamp: '2026-01-01T00:00:01Z' },
    }));
    settle(store);
    expect(replicasOf(store)).toBe(5);
    store.delete(resourceKey('ScalingAdapter', 'b'));
    settle(store);
    expect(replicasOf(store)).toBe(7);
  });

  test('the first by name decides among those of the same moment, and one that goes decides no more', () => {
    const store = platformStore();
    store.create(graphOf('g', scaled(3, false)));
    store.create(made('b', 5));
    store.create(made('a', 7, { finalizers: ['x'] }));
    settle(store);
    expect(replicasOf(store)).toBe(7);
    store.delete(resourceKey('ScalingAdapter', 'a'));
    settle(store);
    expect(replicasOf(store)).toBe(5);
  });
});
