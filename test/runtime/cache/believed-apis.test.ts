import { expect, test } from 'vitest';
import type { ServedApis } from '../../../lib/runtime/api/discovery.ts';
import { BelievedApis } from '../../../lib/runtime/cache/believed-apis.ts';

const kinds = [{ apiVersion: 'grove.io/v1alpha1', kind: 'PodClique' }];
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
