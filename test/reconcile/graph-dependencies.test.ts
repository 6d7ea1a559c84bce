import { expect, test } from 'vitest';
import { listAt, objectAt, stringAt, valueAt, type JsonObject } from '../../lib/json/index.ts';
import { projectSecret } from '../../lib/reconcile/index.ts';
import { graphOf, platformStore, resourceKey, settle } from './cluster.ts';
import { config, decide, pass } from './shell.ts';
import { keyOf, Refused, type Store } from './store.ts';

const key = resourceKey('Deployment', 'g');
const rbac = 'rbac.authorization.k8s.io/v1';
const account = { apiVersion: 'v1', kind: 'ServiceAccount', namespace: 'demo', name: 'planner-serviceaccount' };
const binding = { apiVersion: rbac, kind: 'RoleBinding', namespace: 'demo', name: 'planner-serviceaccount-binding' };
const copy = { apiVersion: 'v1', kind: 'Secret', namespace: 'demo', name: 'mpi-run-ssh-secret' };

function storeWith(spec: JsonObject = {}): Store {
  const store = platformStore();
  store.create(graphOf('g', spec));
  return store;
}

function names(store: Store, kind: string): readonly string[] {
  return store
    .all()
    .filter((object) => keyOf(object).kind === kind && keyOf(object).namespace === 'demo')
    .map((object) => keyOf(object).name)
    .toSorted();
}

test('leaves a binding of somebody else alone that is as it should be, and reports one that is not', () => {
  const store = storeWith();
  settle(store);
  const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'other', uid: 'u', controller: true };
  store.patch(binding, [{ op: 'add', path: '/metadata/ownerReferences', value: [owner] }]);
  expect(pass(store, key).error).toBeUndefined();
  store.patch(binding, [{ op: 'replace', path: '/subjects/0/name', value: 'another' }]);
  expect(pass(store, key).error).toContain('other');
});

test('names the binding whose correction is refused', () => {
  const store = storeWith();
  settle(store);
  store.patch(binding, [{ op: 'replace', path: '/subjects/0/name', value: 'another' }]);
  const refuse = new Refused(422, 'Invalid', 'no');
  const { error } = pass(store, key, { intercept: ({ target }) => (target.kind === 'RoleBinding' ? refuse : undefined) });
  expect(error).toContain('failed to update role binding: no');
});

test('binds the planner account once', () => {
  const store = storeWith();
  settle(store);
  expect(store.get(binding)).toMatchObject({
    roleRef: { kind: 'ClusterRole', name: 'planner' },
    subjects: [{ kind: 'ServiceAccount', name: 'planner-serviceaccount', namespace: 'demo' }],
  });
  const before = store.get(binding);
  for (let i = 0; i < 3; i++) pass(store, key);
  expect(store.get(binding)).toBe(before);
});

for (const [field, value] of [
  ['name', 'other'],
  ['namespace', 'other'],
  ['kind', 'User'],
] as const)
  test(`corrects the ${field} of the planner binding's subject`, () => {
    const store = storeWith();
    settle(store);
    store.patch(binding, [{ op: 'replace', path: `/subjects/0/${field}`, value }]);
    pass(store, key);
    expect(valueAt(store.get(binding), 'subjects', 0)).toEqual({
      kind: 'ServiceAccount',
      name: 'planner-serviceaccount',
      namespace: 'demo',
    });
  });

for (const [field, value] of [
  ['name', 'other'],
  ['kind', 'Role'],
] as const)
  test(`replaces a planner binding whose role has another ${field}`, () => {
    const store = storeWith();
    settle(store);
    const uid = stringAt(store.get(binding), 'metadata', 'uid');
    store.patch(binding, [{ op: 'replace', path: `/roleRef/${field}`, value }]);
    pass(store, key);
    expect(store.get(binding)).toMatchObject({ roleRef: { kind: 'ClusterRole', name: 'planner' } });
    expect(stringAt(store.get(binding), 'metadata', 'uid')).not.toBe(uid);
  });

test('makes no account when the ClusterRole is missing, and says what to do', () => {
  const store = storeWith();
  store.delete({ apiVersion: rbac, kind: 'ClusterRole', namespace: '', name: 'planner' });
  const { error, writes } = pass(store, key);
  expect(error).toBe(
    'failed to ensure planner RBAC: cluster role "planner" does not exist: ensure it is created by Helm before deploying components',
  );
  expect(writes.map(({ verb }) => verb)).toEqual(['patch', 'status']);
  expect(store.get(account)).toBeUndefined();
  expect(store.get(key)).toMatchObject({
    status: { state: 'failed', conditions: [{ reason: 'failed_to_reconcile_the_resources' }] },
  });
});

test('leaves accounts to the chart in a restricted namespace', () => {
  const store = storeWith();
  pass(store, key, { config: { ...config, restrictedNamespace: 'demo' } });
  expect(store.get(account)).toBeUndefined();
});

test('makes claims up to the first that must exist and does not; what comes later waits', () => {
  const claim = (name: string) => ({ name, create: true, size: '1Gi', storageClass: 's', volumeAccessMode: 'ReadWriteOnce' });
  const store = storeWith({ pvcs: [claim('a'), { name: 'gone' }, claim('b')] });
  expect(pass(store, key).error).toBe('failed to reconcile top-level PVCs: PersistentVolumeClaim "gone" not found');
  expect(names(store, 'PersistentVolumeClaim')).toEqual(['a']);
  expect(names(store, 'DynamoComponentDeployment')).toEqual([]);
  store.create({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'gone', namespace: 'demo' } });
  settle(store);
  expect(names(store, 'PersistentVolumeClaim')).toEqual(['a', 'b', 'gone']);
  store.patch(key, [{ op: 'remove', path: '/spec/pvcs' }]);
  settle(store);
  expect(names(store, 'PersistentVolumeClaim')).toEqual(['a', 'b', 'gone']);
});

test('copies the MPI Secret and refreshes its copy, but not a Secret a user made', () => {
  const store = storeWith();
  settle(store);
  expect(store.get(copy)).toMatchObject({ type: 'Opaque', data: { 'private.key': 'eA==' } });
  store.patch({ ...copy, namespace: 'dynamo-system' }, [{ op: 'replace', path: '/data/private.key', value: 'bmV3' }]);
  pass(store, key);
  expect(valueAt(store.get(copy), 'data', 'private.key')).toBe('bmV3');
  expect(pass(store, key).writes).toEqual([]);
  const own = storeWith();
  own.create({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: copy.name, namespace: 'demo' },
    type: 'Opaque',
    data: { a: 'b' },
  });
  settle(own);
  expect(valueAt(own.get(copy), 'data')).toEqual({ a: 'b' });
});

test('leaves a copy of the MPI Secret alone that is being deleted, or whose type, which is immutable, is no longer that of its source', () => {
  const source = { ...copy, namespace: 'dynamo-system' };
  const copies = (store: Store): readonly unknown[] => pass(store, key).writes.filter(({ verb }) => verb === 'copySecret');
  const going = storeWith();
  settle(going);
  going.patch(copy, [{ op: 'add', path: '/metadata/finalizers', value: ['example.com/held'] }]);
  going.delete(copy);
  going.patch(source, [{ op: 'replace', path: '/data/private.key', value: 'bmV3' }]);
  expect(copies(going)).toEqual([]);
  const retyped = storeWith();
  settle(retyped);
  const { apiVersion, kind, namespace, name } = source;
  retyped.delete(source);
  retyped.create({
    apiVersion,
    kind,
    metadata: { namespace, name },
    type: 'kubernetes.io/ssh-auth',
    data: { 'ssh-privatekey': 'eA==' },
  });
  expect(copies(retyped)).toEqual([]);
});

test('a copy of the MPI Secret that may not be changed leaves the graph as it is', () => {
  const store = storeWith();
  settle(store);
  store.patch({ ...copy, namespace: 'dynamo-system' }, [{ op: 'replace', path: '/data/private.key', value: 'bmV3' }]);
  const before = store.get(key);
  const refuse = new Refused(403, 'Forbidden', 'secrets "mpi-run-ssh-secret" is forbidden');
  const result = pass(store, key, { intercept: ({ verb }) => (verb === 'copySecret' ? refuse : undefined) });
  expect(result).toMatchObject({
    error: `failed to replicate MPI secret: failed to update replica: ${refuse.message}`,
    events: [
      { type: 'Warning', reason: 'UpdateSecret', message: `Failed to update Secret mpi-run-ssh-secret: ${refuse.message}` },
    ],
  });
  expect(store.get(key)).toBe(before);
});

test('says why the MPI Secret could not be copied; one that came meanwhile is as good', () => {
  const refused = (error: Refused) =>
    pass(storeWith(), key, { intercept: ({ verb }) => (verb === 'copySecret' ? error : undefined) });
  expect(refused(new Refused(403, 'Forbidden', 'no')).error).toBe('failed to replicate MPI secret: failed to create replica: no');
  expect(refused(new Refused(409, 'Conflict', 'secrets "mpi-run-ssh-secret" already exists')).error).toBeUndefined();
});

test('a missing MPI Secret stops only graphs that mount it', () => {
  const source = { ...copy, namespace: 'dynamo-system' };
  const store = storeWith();
  store.delete(source);
  settle(store);
  expect(store.get(key)).toMatchObject({ status: { state: 'successful' } });
  const trtllm = {
    componentType: 'worker',
    replicas: 1,
    multinode: { nodeCount: 2 },
    resources: { limits: { gpu: '1' } },
    extraPodSpec: { mainContainer: { image: 'i', command: ['python3', '-m', 'dynamo.trtllm'], args: ['x'] } },
  };
  const mounting = storeWith({ services: { trtllm } });
  mounting.delete(source);
  expect(decide(mounting, key, { apiGroups: ['grove.io'] }).error).toBe(
    'failed to replicate MPI secret: error getting source secret: Secret "mpi-run-ssh-secret" not found',
  );
});

test('never puts the data of a Secret into a snapshot', () => {
  const secret = {
    metadata: { name: 's', managedFields: [{ manager: 'manager', fieldsV1: { 'f:data': {} } }] },
    type: 'Opaque',
    data: { key: 'c2VjcmV0' },
  };
  const projected = projectSecret(secret);
  expect(JSON.stringify(projected)).not.toContain('c2VjcmV0');
  expect(projected).toMatchObject({ copied: true, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
});

test.each([
  ['an operator wrote its data', true, [{ manager: 'manager', fieldsV1: { 'f:data': { 'f:key': {} }, 'f:metadata': {} } }]],
  ['a user wrote its data', false, [{ manager: 'kubectl', fieldsV1: { 'f:data': {} } }]],
  [
    'an operator wrote its labels only',
    false,
    [
      { manager: 'manager', fieldsV1: { 'f:metadata': { 'f:labels': {} } } },
      { manager: 'kubectl', fieldsV1: { 'f:data': {} } },
    ],
  ],
  ['nobody says who wrote it', false, []],
])('tells a copy of a Secret from one of a user: %s', (_, copied, managedFields) => {
  expect(projectSecret({ metadata: { name: 's', managedFields }, type: 'Opaque', data: {} })).toMatchObject({ copied });
});

test('fails without an orchestrator for services that span nodes, after everything else was made', () => {
  const store = storeWith();
  store.patch(key, [{ op: 'add', path: '/spec/services/decode/multinode', value: { nodeCount: 2 } }]);
  expect(pass(store, key).error).toBe('failed to reconcile Dynamo components deployments: no multinode orchestrator available');
  expect(names(store, 'Role')).toEqual(['g-k8s-service-discovery-role']);
  expect(names(store, 'DynamoComponentDeployment')).toEqual([]);
});

test('says what is wrong with an invalid graph once, and keeps what is known of its services', () => {
  const store = storeWith();
  settle(store);
  const services = valueAt(store.get(key), 'status', 'services');
  store.patch(key, [{ op: 'replace', path: '/spec/services/decode/replicas', value: -1 }]);
  expect(pass(store, key)).toMatchObject({
    events: [{ type: 'Warning', reason: 'ValidationFailed', message: 'spec.services[decode].replicas must be non-negative' }],
  });
  expect(store.get(key)).toMatchObject({
    status: {
      state: 'failed',
      services,
      conditions: [
        { reason: 'ValidationFailed', message: 'Validation failed: spec.services[decode].replicas must be non-negative' },
      ],
    },
  });
  expect(pass(store, key)).toMatchObject({ writes: [], events: [] });
});

test('names every component that is not ready, in order, and looks again', () => {
  const store = storeWith();
  expect(pass(store, key).lookAgainSeconds).toBe(30);
  expect(stringAt(listAt(store.get(key), 'status', 'conditions')[0], 'message')).toBe(
    ['g-decode', 'g-frontend', 'g-prefill']
      .map((name) => `${name}: Component deployment not ready - Available condition not true`)
      .join('; ')
      .replace(/^/, 'Resources not ready: '),
  );
});

test('is not ready from the write of a component on, and keeps status and restart when a pass fails', () => {
  const store = storeWith({ restart: { id: 'r1' } });
  settle(store);
  const before = objectAt(store.get(key), 'status');
  store.patch(key, [{ op: 'add', path: '/spec/envs', value: [{ name: 'A', value: 'b' }] }]);
  const failing = store.copy();
  pass(store, key);
  expect(store.get(key)).toMatchObject({ status: { state: 'pending' } });
  const refuse = new Refused(422, 'Invalid', 'DynamoComponentDeployment.nvidia.com "g-decode" is invalid');
  const { error } = pass(failing, key, { intercept: ({ target }) => (target.name === 'g-decode' ? refuse : undefined) });
  expect(error).toBe(
    `failed to reconcile Dynamo components deployments: failed to sync the DynamoComponentDeployment: ${refuse.message}`,
  );
  expect(failing.get(key)).toMatchObject({
    status: { state: 'failed', services: before['services'], restart: before['restart'] },
  });
});

test('a finalizer that cannot be set shows as such', () => {
  const store = storeWith();
  const { error } = pass(store, key, {
    intercept: ({ verb }) => (verb === 'patch' ? new Refused(422, 'Invalid', 'no') : undefined),
  });
  expect(error).toBe('no');
  expect(store.get(key)).toMatchObject({
    status: { state: 'failed', conditions: [{ reason: 'failed_to_handle_the_finalizer', message: 'no' }] },
  });
});

test('makes a role before its binding: the API server reads the rules of what is bound', () => {
  const store = storeWith();
  const found: string[] = [];
  for (let i = 0; i < 3; i++) {
    const { steps } = decide(store, key);
    const stepOf = (kind: string, name: (object: JsonObject) => string) =>
      steps.flatMap((step, at) =>
        step.flatMap((write) =>
          write.verb === 'create' && write.target.kind === kind ? [{ at, name: name(write.object) }] : [],
        ),
      );
    for (const role of stepOf('Role', (object) => stringAt(object, 'metadata', 'name'))) {
      const bindings = stepOf('RoleBinding', (object) => stringAt(object, 'roleRef', 'name'));
      for (const { at } of bindings.filter(({ name }) => name === role.name)) {
        expect(at).toBeGreaterThan(role.at);
        found.push(role.name);
      }
    }
    pass(store, key);
  }
  expect(found).toEqual(['g-k8s-service-discovery-role']);
});

test('removes the component of a removed service, and discovery rights that are no longer used', () => {
  const store = storeWith();
  settle(store);
  store.patch(key, [{ op: 'remove', path: '/spec/services/prefill' }]);
  expect(pass(store, key).events.map(({ message }) => message)).toContain('Deleted DynamoComponentDeployment g-prefill');
  settle(store);
  expect(names(store, 'Deployment')).toEqual(['g-decode', 'g-frontend']);
  const annotations = { 'nvidia.com/dynamo-discovery-backend': 'etcd' };
  store.update(key, (graph) => ({ ...graph, metadata: { ...objectAt(graph, 'metadata'), annotations } }));
  pass(store, key);
  expect(names(store, 'Role')).toEqual(['g-k8s-service-discovery-role']);
  settle(store);
  expect([names(store, 'Role'), names(store, 'ServiceAccount')]).toEqual([[], ['planner-serviceaccount']]);
});

test('makes the objects of an endpoint picker and brings a changed configuration to its ConfigMap', () => {
  const epp = (kind: string): JsonObject => ({
    componentType: 'epp',
    replicas: 1,
    eppConfig: { config: { plugins: [{ type: kind }] } },
    extraPodSpec: { mainContainer: { image: 'i' } },
  });
  const store = storeWith({ services: { Epp: epp('a') } });
  const groups = { apiGroups: ['inference.networking.k8s.io'] };
  settle(store, groups);
  const map = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'demo', name: 'g-epp-config' };
  expect(stringAt(store.get(map), 'data', 'epp-config-dynamo.yaml')).toContain('type: a');
  expect(names(store, 'InferencePool')).toEqual(['g-pool']);
  expect(names(store, 'ServiceAccount')).toContain('epp-serviceaccount');
  store.update(key, (graph) => ({ ...graph, spec: { services: { Epp: epp('b') } } }));
  settle(store, groups);
  expect(stringAt(store.get(map), 'data', 'epp-config-dynamo.yaml')).toContain('type: b');
  store.update(key, (graph) => ({ ...graph, spec: { services: { decode: { componentType: 'worker', replicas: 1 } } } }));
  settle(store, groups);
  expect([names(store, 'ConfigMap'), names(store, 'InferencePool')]).toEqual([[], []]);
});

test('lets an invalid graph go, and leaves one alone that others hold', () => {
  const store = storeWith({ services: {} });
  pass(store, key);
  store.delete(key);
  pass(store, key);
  expect(store.get(key)).toBeUndefined();
  const held = platformStore();
  held.create(graphOf('g', {}, { finalizers: ['other'] }));
  held.delete(key);
  expect(pass(held, key).writes).toEqual([]);
});

test('deletes nothing but its finalizer when a graph goes; what it controls goes with it', () => {
  const store = storeWith();
  settle(store);
  store.delete(key);
  expect(pass(store, key).writes.map(({ verb, target }) => `${verb} ${target.kind}`)).toEqual(['patch DynamoGraphDeployment']);
  settle(store);
  expect(
    store
      .all()
      .map((object) => keyOf(object).name)
      .toSorted(),
  ).toEqual([
    'epp',
    'mpi-run-ssh-secret',
    'mpi-run-ssh-secret',
    'planner',
    'planner-serviceaccount',
    'planner-serviceaccount-binding',
  ]);
});
