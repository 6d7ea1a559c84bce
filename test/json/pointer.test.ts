import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapePointerKey, parsePointer, resolvePointer } from '../../lib/json/index.ts';

// The examples of RFC 6901, section 5.
test.each([
  ['', []],
  ['/foo', ['foo']],
  ['/foo/0', ['foo', '0']],
  ['/', ['']],
  ['/a~1b', ['a/b']],
  ['/m~0n', ['m~n']],
  ['/~01', ['~1']],
])('reads the pointer %j', (pointer, keys) => {
  expect(parsePointer(pointer)).toEqual(keys);
});

test('rejects a pointer that does not begin with a slash', () => {
  expect(parsePointer('foo')).toBeUndefined();
});

test('reads back every key it escapes', () => {
  const key = fc.string({ unit: fc.constantFrom('~', '/', '0', '1', 'a') });
  fc.assert(
    fc.property(fc.array(key), (keys) => {
      expect(parsePointer(keys.map((each) => `/${escapePointerKey(each)}`).join(''))).toEqual(keys);
    }),
  );
});

test('resolves a pointer to a path, with numbers for the indexes of lists, and to the value there', () => {
  const root = { 'a/b': [{ 'm~n': 'x' }], '0': 'zero' };
  expect(resolvePointer(root, '/a~1b/0/m~0n')).toEqual({ path: ['a/b', 0, 'm~n'], value: 'x' });
  expect(resolvePointer(root, '/0')).toEqual({ path: ['0'], value: 'zero' });
  expect(resolvePointer(root, '/0/deeper')).toEqual({ path: ['0', 'deeper'], value: undefined });
  expect(resolvePointer(root, '')).toEqual({ path: [], value: root });
});
