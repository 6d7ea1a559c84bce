import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapePointerKey, parsePointer } from '../../lib/json/index.ts';

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
