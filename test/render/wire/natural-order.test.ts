import { expect, test } from 'vitest';
import { naturalOrder } from '../../../lib/render/wire/natural-order.ts';
import { goYaml } from '../../../lib/render/wire/go-yaml.ts';

// Orders computed with the YAML library that Kubernetes uses (sigs.k8s.io/yaml 1.6).
test.each([
  'dgd dgd_image dgdImage',
  'tp1 tp2 tp10 tpa',
  '007 0b 0x',
  '- 1 2 10 A B a a1 aa b é',
  'a00 a1 a01 a002',
  'v1.2 v1.10 v2',
])('orders keys as Go writes them: %s', (keys) => {
  expect(keys.split(' ').toReversed().sort(naturalOrder).join(' ')).toBe(keys);
});

test('keys of a configuration are in natural order at every level', () => {
  const sweep = { dgdImage: 1, dgd_image: 2, gpu10: 3, gpu9: 4 };
  expect(goYaml({ sweep, sla: {} })).toBe('sla: {}\nsweep:\n  dgd_image: 2\n  dgdImage: 1\n  gpu9: 4\n  gpu10: 3\n');
});

test.each([
  [2 ** 63, '9223372036854776000'],
  [9_007_199_254_740_993n, '9007199254740992'],
  [1e20, '1e+20'],
  [20.0, '20'],
  ['2020-01-01', '"2020-01-01"'],
  ['2020-1-2T3:4:5Z', '"2020-1-2T3:4:5Z"'],
  ['2020-01-01 10:00:00', '"2020-01-01 10:00:00"'],
  ['2020-01-01 at noon', '2020-01-01 at noon'],
  ['2020-01-01Talk', '2020-01-01Talk'],
])('writes %s as %s', (value, text) => {
  expect(goYaml({ k: value })).toBe(`k: ${text}\n`);
});
