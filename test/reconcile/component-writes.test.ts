/**
 * What a pass over a component reads and reports: one round of look-ups, nothing outside its namespace, the original's message for each refused
 * child.
 */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json/index.ts';
import { isSettled } from '../../lib/reconcile/settled.ts';
import type { Decision } from '../../lib/reconcile/decision.ts';
import { componentOf, graphOf, platformStore, resourceKey } from './cluster.ts';
import { config, pass } from './shell.ts';
import { Refused, type Store } from './store.ts';

const lws = ['leaderworkerset.x-k8s.io', 'scheduling.volcano.sh'];
const key = resourceKey('ComponentDeployment', 'solo');

function storeWith(spec: JsonObject): Store {
  const store = platformStore();
  store.create(componentOf('solo', spec));
  return store;
}

const spread = { replicas: 3, multinode: { nodeCount: 2 } };
const ingress = { ingress: { enabled: true, host: 'solo', ingressControllerClassName: 'nginx' }, componentType: 'frontend' };

describe('the words for a child that is refused', () => {
  test.each([
    [
      'Deployment',
      {},
      [],
      'failed to reconcile the resources: failed to create or update the deployment: create or update deployment: ',
    ],
    ['PodGroup', spread, lws, 'failed to reconcile the resources: failed to sync the PodGroup: '],
    ['LeaderWorkerSet', spread, lws, 'failed to reconcile the resources: failed to sync the LeaderWorkerSet: '],
    ['Service', {}, [], 'failed to create or update the service: '],
    ['Ingress', ingress, [], 'failed to create or update the ingress: '],
  ])('%s', (kind, spec, apiGroups, words) => {
    const refuse = new Refused(422, 'Invalid', 'no');
    const { error } = pass(storeWith(spec), key, {
      apiGroups,
      intercept: ({ target }) => (target.kind === kind ? refuse : undefined),
    });
    expect(error).toBe(`${words}no`);
  });

  test('Deployment for debugging', () => {
    const refuse = new Refused(422, 'Invalid', 'no');
    const { error } = pass(storeWith({ annotations: { 'nvidia.com/enable-stealing-traffic-debug-mode': 'true' } }), key, {
      intercept: ({ target }) => (target.kind === 'Deployment' && target.name === 'solo-d' ? refuse : undefined),
    });
    expect(error).toBe(
      'failed to reconcile the resources: failed to create or update the deployment: create or update debug deployment: no',
    );
  });

  test('Service of a model', () => {
    const refuse = new Refused(422, 'Invalid', 'no');
    const { error } = pass(storeWith({ modelRef: { name: 'Qwen/Qwen3-0.6B' } }), key, {
      intercept: ({ target }) => (target.name.startsWith('dynamo-model-') ? refuse : undefined),
    });
    expect(error).toBe('failed to sync headless service for model Qwen/Qwen3-0.6B: no');
  });
});

test('a status that is refused is not tried again in the same pass', () => {
  const store = storeWith({});
  const { error, writes } = pass(store, key, {
    intercept: ({ verb }) => (verb === 'status' ? new Refused(422, 'Invalid', 'no') : undefined),
  });
  expect(error).toContain('no');
  expect(writes.filter(({ verb }) => verb === 'status')).toEqual([]);
});

test('LeaderWorkerSets are looked at again sooner than Deployments: they may be still for a while before they move', () => {
  expect(pass(storeWith(spread), key, { apiGroups: lws }).lookAgainSeconds).toBe(15);
  expect(pass(storeWith({}), key).lookAgainSeconds).toBe(30);
});

test('one round of questions is enough, for every replica', () => {
  expect(pass(storeWith(spread), key, { apiGroups: lws }).rounds).toBe(1);
  expect(pass(storeWith({}), key).rounds).toBe(1);
});

test('a restricted operator asks for nothing in other namespaces', () => {
  const store = platformStore();
  store.create(graphOf('g'));
  const restricted = { ...config, restrictedNamespace: 'demo' };
  for (const one of [resourceKey('Deployment', 'g'), resourceKey('Deployment', 'g')]) {
    const { read } = pass(store, one, { config: restricted });
    expect([...read.keys()].filter(({ namespace }) => namespace !== 'demo' && namespace !== '')).toEqual([]);
  }
  const { read } = pass(store, resourceKey('Deployment', 'g'), { config });
  expect([...read.keys()].map(({ namespace }) => namespace)).toContain('dynamo-system');
});

describe('a decision is the last word for now', () => {
  const target = { ...key, name: 'x' };
  const patch = (op: 'add' | 'remove' | 'replace', path: string): JsonObject => ({
    verb: 'patch',
    target,
    patch: [{ op: 'test', path: '/metadata/uid', value: 'u' }, op === 'remove' ? { op, path } : { op, path, value: [] }],
  });
  test.each([
    ['nothing is written', [], true],
    ['a child is created', [{ verb: 'create', target, object: {} }], true],
    ['the status is stored', [{ verb: 'status', target, status: {} }], true],
    ['the finalizer is put on', [patch('add', '/metadata/finalizers')], true],
    ['a finalizer is added to others', [patch('add', '/metadata/finalizers/-')], true],
    ['the version is given', [patch('replace', '/metadata/resourceVersion')], true],
    ['the finalizer is taken off', [patch('remove', '/metadata/finalizers/0')], false],
    ['a child is changed', [patch('replace', '/spec')], false],
    ['a child is deleted', [{ verb: 'delete', target, uid: 'u' }], false],
    [
      'a child is created and another deleted',
      [
        { verb: 'create', target, object: {} },
        { verb: 'delete', target, uid: 'u' },
      ],
      false,
    ],
  ])('where %s: %s', (_, writes, expected) => {
    expect(isSettled({ steps: [writes], events: [] } as unknown as Decision)).toBe(expected);
  });
});
