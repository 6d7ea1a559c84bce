import { expect, test } from 'vitest';
import { canonicalText } from '../../lib/render/index.ts';

const named = (...names: readonly (string | undefined)[]): readonly object[] =>
  names.map((name, i) => ({ i, ...(name !== undefined && { name }) }));
const order = (items: readonly object[]): readonly number[] =>
  (JSON.parse(canonicalText(items)) as readonly { readonly i: number }[]).map(({ i }) => i);

// Computed with Go's sort.SliceStable: items without a name equal every other one, so the order contradicts itself.
test.each([
  [
    ['z', 'b', 'a'],
    [2, 1, 0],
  ],
  [
    ['z', undefined, 'a'],
    [0, 1, 2],
  ],
  [
    ['z', undefined, 'b', 'a'],
    [0, 1, 3, 2],
  ],
  [
    ['x', 'y', 'z', undefined, 'w', 'v'],
    [0, 1, 2, 3, 5, 4],
  ],
  [
    ['c', 'b', undefined, 'a', undefined, 'A', 'B', 'a'],
    [1, 0, 2, 3, 4, 5, 6, 7],
  ],
] as const)('sorts a list of which only some items have a name as Go does: %j', (names, expected) => {
  expect(order(named(...names))).toEqual(expected);
});

test('sorts long lists of objects by name and keeps equal ones in place', () => {
  const items = Array.from({ length: 50 }, (_, i) => ({ i, name: `n${(i * 7) % 10}` }));
  const sorted = items.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.i - b.i));
  expect(order(items)).toEqual(sorted.map(({ i }) => i));
});

test('sorts objects without names by their first key, and not at all where one is empty', () => {
  expect(canonicalText([{ secretRef: {} }, { configMapRef: {} }])).toBe('[{"configMapRef":{}},{"secretRef":{}}]');
  expect(canonicalText([{ secretRef: {} }, {}, { configMapRef: {} }])).toBe('[{"secretRef":{}},{},{"configMapRef":{}}]');
});
