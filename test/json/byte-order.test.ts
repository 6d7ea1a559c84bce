import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteOrder, sortedEntries, sortedKeys } from '../../lib/json/index.ts';

const bytes = (a: string, b: string): number => Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)));

test('orders strings by their UTF-8 bytes', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'B', 'é', '\uffee', '😀', '0') });
  fc.assert(fc.property(text, text, (a, b) => Math.sign(byteOrder(a, b)) === bytes(a, b)));
});

test('orders keys and members alike, characters beyond the basic plane last', () => {
  const object = { '😀': 1, '\uffee': 2, b: 3, a: 4, B: 5 };
  expect(sortedKeys(object)).toEqual(['B', 'a', 'b', '\uffee', '😀']);
  expect(sortedEntries(object).map(([, value]) => value)).toEqual([5, 4, 3, 2, 1]);
});
