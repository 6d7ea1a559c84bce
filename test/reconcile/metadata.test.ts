import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json/index.ts';
import {
  annotationsOf,
  controllerOf,
  generationOf,
  guardedPatch,
  hasFinalizer,
  isDeleting,
  keyOf,
  labelsOf,
  metadataPatch,
  ownersOf,
  uidOf,
} from '../../lib/reconcile/metadata.ts';
import { controlledBy, controls, foreignOwner, ownershipOf } from '../../lib/reconcile/ownership.ts';

const object = (metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 's', namespace: 'demo', resourceVersion: '7', ...metadata },
});
const guard = { op: 'test', path: '/metadata/resourceVersion', value: '7' };
const target = { apiVersion: 'v1', kind: 'Service', namespace: 'demo', name: 's' };
const patches = (metadata: JsonObject, change: Parameters<typeof metadataPatch>[1]): unknown =>
  metadataPatch(object(metadata), change).map((write) => (write.verb === 'patch' ? write.patch : write));

test('reads what metadata says, and takes what it does not say for nothing', () => {
  const full = object({ uid: 'u', generation: 3, labels: { a: 'b' }, annotations: { c: 'd' }, ownerReferences: [{ uid: 'o' }] });
  expect(keyOf(full)).toEqual(target);
  expect([uidOf(full), generationOf(full), labelsOf(full), annotationsOf(full), ownersOf(full)]).toEqual([
    'u',
    3,
    { a: 'b' },
    { c: 'd' },
    [{ uid: 'o' }],
  ]);
  expect(keyOf({})).toEqual({ apiVersion: '', kind: '', namespace: '', name: '' });
  expect([uidOf({}), generationOf({}), labelsOf({}), annotationsOf({}), ownersOf({})]).toEqual(['', 0, {}, {}, []]);
  expect([isDeleting({}), isDeleting(object({ deletionTimestamp: '2026-01-01T00:00:00Z' }))]).toEqual([false, true]);
  expect([hasFinalizer({}), hasFinalizer(object({ finalizers: ['a'] }))]).toEqual([false, false]);
  expect(hasFinalizer(object({ finalizers: ['a', 'nvidia.com/finalizer'] }))).toBe(true);
});

test('the controller is the owner that says so', () => {
  const [other, controller] = [
    { uid: 'a', controller: false },
    { uid: 'b', controller: true },
  ];
  expect(controllerOf(object({ ownerReferences: [other, controller] }))).toBe(controller);
  expect(controllerOf(object({ ownerReferences: [other, 'odd'] }))).toBeUndefined();
});

describe('a patch of metadata', () => {
  test('adds the finalizer to none, to others, and not twice', () => {
    const finalizer = 'nvidia.com/finalizer';
    expect(patches({}, { finalizer: 'add' })).toEqual([[guard, { op: 'add', path: '/metadata/finalizers', value: [finalizer] }]]);
    expect(patches({ finalizers: ['a'] }, { finalizer: 'add' })).toEqual([
      [guard, { op: 'add', path: '/metadata/finalizers/-', value: finalizer }],
    ]);
    expect(patches({ finalizers: [finalizer] }, { finalizer: 'add' })).toEqual([]);
  });

  test('removes the finalizer from its place, where it is there', () => {
    expect(patches({ finalizers: ['a', 'nvidia.com/finalizer', 'b'] }, { finalizer: 'remove' })).toEqual([
      [guard, { op: 'remove', path: '/metadata/finalizers/1' }],
    ]);
    expect(patches({ finalizers: ['nvidia.com/finalizer'] }, { finalizer: 'remove' })).toEqual([
      [guard, { op: 'remove', path: '/metadata/finalizers/0' }],
    ]);
    expect(patches({ finalizers: ['a'] }, { finalizer: 'remove' })).toEqual([]);
    expect(patches({}, {})).toEqual([]);
  });

  test('sets and removes annotations that differ', () => {
    const map = { op: 'add', path: '/metadata/annotations', value: {} };
    expect(patches({}, { annotations: { 'a/b': 'c' } })).toEqual([
      [guard, map, { op: 'add', path: '/metadata/annotations/a~1b', value: 'c' }],
    ]);
    expect(patches({ annotations: {} }, { annotations: { a: 'c' } })).toEqual([
      [guard, { op: 'add', path: '/metadata/annotations/a', value: 'c' }],
    ]);
    expect(patches({ annotations: { a: 'b', c: 'd' } }, { annotations: { a: 'x', c: null } })).toEqual([
      [guard, { op: 'add', path: '/metadata/annotations/a', value: 'x' }, { op: 'remove', path: '/metadata/annotations/c' }],
    ]);
    expect(patches({ annotations: { a: 'b' } }, { annotations: { a: 'b', gone: null } })).toEqual([]);
  });

  test('replaces owners, together with the rest', () => {
    const owners = [{ uid: 'o' }];
    expect(patches({}, { finalizer: 'add', owners })).toEqual([
      [
        guard,
        { op: 'add', path: '/metadata/finalizers', value: ['nvidia.com/finalizer'] },
        { op: 'add', path: '/metadata/ownerReferences', value: owners },
      ],
    ]);
  });

  test('is about the very object it was decided on', () => {
    expect(guardedPatch(object(), [{ op: 'remove', path: '/x' }])).toEqual({
      verb: 'patch',
      target,
      patch: [guard, { op: 'remove', path: '/x' }],
    });
  });
});

describe('ownership', () => {
  const owned = (uid: string, more: JsonObject = {}): JsonObject =>
    object({ ownerReferences: [{ kind: 'Shop', name: 'x', uid, controller: true, ...more }] });
  const parent = { metadata: { uid: 'parent', ownerReferences: [{ uid: 'grand', controller: true }] } };

  test('is seen from the parent', () => {
    const uids = new Set(['child']);
    expect(ownershipOf(owned('parent'), parent, uids)).toBe('own');
    expect(ownershipOf(owned('grand'), parent, uids)).toBe('parents');
    expect(ownershipOf(owned('child'), parent, uids)).toBe('childs');
    expect(ownershipOf(owned('other'), parent, uids)).toBe('foreign');
    expect(ownershipOf(object(), parent, uids)).toBe('free');
    expect(ownershipOf(owned('parent', { controller: false }), parent, uids)).toBe('free');
    expect([controls(parent, owned('parent')), controls(parent, owned('other')), controls(parent, object())]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('of others is named, with what to do', () => {
    expect(foreignOwner(owned('other'))).toBe(
      'Service "s" is controlled by Shop "x": rename or remove it, or rename this resource',
    );
  });

  test('passes to a new controller, once, and other owners stay', () => {
    const [controller, other] = [{ uid: 'a', controller: true }, { uid: 'b' }];
    const reference = { uid: 'n', controller: true };
    expect(controlledBy(object({ ownerReferences: [controller, other, { uid: 'n' }] }), reference)).toEqual([other, reference]);
    expect(controlledBy(object(), reference)).toEqual([reference]);
  });
});
