import { expect, test } from 'vitest';
import { isQuantity, isZeroQuantity } from '../../lib/admission/quantity-syntax.ts';

// An exponent is an int64: strconv.ParseInt in ParseQuantity of k8s.io/apimachinery.
test.each([
  ['1e9223372036854775807', true],
  ['1e9223372036854775808', false],
  ['1e-9223372036854775808', true],
  ['1e-9223372036854775809', false],
  ['1e+3', true],
  ['1e1.5', false],
  ['64GB', false],
  ['.5', true],
  ['', false],
  [5, true],
  [9_007_199_254_740_993n, true],
  [true, false],
])('%s is a quantity: %s', (value, expected) => {
  expect(isQuantity(value)).toBe(expected);
});

test.each([
  [undefined, true],
  [null, true],
  ['0.0e3', true],
  ['0Gi', true],
  ['0.01', false],
  [0n, true],
  [9_007_199_254_740_993n, false],
])('%s is zero: %s', (value, expected) => {
  expect(isZeroQuantity(value)).toBe(expected);
});
