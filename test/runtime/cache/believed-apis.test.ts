import { expect, test } from 'vitest';
import type { ServedApis } from '../../../lib/runtime/api/discovery.ts';
import { BelievedApis } from '../../../lib/runtime/cache/believed-apis.ts';

const kinds = [{ apiVersion: 'grove.io/v1alpha1', kind: 'PodClique' }] as const;
const served = (groups: readonly string[], hasKind = groups.includes('grove.io')): ServedApis => ({
  groups: new Set(groups),
  serves: () => hasKind,
});

test('believes at once what appears', () => {
  const believed = new BelievedApis();
  expect(believed.current).toBeUndefined();
  const both = served(['apps', 'grove.io']);
  expect([believed.take(served(['apps']), kinds), believed.take(both, kinds), believed.take(both, kinds)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(believed.current).toBe(both);
});

test('believes that a group or a watched kind is gone after three answers in a row', () => {
  for (const less of [served(['apps']), served(['apps', 'grove.io'], false)]) {
    const believed = new BelievedApis();
    const full = served(['apps', 'grove.io']);
    believed.take(full, kinds);
    expect([believed.take(less, kinds), believed.take(less, kinds), believed.take(full, kinds)]).toEqual([false, false, false]);
    expect([believed.take(less, kinds), believed.take(less, kinds), believed.current === full]).toEqual([false, false, true]);
    expect([believed.take(less, kinds), believed.current === less]).toEqual([true, true]);
  }
});

test('believes at once what appears, also while something else is missing', () => {
  const believed = new BelievedApis();
  believed.take(served(['apps', 'cert-manager.io']), kinds);
  const other = served(['apps', 'grove.io']);
  expect([believed.take(other, kinds), believed.current?.serves(kinds[0])]).toEqual([true, true]);
  expect([...(believed.current?.groups ?? [])].toSorted()).toEqual(['apps', 'cert-manager.io', 'grove.io']);
  expect([believed.take(other, kinds), believed.take(other, kinds), believed.current === other]).toEqual([false, true, true]);
});

test('believes a watched kind at once that appears in a group that is known, also while a group is missing', () => {
  const believed = new BelievedApis();
  believed.take(served(['apps', 'cert-manager.io', 'grove.io'], false), kinds);
  expect([believed.take(served(['apps', 'grove.io'], true), kinds), believed.current?.serves(kinds[0])]).toEqual([true, true]);
});
