import { expect, test } from 'vitest';
import { formatBytes, quantityValue } from '../../lib/fit/index.ts';

// https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
test.each([
  ['0', 0],
  ['12', 12],
  ['+3', 3],
  ['-3', -3],
  ['1.5', 1.5],
  ['5.', 5],
  ['.5', 0.5],
  ['7n', 7e-9],
  ['7u', 7e-6],
  ['500m', 0.5],
  ['2k', 2_000],
  ['2M', 2e6],
  ['2G', 2e9],
  ['2T', 2e12],
  ['2P', 2e15],
  ['2E', 2e18],
  ['2Ki', 2_048],
  ['2Mi', 2_097_152],
  ['2Gi', 2_147_483_648],
  ['2Ti', 2_199_023_255_552],
  ['2Pi', 2_251_799_813_685_248],
  ['2Ei', 2_305_843_009_213_693_952],
  ['1.5Gi', 1_610_612_736],
  ['1e3', 1_000],
  ['1E3', 1_000],
  ['1e+3', 1_000],
  ['25e-1', 2.5],
  ['12e10', 12e10],
])('%s is %d', (text, value) => expect(quantityValue(text)).toBeCloseTo(value, 12));

test('numbers are amounts as they are', () => {
  expect(quantityValue(8)).toBe(8);
  expect(quantityValue(8n)).toBe(8);
});

test.each([
  '',
  '.',
  'Gi',
  '1K',
  '1ki',
  '1Gi2',
  'x1',
  '1 Gi',
  ' 1',
  '1 ',
  '1e',
  '1e1.5',
  '1mi',
  '1ni',
  '1ee3',
  '--1',
  '1.2.3',
  true,
  null,
  {},
])('%j is no amount', (value) => expect(quantityValue(value)).toBeUndefined());
test('what is not there is no amount', () => expect(quantityValue(undefined)).toBeUndefined());

test.each([
  [0, '0'],
  [1023, '1023'],
  [1024, '1Ki'],
  [1536, '1.5Ki'],
  [2 ** 20 - 1, '1024Ki'],
  [2 ** 20, '1Mi'],
  [2 ** 30, '1Gi'],
  [80 * 2 ** 30, '80Gi'],
  [2 ** 40, '1Ti'],
  [2.25 * 2 ** 40, '2.3Ti'],
])('%d bytes read %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));
