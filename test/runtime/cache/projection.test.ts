import type { KubernetesObject } from '../../../lib/api/index.ts';
import { expect, test } from 'vitest';
import { freeze } from '../../../lib/runtime/cache/freeze.ts';
import { sameButVersion } from '../../../lib/runtime/cache/equal.ts';
import { keepFields, metadataOnly, wholeObject } from '../../../lib/runtime/cache/projection.ts';

const pod: KubernetesObject = freeze({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'a',
    namespace: 'n',
    labels: { app: 'x' },
    managedFields: [{ manager: 'kubectl' }],
    annotations: { mine: '1', 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
  },
  spec: { nodeName: 'node', containers: [{ name: 'main' }] },
  status: { phase: 'Running', conditions: [] },
});

test('projections keep what they say and leave the object alone', () => {
  const metadata = { name: 'a', namespace: 'n', labels: { app: 'x' }, annotations: { mine: '1' } };
  expect(wholeObject(pod)).toEqual({ ...pod, metadata });
  expect(metadataOnly(pod)).toEqual({ apiVersion: 'v1', kind: 'Pod', metadata });
  expect(keepFields('status.phase', 'spec.nodeName', 'spec.absent.deep', 'status.phase.deeper')(pod)).toEqual({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata,
    spec: { nodeName: 'node' },
    status: { phase: 'Running' },
  });
  const plain = { ...pod, metadata };
  expect(wholeObject(plain)).toBe(plain);
});

test('objects that differ in their version alone are the same', () => {
  const at = (resourceVersion: string, extra = {}): KubernetesObject => ({
    ...pod,
    ...extra,
    metadata: { name: 'a', resourceVersion },
  });
  expect(sameButVersion(at('1'), at('2'))).toBe(true);
  expect(sameButVersion(at('1'), at('2', { status: { phase: 'Failed', conditions: [] } }))).toBe(false);
  expect(sameButVersion(at('1'), at('1', { more: true }))).toBe(false);
  expect(sameButVersion(at('1', { list: [1, 2] }), at('1', { list: [1] }))).toBe(false);
});
