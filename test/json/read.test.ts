import { expect, test } from 'vitest';
import {
  findCount,
  findNumber,
  findObject,
  findString,
  isEqual,
  isTrueAt,
  listAt,
  objectAt,
  objectsAt,
  setKey,
  stringAt,
  stringMapAt,
  valueAt,
  type Json,
} from '../../lib/json/index.ts';

const value: Json = {
  name: 'worker',
  empty: null,
  count: '8',
  size: 9n,
  on: true,
  labels: { app: 'x', odd: 3 },
  items: [{ a: 1 }, 'text', null, { a: [2] }],
};

test('reads along keys of objects and indexes of lists', () => {
  expect(valueAt(value, 'items', 3, 'a', 0)).toBe(2);
  expect(valueAt(value)).toBe(value);
});

test('finds nothing at a missing key, at null, below a scalar, and in the prototype', () => {
  for (const keys of [['x'], ['empty'], ['name', 'length'], ['items', 'length'], ['toString'], ['items', 9], ['labels', 0]])
    expect(valueAt(value, ...keys)).toBeUndefined();
});

test('what is there with another type counts as missing', () => {
  expect([findObject(value, 'items'), findString(value, 'on'), findNumber(value, 'count')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect([objectAt(value, 'name'), stringAt(value, 'size'), listAt(value, 'labels')]).toEqual([{}, '', []]);
});

test('reads numbers of any width, and counts also from digits', () => {
  expect(findNumber(value, 'size')).toBe(9);
  expect(['8x', '8.5', '-8', ' 8', '', '1234567890'].map((count) => findCount(count))).toEqual(Array(6).fill(undefined));
  expect([findCount(value, 'count'), findCount(value, 'items', 0, 'a'), findCount(value, 'name')]).toEqual([8, 1, undefined]);
});

test('keeps the objects of a list and the strings of a map', () => {
  expect(objectsAt(value, 'items')).toEqual([{ a: 1 }, { a: [2] }]);
  expect(stringMapAt(value, 'labels')).toEqual({ app: 'x', odd: '' });
  expect([isTrueAt(value, 'on'), isTrueAt(value, 'name')]).toEqual([true, false]);
});

test('equal data is equal whatever the order of its keys, and lists are not objects', () => {
  expect(isEqual({ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 })).toBe(true);
  for (const other of [{ a: 1 }, { a: 1, b: [] }, { a: 1, b: { 0: { c: null } } }, null, 1])
    expect(isEqual({ a: 1, b: [{ c: null }] }, other)).toBe(false);
  expect(isEqual([], {})).toBe(false);
});

test('sets a key called __proto__ as plain data', () => {
  const target: Record<string, Json> = {};
  setKey(target, '__proto__', { polluted: true });
  expect(Object.keys(target)).toEqual(['__proto__']);
  expect(Object.getPrototypeOf(target)).toBe(Object.prototype);
});
