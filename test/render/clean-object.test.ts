import { expect, test } from 'vitest';
import { cleanObject } from '../../lib/render/clean-object.ts';

test('an object for reading has no owners, no bookkeeping and no empty defaults, and all else', () => {
  expect(
    cleanObject({
      apiVersion: 'v1',
      kind: 'K',
      metadata: {
        name: 'n',
        namespace: 'ns',
        labels: { a: 'b' },
        annotations: { 'nvidia.com/last-applied-hash': 'h', 'nvidia.com/last-applied-generation': '1', own: 'x' },
        ownerReferences: [{ apiVersion: 'v1', kind: 'P', name: 'p', uid: 'u' }],
      },
      spec: {
        rolloutStrategy: { type: '' },
        template: {
          metadata: {},
          spec: { containers: [{ name: '', resources: {} }, { name: 'c', resources: { limits: {} } }, null] },
        },
        empty: {},
        list: [],
        text: '',
      },
    }),
  ).toEqual({
    apiVersion: 'v1',
    kind: 'K',
    metadata: { name: 'n', namespace: 'ns', labels: { a: 'b' }, annotations: { own: 'x' } },
    spec: {
      template: { spec: { containers: [{}, { name: 'c', resources: { limits: {} } }, null] } },
      empty: {},
      list: [],
      text: '',
    },
  });
});

test('a strategy that says something stays, and annotations that are all bookkeeping go', () => {
  const cleaned = cleanObject({
    apiVersion: 'v1',
    kind: 'K',
    metadata: { name: 'n', annotations: { 'nvidia.com/last-applied-hash': 'h' } },
    spec: { rolloutStrategy: { type: 'RollingUpdate' }, metadata: { name: 'm' } },
  });
  expect(cleaned.metadata).toStrictEqual({ name: 'n' });
  expect(cleaned['spec']).toEqual({ rolloutStrategy: { type: 'RollingUpdate' }, metadata: { name: 'm' } });
  expect(cleanObject({ apiVersion: 'v1', kind: 'K', metadata: { name: 'n' } })).toStrictEqual({
    apiVersion: 'v1',
    kind: 'K',
    metadata: { name: 'n' },
  });
});
