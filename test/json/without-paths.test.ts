import { expect, test } from 'vitest';
import { withoutPaths } from '../../lib/json/index.ts';

const value = { spec: { a: 1, b: { c: 2, d: 3 }, list: [{ x: 1, y: 2 }, 'item'] }, other: null };

test('removes fields at every depth, also in the items of lists', () => {
  const paths = [['spec', 'a'], ['spec', 'b', 'c'], ['spec', 'list', 0, 'x'], ['other']];
  expect(withoutPaths(value, paths)).toEqual({ spec: { b: { d: 3 }, list: [{ y: 2 }, 'item'] } });
});

test('keeps items of lists and everything else, and does not change the value', () => {
  const before = structuredClone(value);
  expect(withoutPaths(value, [['spec', 'list', 1], ['missing'], ['spec', 'a', 'b']])).toEqual(before);
  expect(value).toEqual(before);
  expect(withoutPaths(value, [])).toBe(value);
});
