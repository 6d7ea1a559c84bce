import { expect, test } from 'vitest';
import { withoutNulls } from '../../lib/json/index.ts';

test('removes null and undefined fields at every level and keeps the items of lists', () => {
  expect(withoutNulls({ a: null, b: { c: null, d: 0 }, e: [null, { f: null }], g: undefined, h: '' })).toEqual({
    b: { d: 0 },
    e: [null, {}],
    h: '',
  });
  expect(Object.keys(withoutNulls({ a: undefined, b: 1 }))).toEqual(['b']);
});

test('returns a value without nulls as it is', () => {
  const value = { a: [{ b: 1 }], c: 'x' };
  expect(withoutNulls(value)).toBe(value);
  expect(withoutNulls(null)).toBe(null);
});

test('keeps a key named __proto__', () => {
  const value: unknown = JSON.parse('{"a": null, "__proto__": {"b": 1}}');
  expect(JSON.stringify(withoutNulls(value))).toBe('{"__proto__":{"b":1}}');
});
