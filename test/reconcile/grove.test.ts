import { expect, test } from 'vitest';
import { listAt, objectAt, stringAt, valueAt, type JsonObject } from '../../lib/json/index.ts';
import { groveLabel, groveUnready } from '../../lib/reconcile/graph/grove-readiness.ts';
import { graphOf, platformStore, resourceKey, runWorkloads, setStatus, settle } from './cluster.ts';
import { groveGroups, runGrove } from './grove.ts';
import { aggregated, clique, key, message, options, set, settled } from './grove-life.ts';
import { config, decide, pass } from './shell.ts';
import { keyOf, Refused, type Store } from './store.ts';

function names(store: Store, kind: string): readonly string[] {
  return store
    .all()
    .filter((object) => keyOf(object).kind === kind)
    .map((object) => keyOf(object).name)
    .toSorted();
}

test('makes one PodCliqueSet and a Service a service; cliques that are not there yet count as missing', () => {
  const store = platformStore();
  store.create(graphOf('life'));
  const { writes, rounds } = pass(store, key, options);
  expect(writes.slice(-5).map(({ verb, target }) => `${verb} ${target.kind} ${target.name}`)).toEqual([
    'create PodCliqueSet life',
    'create Service life-frontend',
    'create Service life-decode',
    'create Service life-prefill',
    'status DynamoGraphDeployment life',
  ]);
  expect(rounds).toBe(1);
  expect(message(store)).toBe(
    'Resources not ready: life: podclique/life-0-frontend: resource not found; podclique/life-0-decode: resource not found; podclique/life-0-prefill: resource not found',
  );
  expect(valueAt(store.get(key), 'status', 'services', 'decode')).toEqual({
    componentKind: 'PodClique',
    componentName: 'life-0-decode',
    replicas: 0,
    updatedReplicas: 0,
    readyReplicas: 0,
  });
  settle(store, options, runGrove);
  expect(store.get(key)).toMatchObject({ status: { state: 'successful' } });
  expect(pass(store, key, options).writes).toEqual([]);
});

test('words what is not ready as the original does', () => {
  const live = (status: JsonObject, replicas = 2, generation = 1): JsonObject => ({
    metadata: { generation },
    spec: { replicas },
    status,
  });
  const ready = { observedGeneration: 1, readyReplicas: 2, availableReplicas: 2, updatedReplicas: 2, replicas: 2 };
  expect(groveUnready('PodClique', live(ready))).toBeUndefined();
  expect(groveUnready('PodClique', undefined)).toBe('resource not found');
  expect(groveUnready('PodClique', live({}))).toBe('observedGeneration is nil');
  expect(groveUnready('PodClique', live(ready, 2, 2))).toBe('spec not yet processed: generation=2, observedGeneration=1');
  expect(groveUnready('PodClique', live({ observedGeneration: 1 }, 0))).toBeUndefined();
  expect(groveUnready('PodClique', live({ ...ready, readyReplicas: 1 }))).toBe('desired=2, ready=1');
  expect(groveUnready('PodCliqueScalingGroup', live({ ...ready, availableReplicas: 1 }))).toBe('desired=2, available=1');
  expect(groveUnready('PodClique', live({ ...ready, updatedReplicas: 0 }))).toBe('desired=2, updated=0');
  expect(groveUnready('PodClique', live({ ...ready, replicas: 3 }))).toBe('performing rolling update: desired=2, replicas=3');
  expect(groveLabel('PodCliqueScalingGroup', 'x')).toBe('pcsg/x');
});

test('scales what Grove made, and knows that it is not ready then', () => {
  const store = settled();
  store.patch(key, [{ op: 'replace', path: '/spec/services/decode/replicas', value: 3 }]);
  const { writes } = pass(store, key, options);
  expect(writes.map(({ verb, target }) => `${verb} ${target.kind}`)).toEqual([
    'patch PodCliqueSet',
    'scale PodClique',
    'status DynamoGraphDeployment',
  ]);
  expect(message(store)).toBe(
    'Resources not ready: life: podclique/life-0-decode: spec not yet processed: generation=2, observedGeneration=1',
  );
  settle(store, options, runGrove);
  expect(valueAt(store.get(key), 'status', 'services', 'decode', 'readyReplicas')).toBe(3);
});

test('scales a clique to what its adapter asks for, before the adapter has written it into the graph', () => {
  const adapter = resourceKey('ScalingAdapter', 'life-decode');
  const store = settled();
  store.patch(key, [{ op: 'add', path: '/spec/services/decode/scalingAdapter', value: { enabled: true } }]);
  settle(store, options, runGrove);
  store.patch(adapter, [{ op: 'replace', path: '/spec/replicas', value: 4 }]);
  const scales = pass(store, key, options).writes.filter(({ verb }) => verb === 'scale');
  expect(scales).toMatchObject([{ target: clique('decode'), replicas: 4 }]);
});

test('does not scale the clique of a service with the name of a property of every object', () => {
  const { spec } = graphOf('life');
  const store = settled({ services: { constructor: objectAt(spec, 'services', 'decode') } });
  expect(pass(store, key, options).writes).toEqual([]);
});

test('is not ready while Grove has not seen a changed PodCliqueSet', () => {
  const store = settled();
  store.patch(key, [{ op: 'add', path: '/spec/envs', value: [{ name: 'A', value: 'b' }] }]);
  pass(store, key, options);
  expect(message(store)).toBe('Resources not ready: life: spec not yet processed: generation=2, observedGeneration=1');
  expect(pass(store, key, options).writes).toEqual([]);
});

test('is ready when all cliques are, although Grove never ends a roll-out beside a service without replicas', () => {
  const store = settled();
  store.patch(key, [{ op: 'add', path: '/spec/envs', value: [{ name: 'A', value: 'b' }] }]);
  pass(store, key, options);
  const behind = (hash: string, progress: JsonObject): void => {
    const live = store.get(set) ?? {};
    setStatus(store, live, { observedGeneration: 1, currentGenerationHash: hash, rollingUpdateProgress: progress });
    pass(store, key, options);
  };
  const begun = { updateStartedAt: '2026-01-01T00:00:00Z', updatedPodCliques: ['life-0-prefill'] };
  const hash = stringAt(store.get(clique('decode')), 'status', 'currentPodCliqueSetGenerationHash');
  behind(hash, { ...begun, updateEndedAt: '2026-01-01T00:00:00Z' });
  expect(message(store)).toContain('spec not yet processed');
  behind('another', begun);
  expect(message(store)).toContain('spec not yet processed');
  behind(hash, begun);
  expect(message(store)).toBe('All resources are ready');
  store.patch(key, [{ op: 'add', path: '/spec/envs', value: [{ name: 'A', value: 'c' }] }]);
  pass(store, key, options);
  expect(message(store)).toContain('spec not yet processed: generation=3, observedGeneration=1');
});

test('keeps the order of the live cliques', () => {
  const store = settled();
  const order = () => listAt(store.get(set), 'spec', 'template', 'cliques').map((one) => stringAt(one, 'name'));
  store.update(set, (live) => {
    const template = objectAt(live, 'spec', 'template');
    return {
      ...live,
      spec: { ...objectAt(live, 'spec'), template: { ...template, cliques: listAt(template, 'cliques').toReversed() } },
    };
  });
  const reversed = order();
  store.patch(key, [{ op: 'add', path: '/spec/envs', value: [{ name: 'A', value: 'b' }] }]);
  settle(store, options, runGrove);
  expect(order()).toEqual(reversed);
});

test('waits in a queue that exists, and fails without it', () => {
  const store = platformStore();
  store.create(graphOf('life'));
  const kai = { apiGroups: [...groveGroups, 'scheduling.run.ai'] };
  expect(decide(store, key, kai).error).toBe(
    "failed to reconcile Dynamo components deployments: failed to reconcile the Grove PodClique Set: failed to generate the Grove GangSet: failed to determine kai-scheduler queue: kai-scheduler queue validation failed: queue 'dynamo' not found in cluster. Ensure the queue exists before using kai-scheduler",
  );
  store.create({ apiVersion: 'scheduling.run.ai/v2', kind: 'Queue', metadata: { name: 'dynamo' } });
  expect(decide(store, key, kai).error).toBeUndefined();
});

test('tells a refused PodCliqueSet once, and keeps what is known of the services', () => {
  const store = settled();
  const services = valueAt(store.get(key), 'status', 'services');
  store.patch(key, [{ op: 'remove', path: '/spec/services/prefill' }]);
  const refuse = new Refused(403, 'Forbidden', 'admission webhook "pcs.validating" denied the request');
  const intercept = { ...options, intercept: ({ verb }: { readonly verb: string }) => (verb === 'patch' ? refuse : undefined) };
  expect(pass(store, key, intercept).events).toEqual([
    { type: 'Warning', reason: 'UpdatePodCliqueSet', message: `Failed to update PodCliqueSet life: ${refuse.message}` },
  ]);
  expect(message(store)).toBe(
    `failed to reconcile Dynamo components deployments: failed to reconcile the Grove PodClique Set: failed to sync the Grove GangSet: ${refuse.message}`,
  );
  expect(valueAt(store.get(key), 'status', 'services')).toEqual(services);
  expect(pass(store, key, intercept)).toMatchObject({ writes: [], events: [], error: message(store) });
});

test.each([
  ['Service', 'service', {}],
  ['Ingress', 'ingress', { enabled: true, host: 'life', ingressControllerClassName: 'nginx' }],
  ['VirtualService', 'virtual service', { enabled: true, host: 'life', useVirtualService: true, virtualServiceGateway: 'a/b' }],
])('names a refused %s', (kind, word, ingress) => {
  const store = platformStore();
  const frontend = { componentType: 'frontend', replicas: 1, ingress, extraPodSpec: { mainContainer: { image: 'i' } } };
  store.create(graphOf('life', { services: { Frontend: frontend } }));
  const { error } = pass(store, key, {
    apiGroups: [...groveGroups, 'networking.istio.io'],
    config: { ...config, virtualServiceGateway: 'a/b' },
    intercept: ({ target }) => (target.kind === kind ? new Refused(422, 'Invalid', 'no') : undefined),
  });
  expect(error).toMatch(new RegExp(`failed to sync the main component ${word}: no$`));
});

test('restarts services one after the other; a clique that has not followed its set is not done', () => {
  const store = settled();
  store.patch(key, [{ op: 'add', path: '/spec/restart', value: { id: 'r1' } }]);
  pass(store, key, options);
  const restart = () => valueAt(store.get(key), 'status', 'restart');
  expect(restart()).toEqual({ observedID: 'r1', phase: 'Restarting', inProgress: ['Frontend'] });
  const live = store.get(set) ?? {};
  setStatus(store, live, { observedGeneration: 2, currentGenerationHash: 'new' });
  pass(store, key, options);
  expect(restart()).toMatchObject({ inProgress: ['Frontend'] });
  const seen: unknown[] = [];
  settle(store, options, (one) => {
    seen.push(restart());
    return runGrove(one);
  });
  expect(restart()).toEqual({ observedID: 'r1', phase: 'Completed' });
  const steps = [...new Set(seen.map((one) => JSON.stringify(one)))];
  expect(steps).toEqual([
    '{"observedID":"r1","phase":"Restarting","inProgress":["Frontend"]}',
    '{"observedID":"r1","phase":"Restarting","inProgress":["decode"]}',
    '{"observedID":"r1","phase":"Restarting","inProgress":["prefill"]}',
    '{"observedID":"r1","phase":"Completed"}',
  ]);
  const tokens = listAt(store.get(set), 'spec', 'template', 'cliques').map((one) =>
    stringAt(one, 'annotations', 'nvidia.com/restartAt'),
  );
  expect(tokens).toEqual(['r1', 'r1', 'r1']);
});

test('a restart stands still while its PodCliqueSet is gone', () => {
  const store = settled({ restart: { id: 'r1' } });
  const restart = { observedID: 'r2', phase: 'Restarting', inProgress: ['decode'] };
  store.patch(key, [{ op: 'add', path: '/spec/restart/id', value: 'r2' }]);
  const graph = store.get(key) ?? {};
  setStatus(store, graph, { ...objectAt(graph, 'status'), restart });
  store.delete(set);
  pass(store, key, options);
  expect(valueAt(store.get(key), 'status', 'restart')).toEqual(restart);
});

test('services that say nothing of replicas run once', () => {
  const worker = { componentType: 'worker', extraPodSpec: { mainContainer: { image: 'i' } } };
  const store = settled({ services: { decode: worker }, restart: { id: 'r1' } });
  expect(store.get(key)).toMatchObject({ status: { state: 'successful', restart: { phase: 'Completed' } } });
  expect(valueAt(store.get(clique('decode')), 'spec', 'replicas')).toBe(1);
});

test('a service on several nodes is told as the group of its cliques', () => {
  const store = settled({ services: { aggregated }, restart: { id: 'r1' } });
  const told = () => valueAt(store.get(key), 'status', 'services', 'aggregated');
  const counts = { replicas: 2, updatedReplicas: 2, availableReplicas: 2 };
  expect(told()).toEqual({ componentKind: 'PodCliqueScalingGroup', componentName: 'life-0-aggregated', ...counts });
  const tokens = listAt(store.get(set), 'spec', 'template', 'cliques').map((one) => [
    stringAt(one, 'name'),
    stringAt(one, 'annotations', 'nvidia.com/restartAt'),
  ]);
  expect(tokens).toEqual([
    ['aggregated-ldr', 'r1'],
    ['aggregated-wkr', 'r1'],
  ]);
  const group = store.get({ ...set, kind: 'PodCliqueScalingGroup', name: 'life-0-aggregated' }) ?? {};
  setStatus(store, group, { ...objectAt(group, 'status'), availableReplicas: 1 });
  pass(store, key, options);
  expect(message(store)).toBe('Resources not ready: life: pcsg/life-0-aggregated: desired=2, available=1');
  expect(told()).toMatchObject({ availableReplicas: 1 });
});

test('a component leaves a Service to its graph that has moved to Grove and took it over', () => {
  const annotated = (grove: string) => (graph: JsonObject) => ({
    ...graph,
    metadata: { ...objectAt(graph, 'metadata'), annotations: { 'nvidia.com/enable-grove': grove } },
  });
  const service = { apiVersion: 'v1', kind: 'Service', namespace: 'demo', name: 'life-decode' };
  const component = resourceKey('ComponentDeployment', 'life-decode');
  const store = settled();
  const [owner] = listAt(store.get(service), 'metadata', 'ownerReferences');
  store.update(key, annotated('false'));
  settle(store, options, (one) => [runGrove(one), runWorkloads(one)].includes(true));
  expect(listAt(store.get(service), 'metadata', 'ownerReferences')).toMatchObject([{ kind: 'DynamoComponentDeployment' }]);
  store.patch(service, [{ op: 'replace', path: '/metadata/ownerReferences', value: [owner ?? null] }]);
  store.update(key, annotated('true'));
  expect(pass(store, component, options).writes).toEqual([]);
  store.update(key, annotated('false'));
  expect(pass(store, component, options).writes).toMatchObject([{ verb: 'patch', target: service }]);
});

test('moves to components and back; the old workloads go when the new ones are ready, Services are handed over', () => {
  const store = settled();
  const uids = () =>
    names(store, 'Service').map((name) =>
      stringAt(store.get({ apiVersion: 'v1', kind: 'Service', namespace: 'demo', name }), 'metadata', 'uid'),
    );
  const before = uids();
  const both = (one: Store): boolean => [runGrove(one), runWorkloads(one)].includes(true);
  store.update(key, (graph) => ({
    ...graph,
    metadata: { ...objectAt(graph, 'metadata'), annotations: { 'nvidia.com/enable-grove': 'False' } },
  }));
  pass(store, key, options);
  expect([names(store, 'PodCliqueSet'), names(store, 'DynamoComponentDeployment').length]).toEqual([['life'], 3]);
  settle(store, options, both);
  expect([names(store, 'PodCliqueSet'), names(store, 'DynamoComponentDeployment').length]).toEqual([[], 3]);
  expect(uids()).toEqual(expect.arrayContaining(before));
  const handed = uids();
  store.update(key, (graph) => ({ ...graph, metadata: { ...objectAt(graph, 'metadata'), annotations: {} } }));
  pass(store, key, options);
  expect([names(store, 'PodCliqueSet'), names(store, 'DynamoComponentDeployment').length]).toEqual([['life'], 3]);
  settle(store, options, both);
  expect([names(store, 'DynamoComponentDeployment'), names(store, 'Deployment')]).toEqual([[], []]);
  expect(names(store, 'Service')).toEqual(['life-decode', 'life-frontend', 'life-prefill']);
  expect(handed).toEqual(expect.arrayContaining(uids()));
});

test('cleans up in etcd itself, since there are no components to do it', () => {
  const store = settled({ services: { decode: { componentType: 'worker', replicas: 1 } } });
  store.update(key, (graph) => ({
    ...graph,
    metadata: { ...objectAt(graph, 'metadata'), annotations: { 'nvidia.com/dynamo-discovery-backend': 'etcd' } },
  }));
  store.delete(key);
  const prefix = '/demo-life/components/decode';
  expect(() => decide(store, key, options)).toThrow(prefix);
  pass(store, key, { ...options, effects: { [prefix]: { ok: true } } });
  expect(store.get(key)).toBeUndefined();
});

test('a clique that is gone leaves the graph pending until Grove makes it again', () => {
  const store = settled();
  store.delete(clique('prefill'));
  pass(store, key, options);
  expect(message(store)).toBe('Resources not ready: life: podclique/life-0-prefill: resource not found');
});
