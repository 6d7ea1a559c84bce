import type { KubernetesObject, NamedObjectMeta } from '../../../lib/api/index.ts';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { freeze } from '../../../lib/runtime/cache/freeze.ts';
import { type Change, Store } from '../../../lib/runtime/cache/store.ts';
import { collectGarbage } from '../../../lib/runtime/small-heap.ts';
import { compareVersions } from '../../../lib/runtime/cache/version.ts';

function object(
  name: string,
  resourceVersion: number,
  fields: Partial<NamedObjectMeta> & { readonly data?: string } = {},
): KubernetesObject {
  const { data, ...metadata } = fields;
  return freeze({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'n', name, uid: `uid-${name}`, resourceVersion: String(resourceVersion), ...metadata },
    data: data ?? `at ${resourceVersion}`,
  });
}

let changes: Change[] = [];
const told = (): readonly string[] =>
  changes
    .splice(0)
    .map(({ before, after }) => `${before?.metadata.resourceVersion ?? 'none'} -> ${after?.metadata.resourceVersion ?? 'none'}`);
const newStore = (): Store =>
  new Store({ labels: ['app'], indexes: { firstLetter: ({ metadata }) => [metadata.name.slice(0, 1)] } }, (change) =>
    changes.push(change),
  );
const versionOf = (store: Store, name = 'a'): string | undefined => store.get('n', name)?.metadata.resourceVersion;

beforeEach(() => {
  changes = [];
});

describe('an object never goes back', () => {
  test('to an older version, from whatever source', () => {
    const store = newStore();
    store.put(object('a', 10));
    store.put(object('a', 9));
    store.put(object('a', 10));
    expect([versionOf(store), told()]).toEqual(['10', ['none -> 10']]);
    store.put(object('a', 11));
    expect([versionOf(store), told()]).toEqual(['11', ['10 -> 11']]);
  });

  test('when its deletion is older than what is known', () => {
    const store = newStore();
    store.put(object('a', 12, { uid: 'second' }));
    store.remove(object('a', 11, { uid: 'first' }));
    expect(versionOf(store)).toBe('12');
  });

  test('after an answer said it is gone, until another object takes its name', () => {
    const store = newStore();
    store.put(object('a', 10));
    store.removeForGood('n/a', 'uid-a');
    store.put(object('a', 11));
    expect([versionOf(store), told()]).toEqual([undefined, ['none -> 10', '10 -> none']]);
    store.remove(object('a', 12));
    store.put(object('a', 13, { uid: 'second' }));
    expect(told()).toEqual(['none -> 13']);
  });

  test('while its deletion is one of the last thousand: the watch need not show one later', () => {
    const store = newStore();
    for (const name of ['a', 'b']) store.removeForGood(`n/${name}`, `uid-${name}`);
    store.removeForGood('n/a', 'uid-a');
    for (let count = 0; count < 999; count += 1) store.removeForGood(`n/other-${count}`, `uid-${count}`);
    for (const name of ['a', 'b']) store.put(object(name, 11));
    expect([versionOf(store, 'a'), versionOf(store, 'b')]).toEqual([undefined, '11']);
  });

  test('to life when the watch has shown its deletion before the answer to its creation comes', () => {
    const store = newStore();
    store.put(object('a', 10));
    store.remove(object('a', 11));
    store.advance('11');
    store.putWritten(object('a', 10));
    expect([versionOf(store), told()]).toEqual([undefined, ['none -> 10', '10 -> none']]);
    store.putWritten(object('a', 11));
    expect([versionOf(store), told()]).toEqual([undefined, []]);
    store.putWritten(object('a', 12, { uid: 'second' }));
    expect([versionOf(store), told()]).toEqual(['12', ['none -> 12']]);
    // What it knows stays open to answers, however far the watch is.
    store.advance('20');
    store.putWritten(object('a', 15, { uid: 'second' }));
    expect(versionOf(store)).toBe('15');
    store.clear();
    store.putWritten(object('a', 16));
    expect(versionOf(store)).toBe('16');
  });

  test('to gone when the answer is about an older object of the same name', () => {
    const store = newStore();
    store.put(object('a', 13, { uid: 'second' }));
    store.removeForGood('n/a', 'uid-a');
    expect(versionOf(store)).toBe('13');
  });
});

describe('a list', () => {
  const list = (
    store: Store,
    items: readonly KubernetesObject[],
    version: number,
    startedAt = store.tick(),
    isReset = false,
  ): void => store.replace({ items, resourceVersion: String(version), startedAt, isReset });

  test('replaces what is known and tells only what differs', () => {
    const store = newStore();
    list(store, [object('a', 1), object('b', 2), object('c', 3)], 5);
    told();
    list(store, [object('a', 1), object('b', 8), object('d', 9)], 10);
    expect(told()).toEqual(['2 -> 8', 'none -> 9', '3 -> none']);
  });

  test('does not undo writes that are younger', () => {
    const store = newStore();
    const startedAt = store.tick();
    store.put(object('a', 20));
    store.put(object('new', 21));
    store.put(object('b', 5));
    store.removeForGood('n/b', 'uid-b');
    list(store, [object('a', 10), object('b', 5)], 15, startedAt);
    expect([versionOf(store), versionOf(store, 'new'), versionOf(store, 'b')]).toEqual(['20', '21', undefined]);
  });

  test('shows again what was believed deleted before it began', () => {
    const store = newStore();
    store.put(object('a', 5));
    store.removeForGood('n/a', 'uid-a');
    list(store, [object('a', 6)], 10);
    expect(versionOf(store)).toBe('6');
  });

  test('is the whole truth when versions went back, as after a restore', () => {
    const store = newStore();
    list(store, [object('a', 1000), object('b', 1001)], 1002);
    told();
    list(store, [object('a', 500)], 600, store.tick(), true);
    expect(told()).toEqual(['1000 -> 500', '1001 -> none']);
  });

  // As after `etcdctl snapshot restore --bump-revision`: the list is younger than all before it, its objects are older than they were.
  test('is the whole truth about what is not younger than it', () => {
    const store = newStore();
    list(store, [object('a', 90), object('b', 91), object('c', 92)], 99);
    told();
    list(store, [object('a', 60), object('b', 91, { data: 'of another history' })], 1000);
    expect(told()).toEqual(['90 -> 60', '91 -> 91', '92 -> none']);
  });
});

test('tells nothing when nothing but the version changed, and keeps the version', () => {
  const store = newStore();
  store.put(object('a', 1, { data: 'same' }));
  store.put(object('a', 2, { data: 'same' }));
  expect([told(), versionOf(store)]).toEqual([['none -> 1'], '2']);
});

describe('objects are found', () => {
  const owner = { apiVersion: 'v1', kind: 'K', name: 'o', uid: 'owner', controller: true };
  const fill = (): Store => {
    const store = newStore();
    store.put(object('b', 1, { labels: { app: 'x', tier: 'web' }, ownerReferences: [owner] }));
    store.put(object('a', 2, { labels: { app: 'x', tier: 'db' } }));
    store.put(object('c', 3, { labels: { app: 'y', tier: 'web' }, ownerReferences: [{ ...owner, controller: false }] }));
    store.put(object('a', 4, { namespace: 'other', labels: { app: 'x', tier: 'web' } }));
    return store;
  };
  const names = (objects: readonly KubernetesObject[]): readonly string[] =>
    objects.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);

  test.each([
    ['by controller', 'n', { controllerUid: 'owner' }, ['n/b']],
    ['by an owner that does not control them', 'n', { coOwnerUid: 'owner' }, ['n/c']],
    ['by an indexed label', 'n', { labels: { app: 'x' } }, ['n/a', 'n/b']],
    ['by a label without index', 'n', { labels: { tier: 'web' } }, ['n/b', 'n/c']],
    ['by both', 'n', { labels: { tier: 'web', app: 'x' } }, ['n/b']],
    ['by an index of their own', 'n', { index: 'firstLetter', value: 'c' }, ['n/c']],
    ['in all namespaces', '', { labels: { app: 'x', tier: 'web' } }, ['n/b', 'other/a']],
    ['by namespace alone', 'n', undefined, ['n/a', 'n/b', 'n/c']],
    ['nowhere', 'absent', { labels: { app: 'x' } }, []],
  ])('%s', (_, namespace, select, expected) => {
    expect(names(fill().list(namespace, select))).toEqual(expected);
  });

  test('where they are now, not where they were', () => {
    const store = fill();
    store.put(object('b', 9, { labels: { app: 'z' } }));
    store.remove(object('a', 9));
    expect(names(store.list('n', { labels: { app: 'x' } }))).toEqual([]);
    expect(names(store.list('n', { controllerUid: 'owner' }))).toEqual([]);
    expect(names(store.list('n', { labels: { app: 'z' } }))).toEqual(['n/b']);
    store.clear();
    expect([store.size, store.list('')]).toEqual([0, []]);
  });
});

test('ends with the newest version whatever the order in which a watch and answers come', () => {
  const version = fc.integer({ min: 1, max: 30 });
  fc.assert(
    fc.property(fc.array(version, { minLength: 1, maxLength: 20 }), (versions) => {
      const store = newStore();
      for (const each of versions) store.put(object('a', each));
      expect(versionOf(store)).toBe(String(Math.max(...versions)));
    }),
  );
});

test('knows versions of own writes until the watch shows them, and only those it took', () => {
  const store = newStore();
  store.putWritten(object('a', 10));
  store.putWritten(object('a', 9));
  store.put(object('b', 11));
  expect(['9', '10', '11'].map((version) => store.takeWritten(version))).toEqual([false, true, false]);
  expect(store.takeWritten('10')).toBe(false);
  expect(versionOf(store)).toBe('10');
  for (let version = 20; version <= 1020; version += 1) store.putWritten(object('a', version));
  expect(['20', '21', '1020'].map((version) => store.takeWritten(version))).toEqual([false, true, true]);
});

test.each([
  ['a list', (store: Store) => store.replace({ items: [], resourceVersion: '9', startedAt: store.tick(), isReset: true })],
  ['the end of the kind', (store: Store) => store.clear()],
] as const)('forgets versions of own writes with %s, since others may write the same', (_, forget) => {
  const store = newStore();
  store.putWritten(object('a', 10));
  forget(store);
  expect(store.takeWritten('10')).toBe(false);
});

test('knows the uids it holds', () => {
  const store = newStore();
  store.put(object('a', 1));
  store.put(object('a', 2, { uid: 'second' }));
  expect([store.hasUid('uid-a'), store.hasUid('second')]).toEqual([false, true]);
  store.remove(object('a', 3, { uid: 'second' }));
  expect(store.hasUid('second')).toBe(false);
});

test('orders versions as numbers of any length, and others not at all', () => {
  expect(compareVersions('9', '10')).toBeLessThan(0);
  expect(compareVersions('90071992547409930', '90071992547409929')).toBeGreaterThan(0);
  expect([compareVersions('7', '7'), compareVersions('a', 'b'), compareVersions('', '5'), compareVersions('a', 'a')]).toEqual([
    0,
    undefined,
    undefined,
    0,
  ]);
});

test('nothing is left in memory of objects that came and went', async () => {
  const store = new Store({ labels: ['app'] }, () => {});
  const comeAndGo = async (from: number): Promise<number> => {
    for (let index = from; index < from + 10_000; index += 1) {
      const owner = { apiVersion: 'v1', kind: 'Owner', name: 'o', uid: `owner-${index}`, controller: true };
      const fields = { namespace: `n${index}`, labels: { app: `app-${index}` }, ownerReferences: [owner] };
      store.put(object(`o${index}`, index + 1, fields));
      store.remove(object(`o${index}`, index + 2, fields));
    }
    await collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = await comeAndGo(0);
  expect(await comeAndGo(10_000)).toBeLessThan(before + 1_000_000);
});
