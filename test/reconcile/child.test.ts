import type { KubernetesObject } from '../../lib/api/index.ts';
import { expect, test } from 'vitest';
import { objectAt, type JsonObject } from '../../lib/json/index.ts';
import { syncChild } from '../../lib/reconcile/child.ts';
import { specHash } from '../../lib/render/index.ts';

const parent = {
  apiVersion: 'nvidia.com/v1alpha1',
  kind: 'DynamoComponentDeployment',
  metadata: { name: 'p', namespace: 'demo', uid: 'parent' },
};
const reference = {
  apiVersion: parent.apiVersion,
  kind: parent.kind,
  name: 'p',
  uid: 'parent',
  controller: true,
  blockOwnerDeletion: true,
};
const hash = 'nvidia.com/last-applied-hash';
const generation = 'nvidia.com/last-applied-generation';

function desired(spec: JsonObject, more: JsonObject = {}): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'd',
      namespace: 'demo',
      annotations: { [generation]: '1', [hash]: specHash(spec) },
      ownerReferences: [reference],
    },
    spec,
    ...more,
  };
}

function live(spec: JsonObject, annotations: JsonObject, current: number, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'd',
      namespace: 'demo',
      uid: 'u',
      resourceVersion: '7',
      generation: current,
      annotations,
      ownerReferences: [reference],
      ...metadata,
    },
    spec,
  };
}

const env = (...names: readonly string[]): JsonObject => ({
  template: { spec: { containers: [{ name: 'main', env: names.map((name) => ({ name, value: name })) }] } },
});
const keeper = { parent, chain: 'failed: ' };
const operations = (sync: ReturnType<typeof syncChild>): unknown =>
  sync.steps.flat().map(({ write }) => (write.verb === 'patch' ? write.patch : write.verb));

test('creates a child that is missing, owned, with its hash and generation 1', () => {
  const sync = syncChild(desired({ replicas: 1 }), undefined, { ...keeper, finalizers: ['f'] });
  expect(sync).toMatchObject({ state: 'created' });
  expect(sync.steps.flat()[0]?.write).toMatchObject({
    verb: 'create',
    object: { metadata: { finalizers: ['f'], ownerReferences: [reference], annotations: { [generation]: '1' } } },
  });
});

test('leaves a child alone that differs in what the API server filled in, in labels of others and in its status', () => {
  const spec = { replicas: 1 };
  const present = live({ ...spec, revisionHistoryLimit: 10 }, { [hash]: specHash(spec), [generation]: '4', note: 'x' }, 4, {
    labels: { theirs: 'x' },
  });
  expect(syncChild(desired(spec), { ...present, status: { replicas: 3 } }, keeper)).toMatchObject({ state: 'same', steps: [] });
});

for (const [name, annotations, current, next] of [
  ['the hash is the same, the generation went from 5 to 7', { [generation]: '5', known: true }, 7, '8'],
  ['the generation is missing', { known: true }, 5, '6'],
  ['the hash is missing', { [generation]: '5' }, 5, '6'],
  ['both are missing', {}, 5, '6'],
  ['the generation is no number', { [generation]: 'invalid', known: true }, 5, '6'],
  ['the hash is another and the generation higher', { [generation]: '5', [hash]: 'another' }, 7, '8'],
] as const)
  test(`writes the spec again when ${name}`, () => {
    const spec = { replicas: 2 };
    const { known, ...given }: JsonObject = annotations;
    const present = live({ replicas: 9 }, { ...given, ...(known === true && { [hash]: specHash(spec) }) }, current);
    const sync = syncChild(desired(spec), present, keeper);
    expect(sync.state).toBe('respecified');
    const [write] = sync.steps.flat();
    if (write?.write.verb !== 'patch') throw new Error('no patch');
    expect(write.write.patch.slice(0, 2)).toEqual([
      { op: 'test', path: '/metadata/resourceVersion', value: '7' },
      { op: 'replace', path: '/spec', value: spec },
    ]);
    expect(write.write.patch).toContainEqual({
      op: 'add',
      path: '/metadata/annotations/nvidia.com~1last-applied-generation',
      value: next,
    });
    expect(write.told).toEqual({ verb: 'Update', kind: 'Deployment', name: 'd' });
  });

test('does not take generation 0 for an edit', () => {
  const spec = { replicas: 1 };
  expect(syncChild(desired(spec), live(spec, { [hash]: specHash(spec), [generation]: '0' }, 0), keeper).steps).toEqual([]);
});

const service = {
  selector: { app: 'a' },
  ports: [{ name: 'http', port: 80, targetPort: 'http' }],
  publishNotReadyAddresses: false,
};
const stored = { selector: { app: 'a' }, type: 'ClusterIP', clusterIP: '10.0.0.1' };
const serviceKind = { apiVersion: 'v1', kind: 'Service' };
const unchanged = (spec: JsonObject): JsonObject => live(spec, { [hash]: specHash(service), [generation]: '1' }, 0);
const port = { name: 'http', port: 80, targetPort: 'http', protocol: 'TCP' };

for (const [name, spec, state] of [
  ['is as the API server filled it in', { ...stored, ports: [port] }, 'same'],
  ['has what nobody asked for', { ...stored, ports: [port], sessionAffinity: 'ClientIP' }, 'same'],
  ['has another port', { ...stored, ports: [{ ...port, port: 81 }] }, 'respecified'],
  ['has one port more', { ...stored, ports: [port, { name: 'b', port: 81 }] }, 'respecified'],
  ['has no ports', stored, 'respecified'],
  ['selects other pods', { ...stored, selector: { app: 'b' }, ports: [port] }, 'respecified'],
  ['selects fewer pods', { ...stored, selector: { app: 'a', only: 'b' }, ports: [port] }, 'respecified'],
  ['publishes what is not ready', { ...stored, ports: [port], publishNotReadyAddresses: true }, 'respecified'],
] as const)
  test(`compares the spec of a Service, which ${name}`, () => {
    const sync = syncChild({ ...desired(service), ...serviceKind }, { ...unchanged(spec), ...serviceKind }, keeper);
    expect(sync.state).toBe(state);
    expect(sync.steps.flat().map(({ told }) => told)).toEqual(
      state === 'same' ? [] : [{ verb: 'Update', kind: 'Service', name: 'd' }],
    );
  });

test('knows nothing of the edit of a Service whose spec it does not see', () => {
  const { spec: _spec, ...unseen } = unchanged({});
  const sync = syncChild({ ...desired(service), ...serviceKind }, { ...unseen, ...serviceKind }, keeper);
  expect(sync).toMatchObject({ state: 'same', steps: [] });
});

test('compares no specs of kinds that have a generation', () => {
  expect(syncChild(desired(service), unchanged({}), keeper)).toMatchObject({ state: 'same', steps: [] });
});

test('writes the spec again when variables or init containers come in another order, which the hash does not see', () => {
  const present = live(env('A', 'B'), { [hash]: specHash(env('A', 'B')), [generation]: '1' }, 1);
  expect(specHash(env('A', 'B'))).toBe(specHash(env('B', 'A')));
  expect(syncChild(desired(env('B', 'A')), present, keeper).state).toBe('respecified');
  expect(syncChild(desired(env('A', 'B')), present, keeper).state).toBe('same');
});

test('writes the spec again when init containers come in another order', () => {
  const inits = (...names: readonly string[]): JsonObject => ({
    template: { spec: { initContainers: names.map((name) => ({ name, image: name })), containers: [{ name: 'main' }] } },
  });
  const present = live(inits('a', 'b'), { [hash]: specHash(inits('a', 'b')), [generation]: '1' }, 1);
  expect(specHash(inits('a', 'b'))).toBe(specHash(inits('b', 'a')));
  expect(syncChild(desired(inits('b', 'a')), present, keeper).state).toBe('respecified');
  expect(syncChild(desired(inits('a', 'b')), present, keeper).steps).toEqual([]);
});

test('marks an object without a spec that nobody marked, and copies no spec into it', () => {
  const { metadata } = desired({});
  const account: KubernetesObject = { apiVersion: 'v1', kind: 'ServiceAccount', metadata };
  const { annotations: _, ...bare } = objectAt(live({}, {}, 0), 'metadata');
  const present: JsonObject = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: bare };
  expect(operations(syncChild(account, present, keeper))).toEqual([
    [
      { op: 'test', path: '/metadata/resourceVersion', value: '7' },
      { op: 'add', path: '/metadata/annotations', value: {} },
      { op: 'add', path: '/metadata/annotations/nvidia.com~1last-applied-hash', value: specHash({}) },
      { op: 'add', path: '/metadata/annotations/nvidia.com~1last-applied-generation', value: '1' },
    ],
  ]);
});

test('does not mind a variable somebody added in between', () => {
  const present = live(env('A', 'injected', 'B'), { [hash]: specHash(env('A', 'B')), [generation]: '1' }, 1);
  expect(syncChild(desired(env('A', 'B')), present, keeper).steps).toEqual([]);
});

test('sets its own labels, annotations and data again and leaves those of others', () => {
  const wanted: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...desired({}).metadata, labels: { app: 'x' }, annotations: { [generation]: '1', [hash]: 'h', note: 'n' } },
    data: { config: 'new' },
  };
  const present = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      ...(live({}, { [generation]: '1', [hash]: 'h', theirs: 'x' }, 0)['metadata'] as JsonObject),
      labels: { app: 'y', theirs: 'z' },
    },
    data: { config: 'old', theirs: 'x' },
  };
  expect(operations(syncChild(wanted, present, keeper))).toEqual([
    [
      { op: 'test', path: '/metadata/resourceVersion', value: '7' },
      { op: 'add', path: '/metadata/annotations/note', value: 'n' },
      { op: 'add', path: '/metadata/labels/app', value: 'x' },
      { op: 'add', path: '/data/config', value: 'new' },
    ],
  ]);
});

test('keeps annotations that the cache leaves out: a map that is shown empty is not empty in the cluster', () => {
  const spec = env('A');
  const maps = (annotations: JsonObject | undefined): unknown => {
    const { annotations: _, ...metadata } = objectAt(live(spec, {}, 1), 'metadata');
    const shown = { ...live(spec, {}, 1), metadata: { ...metadata, ...(annotations && { annotations }) } };
    const patches = syncChild(desired(spec), shown, keeper).steps.flat();
    return patches.flatMap(({ write }) =>
      write.verb === 'patch' ? write.patch.filter(({ path }) => path === '/metadata/annotations') : [],
    );
  };
  expect(maps({})).toEqual([]);
  expect(maps(undefined)).toEqual([{ op: 'add', path: '/metadata/annotations', value: {} }]);
});

test('removes a label it has set before and no longer wants, and no other', () => {
  const spec = { replicas: 1 };
  const labels = { 'nvidia.com/dynamo-discovery-enabled': 'true', 'nvidia.com/theirs': 'x', role: 'y' };
  const present = live(spec, { [hash]: specHash(spec), [generation]: '1' }, 1, { labels });
  expect(operations(syncChild(desired(spec), present, keeper))).toEqual([
    [
      { op: 'test', path: '/metadata/resourceVersion', value: '7' },
      { op: 'remove', path: '/metadata/labels/nvidia.com~1dynamo-discovery-enabled' },
    ],
  ]);
});

test('replaces a binding whose role reference differs, since that cannot be changed', () => {
  const wanted: KubernetesObject = {
    ...desired({}),
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    roleRef: { name: 'new' },
  };
  const present = { ...live({}, {}, 0), kind: 'RoleBinding', roleRef: { name: 'old' } };
  expect(operations(syncChild(wanted, present, keeper))).toEqual(['delete', 'create']);
});

test('adopts a child that nobody controls', () => {
  const spec = { replicas: 1 };
  const present = live(spec, { [hash]: specHash(spec), [generation]: '1' }, 1, { ownerReferences: [] });
  expect(operations(syncChild(desired(spec), present, keeper))).toEqual([
    [
      { op: 'test', path: '/metadata/resourceVersion', value: '7' },
      { op: 'add', path: '/metadata/ownerReferences', value: [reference] },
    ],
  ]);
});

test('leaves a child alone that somebody else controls, and names the owner', () => {
  const foreign = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'theirs', uid: 'other', controller: true };
  const sync = syncChild(desired({ replicas: 1 }), live({}, {}, 1, { ownerReferences: [foreign] }), keeper);
  expect(sync).toMatchObject({
    state: 'foreign',
    steps: [],
    problem: 'failed: Deployment "d" is controlled by ReplicaSet "theirs": rename or remove it, or rename this resource',
  });
});

test('waits for a child that is being deleted', () => {
  const present = live({ replicas: 9 }, {}, 1, { deletionTimestamp: '2026-01-01T00:00:00Z' });
  expect(syncChild(desired({ replicas: 1 }), present, keeper)).toMatchObject({ state: 'going', steps: [] });
});

test('keeps the generation where an equal spec raises none, so that the next manual edit is seen', () => {
  const spec = { minMember: 2 };
  const wanted = { ...desired(spec), apiVersion: 'scheduling.volcano.sh/v1beta1', kind: 'PodGroup' };
  const present = { ...live(spec, { [generation]: '3' }, 3), kind: 'PodGroup' };
  expect(operations(syncChild(wanted, present, keeper))).toEqual([
    [
      { op: 'test', path: '/metadata/resourceVersion', value: '7' },
      { op: 'replace', path: '/spec', value: spec },
      { op: 'add', path: '/metadata/annotations/nvidia.com~1last-applied-hash', value: specHash(spec) },
    ],
  ]);
});

/** A LeaderWorkerSet in generation 3, whose last write counted on the given one. */
const liveSet = (spec: JsonObject, applied: string, current = 3): JsonObject => ({
  ...live(spec, { [hash]: specHash(env('A', 'B')), [generation]: applied }, current),
  kind: 'LeaderWorkerSet',
});
const desiredSet = (spec: JsonObject): KubernetesObject => ({ ...desired(spec), kind: 'LeaderWorkerSet' });
const recorded = (value: string) => ({ op: 'add', path: '/metadata/annotations/nvidia.com~1last-applied-generation', value });

test('corrects a recorded generation that is higher than the real one, and leaves the spec alone', () => {
  const sync = syncChild(desiredSet(env('A', 'B')), liveSet(env('A', 'B'), '4'), keeper);
  expect(sync.state).toBe('same');
  expect(operations(sync)).toEqual([[{ op: 'test', path: '/metadata/resourceVersion', value: '7' }, recorded('3')]]);
});

test('counts a new order of variables as a new generation', () => {
  const sync = syncChild(desiredSet(env('A', 'B')), liveSet(env('B', 'A'), '3'), keeper);
  expect(operations(sync)).toMatchObject([[{ op: 'test' }, { path: '/spec' }, recorded('4')]]);
});

test('counts a field that is left out as a new generation, except in a PodCliqueSet, where it may be a default of Grove', () => {
  const stored = liveSet({ ...env('A', 'B'), startupPolicy: 'LeaderReady' }, '2');
  const next = syncChild(desiredSet(env('A', 'B')), stored, keeper);
  expect(operations(next)).toMatchObject([[{ op: 'test' }, { path: '/spec' }, recorded('4')]]);
  const kind = 'PodCliqueSet';
  const same = syncChild({ ...desired(env('A', 'B')), kind }, { ...stored, kind }, keeper);
  expect(operations(same)).toMatchObject([[{ op: 'test' }, { path: '/spec' }, recorded('3')]]);
});
