import { expect, test } from 'vitest';
import { parseJsonObject } from '../../lib/json/index.ts';

test('reads an object', () => {
  expect(parseJsonObject(' {"a": [1]} ')).toEqual({ a: [1] });
});

test.each(['', '{', '[1]', '"a"', '1', 'null', '{a: 1}'])('%s is no object', (text) => {
  expect(parseJsonObject(text)).toBeUndefined();
});
