import { describe, expect, test } from 'vitest';
import { isForeignEvent } from '../../../lib/runtime/cache/foreign-event.ts';

const marker = Buffer.from('nvidia.com/v1alpha1');
const isForeign = (event: unknown, known: readonly string[] = []): boolean =>
  isForeignEvent(Buffer.from(JSON.stringify(event)), marker, (uid) => known.includes(uid));

const foreign = {
  type: 'MODIFIED',
  object: {
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    metadata: {
      name: 'a',
      uid: 'own',
      annotations: { note: '{"uid":"quoted"}' },
      ownerReferences: [{ apiVersion: 'v1', uid: 'owner' }],
    },
  },
};

test('an event about an object of others is recognized, whatever it tells', () => {
  for (const type of ['ADDED', 'MODIFIED', 'DELETED']) expect(isForeign({ ...foreign, type })).toBe(true);
});

describe('only parsing tells', () => {
  test('what has the marker', () => {
    const { metadata } = foreign.object;
    const owned = { ...metadata, ownerReferences: [{ apiVersion: 'nvidia.com/v1alpha1', uid: 'owner' }] };
    expect(isForeign({ ...foreign, object: { ...foreign.object, metadata: owned } })).toBe(false);
  });

  test('what is known under its uid, wherever that stands, and not what a string quotes', () => {
    expect(isForeign(foreign, ['own'])).toBe(false);
    const { uid, ...rest } = foreign.object.metadata;
    expect(isForeign({ ...foreign, object: { metadata: { ...rest, uid } } }, ['own'])).toBe(false);
    expect(isForeign(foreign, ['quoted'])).toBe(true);
  });

  test('what is no event about an object, or not written as expected', () => {
    expect(isForeign({ type: 'BOOKMARK', object: foreign.object })).toBe(false);
    expect(isForeign({ type: 'ERROR', object: { kind: 'Status' } })).toBe(false);
    expect(isForeign({ object: foreign.object, type: 'ADDED' })).toBe(false);
    expect(isForeign({ type: 'ADDED', object: { metadata: { name: 'a' } } })).toBe(false);
    expect(isForeignEvent(Buffer.from('{'), marker, () => false)).toBe(false);
    const whole = JSON.stringify(foreign);
    expect(isForeignEvent(Buffer.from(whole), marker, () => false)).toBe(true);
    expect(isForeignEvent(Buffer.from(whole.slice(0, -20)), marker, () => false)).toBe(false);
  });
});
