/** Objects of a deleted resource that the garbage collector has not removed yet, while a new resource has its name. */
import { describe, expect, test } from 'vitest';
import { objectAt, stringAt, valueAt, type JsonObject } from '../../lib/json/index.ts';
import { graphOf, platformStore, resourceKey, resourcesIn, runWorkloads, settle } from './cluster.ts';
import { groveGroups, runGrove } from './grove.ts';
import { pass, type PassOptions } from './shell.ts';
import type { Store } from './store.ts';
import { essence } from './world.ts';

const graphKey = resourceKey('Deployment', 'g');
const componentKey = resourceKey('ComponentDeployment', 'g-decode');
const adapterKey = resourceKey('ScalingAdapter', 'g-decode');
const worker: JsonObject = {
  componentType: 'worker',
  replicas: 1,
  scalingAdapter: { enabled: true },
  extraPodSpec: { mainContainer: { image: 'i' } },
};
const graph = graphOf('g', { services: { decode: worker } });
const onGrove: PassOptions = { apiGroups: groveGroups };
const move = (store: Store): boolean => [runGrove(store), runWorkloads(store)].includes(true);

function settled(options: PassOptions): Store {
  const store = platformStore();
  store.create(graph);
  settle(store, options, move);
  return store;
}

/** The graph is deleted and made again before anything it had is collected. */
function madeAgain(options: PassOptions): Store {
  const store = settled(options);
  store.delete(graphKey);
  pass(store, graphKey, options);
  expect(store.get(graphKey)).toBeUndefined();
  store.create(graph);
  return store;
}

function messages(store: Store): readonly string[] {
  return resourcesIn(store).flatMap((one) => {
    const found = valueAt(one, 'status', 'conditions');
    return Array.isArray(found) ? found.map((condition) => stringAt(condition, 'message')) : [];
  });
}

describe.each<[string, PassOptions]>([
  ['of components', {}],
  ['on Grove', onGrove],
])('a graph %s that is made again', (_where, options) => {
  test('waits for what the one before had, without failing', () => {
    const store = madeAgain(options);
    const first = pass(store, graphKey, options);
    expect(first.error).toBeUndefined();
    expect(first.events).toEqual([]);
    expect(valueAt(store.get(graphKey), 'status', 'state')).toBe('pending');
    const { passes } = settle(store, options, move);
    expect(passes.flatMap(({ error }) => error ?? [])).toEqual([]);
    expect(essence(store)).toEqual(essence(settled(options)));
  });

  test('is not restarted by what the one before had', () => {
    const store = madeAgain(options);
    store.update(graphKey, (one) => ({ ...one, spec: { ...objectAt(one, 'spec'), restart: { id: 'r' } } }));
    for (let count = 0; count < 3; count++) pass(store, graphKey, options);
    expect(valueAt(store.get(graphKey), 'status', 'restart')).toEqual({
      observedID: 'r',
      phase: 'Restarting',
      inProgress: ['decode'],
    });
  });

  test('keeps its own replicas, whatever the adapter of the one before says', () => {
    const store = settled(options);
    store.update(adapterKey, (one) => ({ ...one, spec: { ...objectAt(one, 'spec'), replicas: 5 } }));
    settle(store, options, move);
    store.delete(graphKey);
    pass(store, graphKey, options);
    store.create(graph);
    expect(pass(store, adapterKey, options).writes).toEqual([]);
    settle(store, options, move);
    expect(valueAt(store.get(graphKey), 'spec', 'services', 'decode', 'replicas')).toBe(1);
    expect(valueAt(store.get(adapterKey), 'spec', 'replicas')).toBe(1);
  });
});

test('a component that is made again waits for the Deployment and the Services of the one before', () => {
  const store = settled({});
  store.delete(componentKey);
  pass(store, componentKey);
  pass(store, graphKey);
  const first = pass(store, componentKey);
  expect(first.error).toBeUndefined();
  expect(first.events).toEqual([]);
  expect(first.writes.map(({ verb }) => verb)).toEqual(['status']);
  expect(messages(store)).toContain('Deployment is not ready');
  settle(store);
  expect(essence(store)).toEqual(essence(settled({})));
});

test('what a resource of another kind has is somebody else’s, whatever its name', () => {
  const store = platformStore();
  const { apiVersion, kind, name, namespace } = componentKey;
  const owner = { apiVersion: 'v1', kind: 'Shop', name: 'g', uid: 'x', controller: true };
  store.create({ apiVersion, kind, metadata: { name, namespace, ownerReferences: [owner] }, spec: {} });
  store.create(graph);
  expect(pass(store, graphKey).error).toContain('is controlled by Shop "g"');
});
