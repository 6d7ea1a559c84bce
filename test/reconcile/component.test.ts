import { expect, test } from 'vitest';
import { findNumber, listAt, objectAt, stringAt, valueAt, type JsonObject } from '../../lib/json/index.ts';
import { componentOf, platformStore, readyStatus, resourceKey, setStatus, settle } from './cluster.ts';
import { answerTo, config, decide, pass } from './shell.ts';
import { keyOf, Refused, type Store } from './store.ts';

const key = resourceKey('ComponentDeployment', 'solo');
const lws = ['leaderworkerset.x-k8s.io', 'scheduling.volcano.sh'];
const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'demo', name: 'solo' };
const service = (name: string) => ({ apiVersion: 'v1', kind: 'Service', namespace: 'demo', name });

function storeWith(spec: JsonObject = {}): Store {
  const store = platformStore();
  store.create(componentOf('solo', spec));
  return store;
}

function names(store: Store, kind: string): readonly string[] {
  return store
    .all()
    .filter((object) => keyOf(object).kind === kind)
    .map((object) => keyOf(object).name)
    .toSorted();
}

function condition(store: Store, type: string): JsonObject {
  return objectAt(
    { found: listAt(store.get(key), 'status', 'conditions').find((entry) => stringAt(entry, 'type') === type) ?? {} },
    'found',
  );
}

test('makes Deployment and Services, then one status', () => {
  const store = storeWith();
  const { writes, events, rounds, lookAgainSeconds } = pass(store, key);
  expect(writes.map(({ verb, target }) => `${verb} ${target.kind} ${target.name}`)).toEqual([
    'patch DynamoComponentDeployment solo',
    'create Deployment solo',
    'create Service solo',
    'create Service solo-p',
    'create Service solo-d',
    'status DynamoComponentDeployment solo',
  ]);
  expect(events.map(({ reason, message }) => `${reason}: ${message}`)).toEqual([
    'CreateDeployment: Created Deployment solo',
    'CreateService: Created Service solo, solo-p, solo-d',
  ]);
  expect([rounds, lookAgainSeconds]).toEqual([1, 30]);
  expect(condition(store, 'Available')).toMatchObject({ status: 'False', reason: 'DeploymentNotReady' });
  expect(pass(store, key)).toMatchObject({ writes: [], events: [], rounds: 1 });
});

test('is available when its Deployment is, and not while the Deployment rolls', () => {
  const store = storeWith({ replicas: 2 });
  settle(store);
  expect(condition(store, 'Available')).toMatchObject({
    status: 'True',
    reason: 'DeploymentReady',
    message: 'Deployment is ready',
  });
  store.patch(key, [{ op: 'add', path: '/spec/envs', value: [{ name: 'A', value: 'b' }] }]);
  pass(store, key);
  expect(condition(store, 'Available')).toMatchObject({ status: 'False' });
  const live = store.get(deployment) ?? {};
  for (const [status, available] of [
    [{ ...readyStatus(live), updatedReplicas: 1 }, 'False'],
    [{ ...readyStatus(live), replicas: 3 }, 'False'],
    [{ ...readyStatus(live), observedGeneration: 1 }, 'False'],
    [{ ...readyStatus(live), conditions: [] }, 'False'],
    [readyStatus(live), 'True'],
  ] as const) {
    setStatus(store, live, status);
    pass(store, key);
    expect(condition(store, 'Available')['status']).toBe(available);
  }
});

test('keeps the time of a condition until its status flips', () => {
  const store = storeWith();
  pass(store, key, { now: '2026-05-01T10:00:00.000Z' });
  setStatus(store, store.get(deployment) ?? {}, { replicas: 1 });
  pass(store, key, { now: '2026-05-01T11:00:00.000Z' });
  expect(condition(store, 'Available')['lastTransitionTime']).toBe('2026-05-01T10:00:00Z');
  setStatus(store, store.get(deployment) ?? {}, readyStatus(store.get(deployment) ?? {}));
  pass(store, key, { now: '2026-05-01T12:00:00.000Z' });
  expect(condition(store, 'Available')['lastTransitionTime']).toBe('2026-05-01T12:00:00Z');
});

test('is ready at once with no replicas', () => {
  const store = storeWith({ replicas: 0 });
  pass(store, key);
  expect(condition(store, 'Available')['status']).toBe('True');
});

test('brings back a Service that was deleted, and a spec that was edited', () => {
  const store = storeWith();
  settle(store);
  store.delete(service('solo'));
  store.patch(deployment, [{ op: 'replace', path: '/spec/replicas', value: 9 }]);
  const { events } = pass(store, key);
  expect(events.map(({ reason }) => reason)).toEqual(['UpdateDeployment', 'CreateService']);
  settle(store);
  expect(valueAt(store.get(deployment), 'spec', 'replicas')).toBe(1);
});

test('says what is wrong with an invalid component once, and waits for a change', () => {
  const store = storeWith({ replicas: -1 });
  const { events, error } = pass(store, key);
  expect(events).toEqual([{ type: 'Warning', reason: 'ValidationFailed', message: 'spec.replicas must be non-negative' }]);
  expect(error).toBeUndefined();
  expect(condition(store, 'Valid')).toMatchObject({
    status: 'False',
    message: 'Validation failed: spec.replicas must be non-negative',
  });
  expect(pass(store, key)).toMatchObject({ writes: [], events: [] });
});

test('reports a refused child with the words of the original, and the Services wait', () => {
  const store = storeWith();
  const refuse = new Refused(422, 'Invalid', 'Deployment.apps "solo" is invalid: spec.x: no');
  const { events, error } = pass(store, key, { intercept: ({ target }) => (target.kind === 'Deployment' ? refuse : undefined) });
  const text =
    'failed to reconcile the resources: failed to create or update the deployment: create or update deployment: Deployment.apps "solo" is invalid: spec.x: no';
  expect(error).toBe(text);
  expect(events).toEqual([
    { type: 'Warning', reason: 'CreateDeployment', message: `Failed to create Deployment solo: ${refuse.message}` },
    { type: 'Warning', reason: 'ReconcileError', message: `Failed to reconcile DynamoComponentDeployment: ${text}` },
  ]);
  expect(condition(store, 'Available')).toMatchObject({
    status: 'False',
    reason: 'Reconciling',
    message: `Failed to reconcile DynamoComponentDeployment: ${text}`,
  });
  expect(names(store, 'Service')).toEqual([]);
  const again = pass(store, key, { intercept: ({ target }) => (target.kind === 'Deployment' ? refuse : undefined) });
  expect(again).toMatchObject({ events: [], error: text });
  expect(again.writes).toEqual([]);
});

test('names the owner of a child that belongs to somebody else', () => {
  const store = storeWith();
  const owner = { apiVersion: 'v1', kind: 'Shop', name: 'theirs', uid: 'x', controller: true };
  store.create({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'solo', namespace: 'demo', ownerReferences: [owner] } });
  const before = store.get(service('solo'));
  const { error } = pass(store, key);
  expect(error).toBe(
    'failed to create or update the service: Service "solo" is controlled by Shop "theirs": rename or remove it, or rename this resource',
  );
  expect(store.get(service('solo'))).toBe(before);
});

test('removes what is switched off: debug Deployment, discovery Services', () => {
  const debug = { annotations: { 'nvidia.com/enable-stealing-traffic-debug-mode': 'true' } };
  const store = storeWith(debug);
  settle(store);
  expect([names(store, 'Deployment'), names(store, 'Service')]).toEqual([
    ['solo', 'solo-d'],
    ['solo', 'solo-d', 'solo-p'],
  ]);
  const etcd = { annotations: { 'nvidia.com/dynamo-discovery-backend': 'etcd' } };
  store.update(key, (object) => ({ ...object, spec: { ...objectAt(object, 'spec'), ...etcd } }));
  settle(store);
  expect([names(store, 'Deployment'), names(store, 'Service')]).toEqual([['solo'], ['solo']]);
});

test('spans nodes with a pod group and a LeaderWorkerSet a replica', () => {
  const store = storeWith({ replicas: 3, multinode: { nodeCount: 2 } });
  const { writes } = pass(store, key, { apiGroups: lws });
  expect(writes.map(({ target }) => `${target.kind} ${target.name}`).slice(1, 7)).toEqual([
    'PodGroup solo-0',
    'LeaderWorkerSet solo-0',
    'PodGroup solo-1',
    'PodGroup solo-2',
    'LeaderWorkerSet solo-1',
    'LeaderWorkerSet solo-2',
  ]);
  for (const object of store.all())
    if (keyOf(object).kind === 'LeaderWorkerSet')
      setStatus(store, object, keyOf(object).name === 'solo-1' ? { replicas: 1 } : readyStatus(object));
  pass(store, key, { apiGroups: lws });
  expect(condition(store, 'Available')).toMatchObject({ status: 'False', reason: 'SomeLeaderWorkerSetsNotReady' });
  expect(valueAt(store.get(key), 'status', 'service')).toEqual({
    componentKind: 'LeaderWorkerSet',
    componentName: 'solo-0',
    replicas: 3,
    updatedReplicas: 2,
    readyReplicas: 2,
  });
  settle(store, { apiGroups: lws });
  expect(condition(store, 'Available')).toMatchObject({ status: 'True', reason: 'AllLeaderWorkerSetsReady' });
});

test('scales LeaderWorkerSets down over holes in their numbers, and to nothing', () => {
  const store = storeWith({ replicas: 3, multinode: { nodeCount: 2 } });
  settle(store, { apiGroups: lws });
  store.delete({ apiVersion: 'leaderworkerset.x-k8s.io/v1', kind: 'LeaderWorkerSet', namespace: 'demo', name: 'solo-1' });
  store.patch(key, [{ op: 'replace', path: '/spec/replicas', value: 0 }]);
  settle(store, { apiGroups: lws });
  expect([names(store, 'LeaderWorkerSet'), names(store, 'PodGroup')]).toEqual([[], []]);
  expect(store.get(key)).toMatchObject({ status: { observedGeneration: 2 } });
  expect(valueAt(store.get(key), 'status', 'service')).toBeUndefined();
  expect(condition(store, 'Available')['status']).toBe('True');
});

test('does not believe the old status of a LeaderWorkerSet that was just changed', () => {
  const store = storeWith({ multinode: { nodeCount: 2 } });
  settle(store, { apiGroups: lws });
  const set = { apiVersion: 'leaderworkerset.x-k8s.io/v1', kind: 'LeaderWorkerSet', namespace: 'demo', name: 'solo-0' };
  store.patch(key, [{ op: 'add', path: '/spec/envs', value: [{ name: 'A', value: 'b' }] }]);
  pass(store, key, { apiGroups: lws });
  const old = {
    replicas: 1,
    readyReplicas: 1,
    updatedReplicas: 1,
    conditions: [{ type: 'Available', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }],
  };
  const managedFields = [{ manager: 'manager', operation: 'Update', time: '2026-02-01T00:00:00Z' }];
  setStatus(store, store.get(set) ?? {}, old);
  store.update(set, (object) => ({ ...object, metadata: { ...objectAt(object, 'metadata'), managedFields } }));
  pass(store, key, { apiGroups: lws, now: '2026-02-01T00:00:05.000Z' });
  expect(condition(store, 'Available')['status']).toBe('False');
  const moved = { ...old, conditions: [{ type: 'Available', status: 'True', lastTransitionTime: '2026-02-01T00:00:04Z' }] };
  const early = store.copy();
  setStatus(early, early.get(set) ?? {}, moved);
  pass(early, key, { apiGroups: lws, now: '2026-02-01T00:00:05.000Z' });
  expect(stringAt(listAt(early.get(key), 'status', 'conditions').at(-1), 'status')).toBe('True');
  pass(store, key, { apiGroups: lws, now: '2026-02-01T00:00:16.000Z' });
  expect(condition(store, 'Available')['status']).toBe('True');
});

test('takes the workload of the other kind away only when its successor is ready', () => {
  const store = storeWith({ multinode: { nodeCount: 2 } });
  settle(store);
  expect(names(store, 'Deployment')).toEqual(['solo']);
  pass(store, key, { apiGroups: lws });
  expect([names(store, 'Deployment'), names(store, 'LeaderWorkerSet')]).toEqual([['solo'], ['solo-0']]);
  settle(store, { apiGroups: lws });
  expect([names(store, 'Deployment'), names(store, 'LeaderWorkerSet')]).toEqual([[], ['solo-0']]);
});

test('cleans up in etcd before it lets go, and gives up after a while', () => {
  const etcd = { ...config, discoveryBackend: 'etcd' };
  const store = platformStore();
  store.create(componentOf('solo', { serviceName: 'service1', dynamoNamespace: 'default' }));
  pass(store, key, { config: etcd });
  store.delete(key);
  const prefix = '/default/components/service1';
  expect(answerTo(store, key, { config: etcd })).toEqual({
    answer: 'effects',
    effects: [{ effect: 'etcdDelete', id: prefix, prefix, timeoutSeconds: 5 }],
  });
  const failed = { config: etcd, effects: { [prefix]: { ok: false, error: 'no route' } } } as const;
  expect(decide(store, key, { ...failed, now: '2026-01-01T00:00:30.000Z' })).toMatchObject({
    steps: [],
    error: 'failed to clean up in etcd: /default/components/service1: no route',
  });
  const late = decide(store, key, { ...failed, now: '2026-01-01T00:02:00.000Z' });
  expect(late.events).toMatchObject([{ type: 'Warning', reason: 'EtcdCleanupFailed' }]);
  expect(late.steps.flat()).toHaveLength(1);
  pass(store, key, { config: etcd, effects: { [prefix]: { ok: true } } });
  expect(store.get(key)).toBeUndefined();
});

test('gives up soon where there is no etcd of that name', () => {
  const etcd = { ...config, discoveryBackend: 'etcd' };
  const store = platformStore();
  store.create(componentOf('solo', { serviceName: 'service1', dynamoNamespace: 'default' }));
  pass(store, key, { config: etcd });
  store.delete(key);
  const prefix = '/default/components/service1';
  const absent = { config: etcd, effects: { [prefix]: { ok: false, error: 'no such host', isAbsent: true } } } as const;
  expect(decide(store, key, { ...absent, now: '2026-01-01T00:00:00.900Z' }).steps).toEqual([]);
  const soon = decide(store, key, { ...absent, now: '2026-01-01T00:00:01.000Z' });
  expect(soon).toMatchObject({ events: [{ reason: 'EtcdCleanupFailed' }], steps: [[{ verb: 'patch' }]] });
  expect(soon.error).toBeUndefined();
});

test('cleans up in etcd where the component itself says so, whatever the operator does elsewhere', () => {
  const asks = (annotations: JsonObject, discoveryBackend: string): string => {
    const store = storeWith({ annotations });
    pass(store, key);
    store.delete(key);
    return answerTo(store, key, { config: { ...config, discoveryBackend } }).answer;
  };
  const says = (backend: string): JsonObject => ({ 'nvidia.com/dynamo-discovery-backend': backend });
  expect(asks(says('etcd'), 'kubernetes')).toBe('effects');
  expect(asks(says('kubernetes'), 'etcd')).toBe('decision');
  expect(asks({}, 'kubernetes')).toBe('decision');
});

test('lets an invalid component go, and leaves one alone that others hold', () => {
  const store = storeWith({ replicas: -1 });
  pass(store, key);
  store.delete(key);
  pass(store, key);
  expect(store.get(key)).toBeUndefined();
  const held = platformStore();
  held.create({ ...componentOf('solo'), metadata: { name: 'solo', namespace: 'demo', finalizers: ['other'] } });
  held.delete(key);
  expect(pass(held, key).writes).toEqual([]);
});

test('shares the Service of a base model and removes it with its last user', () => {
  const store = platformStore();
  for (const name of ['solo', 'two']) store.create(componentOf(name, { modelRef: { name: 'Qwen/Qwen3-0.6B' } }));
  settle(store);
  const model = () => store.all().find((object) => keyOf(object).name.startsWith('dynamo-model-'));
  expect(
    listAt(model(), 'metadata', 'ownerReferences').map((owner) => [stringAt(owner, 'name'), valueAt(owner, 'controller')]),
  ).toEqual([
    ['solo', true],
    ['two', undefined],
  ]);
  store.delete(key);
  settle(store);
  expect(listAt(model(), 'metadata', 'ownerReferences').map((owner) => stringAt(owner, 'name'))).toContain('two');
  const other = resourceKey('ComponentDeployment', 'two');
  store.update(other, (object) => ({ ...object, spec: { ...objectAt(object, 'spec'), modelRef: null } }));
  store.delete(other);
  settle(store);
  expect(model()).toBeUndefined();
});

test('renders with the pull secrets and the pod account of the namespace', () => {
  const store = storeWith({
    annotations: { 'nvidia.com/dynamo-discovery-backend': 'etcd' },
    extraPodSpec: { mainContainer: { image: 'my-registry.com:5005/a/b:1', command: ['x'], args: ['y'] } },
  });
  const auths = (host: string) => Buffer.from(JSON.stringify({ auths: { [host]: {} } })).toString('base64');
  const secret = (name: string, data: string) =>
    store.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace: 'demo' },
      type: 'kubernetes.io/dockerconfigjson',
      data: { '.dockerconfigjson': data },
    });
  secret('b', auths('my-registry.com:5005'));
  secret('a', auths('https://my-registry.com:5005/v2/'));
  secret('bad', 'bm90IGpzb24=');
  secret('other', auths('docker.io'));
  store.create({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'pods', namespace: 'demo', labels: { 'nvidia.com/dynamo-component-pod': 'true' } },
  });
  pass(store, key);
  expect(objectAt(store.get(deployment), 'spec', 'template', 'spec')).toMatchObject({
    imagePullSecrets: [{ name: 'a' }, { name: 'b' }],
    serviceAccountName: 'pods',
  });
  expect(findNumber(store.get(deployment), 'spec', 'replicas')).toBe(1);
});
