import type { KubernetesObject } from '../../../lib/api/index.ts';
import { expect, test } from 'vitest';
import { freeze } from '../../../lib/runtime/cache/freeze.ts';
import { answers, checkSelectors, isSelected } from '../../../lib/runtime/cache/coverage.ts';
import { sameButVersion } from '../../../lib/runtime/cache/equal.ts';
import type { Select } from '../../../lib/runtime/cache/select.ts';
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

test('a watch with selectors knows which questions it can answer', () => {
  const kind = { apiVersion: 'v1', kind: 'Secret' };
  const get = { namespace: 'n', name: 'a' };
  const by = (select: Select | undefined) => ({ namespace: 'n', select });
  expect(answers(kind, get)).toBe('yes');
  expect(answers({ ...kind, selection: { namespace: 'other' } }, get)).toBe('no');
  expect(answers({ ...kind, selection: { namespace: 'other' } }, { namespace: '', select: undefined })).toBe('if found');
  const named = { ...kind, selection: { fieldSelector: 'metadata.name=a' } };
  expect([answers(named, get), answers(named, { ...get, name: 'b' }), answers(named, by(undefined))]).toEqual([
    'yes',
    'no',
    'no',
  ]);
  const typed = { ...kind, selection: { fieldSelector: 'type=kubernetes.io/dockerconfigjson' } };
  expect(answers(typed, by({ secretType: 'kubernetes.io/dockerconfigjson' }))).toBe('yes');
  expect([answers(typed, by({ secretType: 'Opaque' })), answers(typed, get)]).toEqual(['no', 'no']);
  const labelled = { ...kind, selection: { labelSelector: 'app,tier=web' } };
  expect(answers(labelled, get)).toBe('if found');
  expect(answers(labelled, by({ controllerUid: 'u' }))).toBe('together');
  expect(answers(labelled, by({ coOwnerUid: 'u' }))).toBe('together');
  expect(answers(labelled, by({ labels: { app: 'x', tier: 'web' } }))).toBe('yes');
  expect(answers(labelled, by({ labels: { app: 'x' } }))).toBe('if found');
  // Labels that are asked for do not say which ones are absent.
  const unlabelled = { ...kind, selection: { labelSelector: '!tier,app' } };
  expect(answers(unlabelled, by({ labels: { app: 'x' } }))).toBe('if found');
  expect(answers(unlabelled, by({ controllerUid: 'u' }))).toBe('together');
});

test('a watch with selectors knows which objects belong to it', () => {
  const kind = { apiVersion: 'v1', kind: 'Pod' };
  const selects = (selection: object, object = pod): boolean => isSelected({ ...kind, selection }, object);
  expect(selects({})).toBe(true);
  expect([selects({ namespace: 'n' }), selects({ namespace: 'm' })]).toEqual([true, false]);
  expect([selects({ labelSelector: 'app' }), selects({ labelSelector: 'app=x' }), selects({ labelSelector: 'app=y' })]).toEqual([
    true,
    true,
    false,
  ]);
  expect(['!app', '!tier', 'app,!tier', 'app,!app'].map((labelSelector) => selects({ labelSelector }))).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect([selects({ fieldSelector: 'metadata.name=a' }), selects({ fieldSelector: 'type=b' })]).toEqual([true, false]);
  expect(selects({ fieldSelector: 'type=b' }, { ...pod, type: 'b' })).toBe(true);
});

test('selectors that nobody could judge are refused', () => {
  const check = (selection: object) => (): void => checkSelectors({ apiVersion: 'v1', kind: 'Pod', selection });
  expect(check({ labelSelector: 'example.com/app,!other,tier=', fieldSelector: 'metadata.name=a,type=b/c' })).not.toThrow();
  const unknown = ['app in (a)', '!app=x', '!!app', '!'].map((labelSelector) => ({ labelSelector }));
  for (const selection of [...unknown, { fieldSelector: 'metadata.name!=a' }])
    expect(check(selection)).toThrow(/may be key, !key, key=value and field=value only/);
});
