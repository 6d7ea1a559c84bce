import { describe, expect, test } from 'vitest';
import { listAt, objectAt, stringAt, valueAt, type JsonObject } from '../../lib/json/index.ts';
import type { ObjectKey } from '../../lib/reconcile/index.ts';
import { componentOf, graphOf, platformStore, resourceKey, runWorkloads, settle } from './cluster.ts';
import { groveGroups, runGrove } from './grove.ts';
import { config, pass, type PassOptions } from './shell.ts';
import { keyOf, type Store } from './store.ts';

const istio = 'networking.istio.io';
const gateway = { ...config, virtualServiceGateway: 'istio-system/gateway' };
const on: JsonObject = {
  enabled: true,
  host: 'x',
  ingressControllerClassName: 'nginx',
  useVirtualService: true,
  virtualServiceGateway: 'istio-system/gateway',
};

const move = (store: Store): boolean => [runGrove(store), runWorkloads(store)].includes(true);

function names(store: Store, kind: string): readonly string[] {
  return store
    .all()
    .filter((object) => keyOf(object).kind === kind && keyOf(object).namespace === 'demo')
    .map((object) => keyOf(object).name)
    .toSorted();
}

function changeSpec(store: Store, key: ObjectKey, change: JsonObject): void {
  store.update(key, (object) => ({ ...object, spec: { ...objectAt(object, 'spec'), ...change } }));
}

/** A resource that exposes a service, and how its ingress is changed. */
interface Exposed {
  readonly what: string;
  readonly apiGroups: readonly string[];
  readonly resource: JsonObject;
  /** What Ingress and VirtualService are called, and who tells of them. */
  readonly child: string;
  readonly teller: ObjectKey;
  readonly change: (store: Store, ingress: JsonObject) => void;
}

const frontend = (ingress: JsonObject): JsonObject => ({
  services: { Frontend: { componentType: 'frontend', replicas: 1, ingress, extraPodSpec: { mainContainer: { image: 'i' } } } },
});
const worker: JsonObject = { componentType: 'worker', replicas: 1, extraPodSpec: { mainContainer: { image: 'i' } } };
const graphKey = resourceKey('Deployment', 'g');
const changeGraph = (store: Store, ingress: JsonObject): void => changeSpec(store, graphKey, frontend(ingress));

const exposed: readonly Exposed[] = [
  {
    what: 'a component on its own',
    apiGroups: [istio],
    resource: componentOf('solo', { ingress: on }),
    child: 'solo',
    teller: resourceKey('ComponentDeployment', 'solo'),
    change: (store, ingress) => changeSpec(store, resourceKey('ComponentDeployment', 'solo'), { ingress }),
  },
  {
    what: 'a component of a graph',
    apiGroups: [istio],
    resource: graphOf('g', frontend(on)),
    child: 'g-frontend',
    teller: resourceKey('ComponentDeployment', 'g-frontend'),
    change: changeGraph,
  },
  {
    what: 'a graph on Grove',
    apiGroups: [istio, ...groveGroups],
    resource: graphOf('g', frontend(on)),
    child: 'g-frontend',
    teller: graphKey,
    change: changeGraph,
  },
];

describe.each(exposed)('of $what', ({ apiGroups, resource, child, teller, change }) => {
  const options: PassOptions = { apiGroups, config: gateway };
  const settled = (): Store => {
    const store = platformStore();
    store.create(resource);
    settle(store, options, move);
    expect([names(store, 'Ingress'), names(store, 'VirtualService')]).toEqual([[child], [child]]);
    return store;
  };
  const switched = (store: Store, ingress: JsonObject) => {
    change(store, ingress);
    const { passes } = settle(store, options, move);
    const events = passes.filter(({ of }) => of.kind === teller.kind).flatMap((one) => one.events.map(({ message }) => message));
    return { ingresses: names(store, 'Ingress'), virtualServices: names(store, 'VirtualService'), events };
  };

  test('Ingress and VirtualService go when they are switched off, and it is told', () => {
    const off = switched(settled(), { ...on, enabled: false });
    expect(off).toMatchObject({ ingresses: [], virtualServices: [] });
    expect(off.events).toEqual(expect.arrayContaining([`Deleted Ingress ${child}`, `Deleted VirtualService ${child}`]));
  });

  test('only the Ingress goes with its class, only the VirtualService with its switch', () => {
    const { ingressControllerClassName: _class, ...classless } = on;
    expect(switched(settled(), classless)).toMatchObject({ ingresses: [], virtualServices: [child] });
    expect(switched(settled(), { ...on, useVirtualService: false })).toMatchObject({ ingresses: [child], virtualServices: [] });
  });

  test('those of somebody else stay, whatever is switched off', () => {
    const store = settled();
    const theirs = { apiVersion: 'v1', kind: 'Shop', name: 'theirs', uid: 'x', controller: true };
    store.create({ apiVersion: 'v1', kind: 'Shop', metadata: { name: 'theirs', namespace: 'demo' } });
    const uid = stringAt(store.get({ apiVersion: 'v1', kind: 'Shop', namespace: 'demo', name: 'theirs' }), 'metadata', 'uid');
    for (const object of store.all().filter((one) => ['Ingress', 'VirtualService'].includes(keyOf(one).kind)))
      store.update(keyOf(object), (one) => ({
        ...one,
        metadata: { ...objectAt(one, 'metadata'), ownerReferences: [{ ...theirs, uid }] },
      }));
    expect(switched(store, { ...on, enabled: false })).toMatchObject({ ingresses: [child], virtualServices: [child] });
  });
});

test('an Ingress that is switched off on Grove goes although the graph is not ready', () => {
  const store = platformStore();
  store.create(graphOf('g', frontend(on)));
  const options = { apiGroups: groveGroups };
  settle(store, options, () => false);
  expect(names(store, 'Ingress')).toEqual(['g-frontend']);
  changeGraph(store, { ...on, enabled: false });
  settle(store, options, () => false);
  expect(valueAt(store.get(graphKey), 'status', 'state')).toBe('pending');
  expect(names(store, 'Ingress')).toEqual([]);
});

test('Services of removed services go on Grove once the others are ready', () => {
  const store = platformStore();
  store.create(graphOf('g'));
  const options = { apiGroups: groveGroups };
  settle(store, options, runGrove);
  expect(names(store, 'Service')).toEqual(['g-decode', 'g-frontend', 'g-prefill']);
  const { prefill: _removed, ...services } = objectAt(store.get(graphKey), 'spec', 'services');
  changeSpec(store, graphKey, { services });
  pass(store, graphKey, options);
  expect(names(store, 'Service')).toContain('g-prefill');
  const { passes } = settle(store, options, runGrove);
  expect(names(store, 'Service')).toEqual(['g-decode', 'g-frontend']);
  expect(passes.flatMap(({ events }) => events.map(({ message }) => message))).toContain('Deleted Service g-prefill');
});

describe('the Service of a base model', () => {
  const [a, b] = [resourceKey('ComponentDeployment', 'a'), resourceKey('ComponentDeployment', 'b')];
  const model = (store: Store): JsonObject | undefined =>
    store
      .all()
      .find(
        (object) =>
          keyOf(object).name.startsWith('dynamo-model-') &&
          stringAt(object, 'metadata', 'annotations', 'nvidia.com/dynamo-base-model') === 'm1',
      );
  const owners = (store: Store): readonly unknown[] =>
    listAt(model(store), 'metadata', 'ownerReferences').map((owner) => [stringAt(owner, 'name'), valueAt(owner, 'controller')]);

  function shared(): Store {
    const store = platformStore();
    for (const name of ['a', 'b']) store.create(componentOf(name, { modelRef: { name: 'm1' } }));
    settle(store);
    expect(owners(store)).toEqual([
      ['a', true],
      ['b', undefined],
    ]);
    return store;
  }

  test('is let go by a component that shared it and now serves another model', () => {
    const store = shared();
    changeSpec(store, b, { modelRef: { name: 'm2' } });
    settle(store);
    expect(owners(store)).toEqual([['a', true]]);
    store.delete(a);
    settle(store);
    expect(model(store)).toBeUndefined();
  });

  test('is taken over by the others when the one that controls it serves another model', () => {
    const store = shared();
    changeSpec(store, a, { modelRef: { name: 'm2' } });
    settle(store);
    expect(owners(store)).toEqual([['b', true]]);
    changeSpec(store, b, { modelRef: { name: 'm2' } });
    settle(store);
    expect(model(store)).toBeUndefined();
  });

  test('is let go by a graph on Grove that shared it', () => {
    const store = platformStore();
    store.create(componentOf('a', { modelRef: { name: 'm1' } }));
    settle(store);
    const worker = { componentType: 'worker', replicas: 1, extraPodSpec: { mainContainer: { image: 'i' } } };
    store.create(graphOf('g', { services: { decode: { ...worker, modelRef: { name: 'm1' } } } }));
    const options = { apiGroups: groveGroups };
    settle(store, options, move);
    expect(owners(store)).toEqual([
      ['a', true],
      ['g', undefined],
    ]);
    changeSpec(store, graphKey, { services: { decode: worker } });
    settle(store, options, move);
    expect(owners(store)).toEqual([['a', true]]);
  });

  test('stays with another controller of that name', () => {
    const store = platformStore();
    const owner = { apiVersion: 'v1', kind: 'Shop', name: 'theirs', uid: 'x', controller: true };
    store.create(componentOf('a', { modelRef: { name: 'm1' } }));
    const probe = store.copy();
    settle(probe);
    const { name } = keyOf(model(probe) ?? {});
    store.create({ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: 'demo', ownerReferences: [owner] } });
    expect(pass(store, a).error).toContain('is controlled by Shop "theirs"');
  });
});

test('an adapter that is being deleted is not deleted again', () => {
  const store = platformStore();
  store.create(graphOf('g', { services: { decode: { ...worker, scalingAdapter: { enabled: true } } } }));
  settle(store, {}, runWorkloads);
  const adapter = resourceKey('ScalingAdapter', 'g-decode');
  store.update(adapter, (live) => ({ ...live, metadata: { ...objectAt(live, 'metadata'), finalizers: ['example.com/wait'] } }));
  changeSpec(store, graphKey, { services: { decode: worker } });
  const deletions = () => pass(store, graphKey).writes.filter(({ verb }) => verb === 'delete');
  expect(deletions()).toMatchObject([{ target: adapter }]);
  expect(stringAt(store.get(adapter), 'metadata', 'deletionTimestamp')).not.toBe('');
  expect(deletions()).toEqual([]);
});
