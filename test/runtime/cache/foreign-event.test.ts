import { describe, expect, test } from 'vitest';
import { foreignVersion } from '../../../lib/runtime/cache/foreign-event.ts';

const marker = 'nvidia.com/v1alpha1';
const look = (event: unknown, known: readonly string[] = []): string | undefined =>
  foreignVersion(Buffer.from(JSON.stringify(event)), marker, (uid) => known.includes(uid));

const foreign = {
  type: 'MODIFIED',
  object: {
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    metadata: {
      name: 'a',
      uid: 'own',
      resourceVersion: '42',
      annotations: { note: '{"uid":"quoted","resourceVersion":"1"}' },
      ownerReferences: [{ apiVersion: 'v1', uid: 'owner' }],
    },
    spec: { ref: { uid: 'other', resourceVersion: '7' } },
  },
};

describe('an event about an object of others', () => {
  test('gives its version, whatever it was', () => {
    for (const type of ['ADDED', 'MODIFIED', 'DELETED']) expect(look({ ...foreign, type })).toBe('42');
  });

  test('as the API server writes custom resources, with sorted members', () => {
    const { kind, apiVersion } = foreign.object;
    const annotations = { note: '{"uid":"quoted","resourceVersion":"1"}' };
    const metadata = { annotations, name: 'a', ownerReferences: [{ uid: 'owner' }], resourceVersion: '42', uid: 'own' };
    expect(look({ type: 'ADDED', object: { apiVersion, kind, metadata } })).toBe('42');
    expect(look({ type: 'ADDED', object: { apiVersion, kind, metadata } }, ['own'])).toBeUndefined();
  });
});

describe('only parsing tells', () => {
  test('what has the marker', () => {
    const { metadata } = foreign.object;
    const owned = { ...metadata, ownerReferences: [{ apiVersion: marker, uid: 'owner' }] };
    expect(look({ ...foreign, object: { ...foreign.object, metadata: owned } })).toBeUndefined();
  });

  test('what is known under its uid, and not what a string quotes', () => {
    expect(look(foreign, ['own'])).toBeUndefined();
    expect(look(foreign, ['quoted'])).toBe('42');
  });

  test('what is no event about an object, or not written as expected', () => {
    expect(look({ type: 'BOOKMARK', object: foreign.object })).toBeUndefined();
    expect(look({ type: 'ERROR', object: { kind: 'Status' } })).toBeUndefined();
    expect(look({ object: foreign.object, type: 'ADDED' })).toBeUndefined();
    expect(look({ type: 'ADDED', object: { metadata: { resourceVersion: '1' } } })).toBeUndefined();
    expect(look({ type: 'ADDED', object: { metadata: { uid: 'own' } } })).toBeUndefined();
  });
});
