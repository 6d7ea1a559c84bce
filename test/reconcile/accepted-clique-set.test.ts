import { expect, test } from 'vitest';
import { listAt, stringAt, valueAt } from '../../lib/json/index.ts';
import { settle } from './cluster.ts';
import { runGrove } from './grove.ts';
import { aggregated, clique, key, message, options, set, settled } from './grove-life.ts';
import { pass } from './shell.ts';
import type { Store } from './store.ts';

test('scales a group to zero, but writes no template over a live set that Grove accepts once and then never lets go', () => {
  const store = settled({ services: { aggregated } });
  const hash = () => stringAt(store.get(set), 'metadata', 'annotations', 'nvidia.com/last-applied-hash');
  const groups = () => listAt(store.get(set), 'spec', 'template', 'podCliqueScalingGroups');
  const before = hash();
  store.patch(key, [{ op: 'replace', path: '/spec/services/aggregated/replicas', value: 0 }]);
  const scales = pass(store, key, options).writes.filter(({ verb }) => verb === 'scale');
  expect(scales).toMatchObject([{ target: { kind: 'PodCliqueScalingGroup' }, replicas: 0 }]);
  expect(groups()).toMatchObject([{ name: 'aggregated', replicas: 1 }]);
  expect(hash()).not.toBe(before);
  settle(store, options, runGrove);
  store.patch(key, [{ op: 'replace', path: '/spec/services/aggregated/replicas', value: 2 }]);
  settle(store, options, runGrove);
  expect(groups()).toMatchObject([{ replicas: 2 }]);
  expect([store.get(key), hash()]).toMatchObject([{ status: { state: 'successful' } }, before]);
});

test('tells that Grove refuses to create a group without replicas', () => {
  const store = settled({ services: { aggregated: { ...aggregated, replicas: 0 } } });
  expect(store.get(set)).toBeUndefined();
  expect(message(store)).toMatch(/podCliqueScalingGroups\.replicas: Invalid value: 0: must be greater than 0/);
});

const generations = (store: Store) => [
  valueAt(store.get(set), 'metadata', 'generation'),
  Number(valueAt(store.get(set), 'metadata', 'annotations', 'nvidia.com/last-applied-generation')),
];
const setWrites = (store: Store) =>
  settle(store, options, runGrove)
    .passes.flatMap(({ writes }) => writes)
    .filter(({ target }) => target.kind === 'PodCliqueSet').length;

test.each([
  ['a group is scaled to zero', { op: 'replace', path: '/spec/services/aggregated/replicas', value: 0 }, 1],
  ['a clique is scaled to zero', { op: 'replace', path: '/spec/services/single/replicas', value: 0 }, 1],
  ['a service gets another image', { op: 'add', path: '/spec/envs', value: [{ name: 'A', value: 'b' }] }, 1],
  ['a service gives up its affinity', { op: 'remove', path: '/spec/services/single/extraPodSpec/affinity' }, 2],
] as const)('undoes an edit of a PodCliqueSet that Grove has filled in, right after %s', (_when, change, writes) => {
  const mainContainer = { ...aggregated.extraPodSpec.mainContainer, ports: [{ name: 'own', containerPort: 7000 }] };
  const extraPodSpec = { mainContainer, affinity: { nodeAffinity: {} } };
  const several = { ...aggregated, replicas: 1, extraPodSpec: { mainContainer } };
  const graph = { services: { aggregated: several, single: { componentType: 'worker', replicas: 1, extraPodSpec } } };
  const undisturbed = settled(graph);
  undisturbed.patch(key, [change]);
  expect(setWrites(undisturbed)).toBe(writes);
  const [generation, applied] = generations(undisturbed);
  expect(applied).toBe(generation);
  const store = settled(graph);
  const delay = () => valueAt(store.get(set), 'spec', 'template', 'terminationDelay');
  store.patch(key, [change]);
  pass(store, key, options);
  store.patch(set, [{ op: 'add', path: '/spec/template/terminationDelay', value: '1s' }]);
  settle(store, options, runGrove);
  expect(delay()).toBe('15m0s');
});

test('corrects a generation that the original operator has recorded too high, and writes nothing else', () => {
  const store = settled();
  const path = '/metadata/annotations/nvidia.com~1last-applied-generation';
  store.patch(set, [{ op: 'replace', path, value: '2' }]);
  const [write] = pass(store, key, options).writes;
  expect(write).toMatchObject({ verb: 'patch', target: set, patch: [{ op: 'test' }, { op: 'add', path, value: '1' }] });
  expect(store.get(key)).toMatchObject({ status: { state: 'successful' } });
  expect(pass(store, key, options).writes).toEqual([]);
});

test.each([
  [
    { path: '/spec/services/decode/extraPodSpec/schedulerName', value: 'other' },
    'the pods of all services must have the same schedulerName on Grove, got default-scheduler and other',
  ],
  [{ path: '/spec/services/decode/labels', value: { 'a b': 'x' } }, /clique decode\.labels: a key must .*got "a b"$/],
  [{ path: '/spec/services/decode/annotations', value: { 'a/b/c': 'x' } }, /clique decode\.annotations: a key must .*"a\/b\/c"$/],
])('fails where Grove would accept an invalid change once and then never let the set go: %j', (change, fault) => {
  const store = settled();
  store.patch(key, [{ op: 'add', ...change }]);
  const { writes } = pass(store, key, options);
  expect(writes.map(({ verb, target }) => `${verb} ${target.kind}`)).toEqual(['status DynamoGraphDeployment']);
  expect(message(store)).toMatch(fault);
  expect(message(store)).toMatch(/failed to sync the Grove GangSet: /);
});

test('scales cliques while a change that Grove would never let go waits for its correction', () => {
  const store = settled();
  store.patch(key, [{ op: 'add', path: '/spec/services/decode/extraPodSpec/schedulerName', value: 'other' }]);
  settle(store, options, runGrove);
  store.patch(key, [{ op: 'replace', path: '/spec/services/prefill/replicas', value: 3 }]);
  const { writes, error } = pass(store, key, options);
  expect(writes).toMatchObject([{ verb: 'scale', target: clique('prefill'), replicas: 3 }]);
  expect(error).toMatch(/must have the same schedulerName/);
  store.patch(key, [{ op: 'remove', path: '/spec/services/decode/extraPodSpec/schedulerName' }]);
  settle(store, options, runGrove);
  expect(store.get(key)).toMatchObject({ status: { state: 'successful', services: { prefill: { readyReplicas: 3 } } } });
});
