import { expect, test } from 'vitest';
import { groupOf } from '../../lib/api/index.ts';

test.each([
  ['v1', ''],
  ['apps/v1', 'apps'],
  ['nvidia.com/v1alpha1', 'nvidia.com'],
  ['/v1', ''],
  ['', ''],
])('the API group of %j is %j', (apiVersion, group) => {
  expect(groupOf(apiVersion)).toBe(group);
});
