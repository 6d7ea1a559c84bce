import { expect, test } from 'vitest';
import { isBase64, isDateTime } from '../../lib/api/string-format.ts';
import { isInteger } from '../../lib/api/integer.ts';

test.each([0, -1, 2 ** 53, 1e18, -9007199254740993n, 9223372036854775807n, 3.000000000001])(
  '%s counts as a whole number',
  (value) => {
    expect(isInteger(value)).toBe(true);
  },
);

test.each([
  0.5,
  -0.5,
  2.5,
  1e-10,
  -3.000000000001,
  1e19,
  1e300,
  9223372036854775808n,
  -9223372036854775809n,
  Number.NaN,
  Infinity,
])('%s does not count as a whole number', (value) => {
  expect(isInteger(value)).toBe(false);
});

test.each([
  ['2026-01-31T12:00:00Z', true],
  ['2026-01-31t12:00:00z', true],
  ['2024-02-29T23:59:59+01:00', true],
  ['2026-01-31T12:00:00.123Z', true],
  ['2026-02-29T00:00:00Z', false],
  ['1900-02-29T00:00:00Z', false],
  ['2000-02-29T00:00:00Z', true],
  ['2026-01-31 12:00:00Z', false],
  ['2026-01-31T12:00:00', false],
  ['2026-01-31T24:00:00Z', false],
  ['', false],
])('the time %s: %s', (text, valid) => {
  expect(isDateTime(text)).toBe(valid);
});

test.each([
  ['e30=', true],
  ['YQ==', true],
  ['YQ', false],
  ['', false],
  ['a-_=', false],
])('the base64 %s: %s', (text, valid) => {
  expect(isBase64(text)).toBe(valid);
});
