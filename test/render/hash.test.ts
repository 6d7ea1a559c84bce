import { expect, test } from 'vitest';
import { canonicalText, hashWithoutSpec, specHash } from '../../lib/render/index.ts';

test.each([
  [{}, '{}', hashWithoutSpec],
  [{ replicas: 2 }, '{"replicas":2}', '7beb3ba39c1d7ed5a349c65a1fe19dac1186e91ea8df92369d837b10c58f0a44'],
  [
    { replicas: 3, dgdRef: { name: 'g', serviceName: 'decode' } },
    '{"dgdRef":{"name":"g","serviceName":"decode"},"replicas":3}',
    'd3bf5914a3593553dfe1927f6a6b90f8f1771e912f705fecfaa93c59d5eac567',
  ],
  [
    {
      b: [
        { name: 'B', v: 1 },
        { name: 'A', v: 2 },
      ],
      a: 'x<y',
    },
    '{"a":"x\\u003cy","b":[{"name":"A","v":2},{"name":"B","v":1}]}',
    '7fc36e5854620353164f1e0cf2d68cadd3846f19a845f572ca378c1d02d23b1a',
  ],
  [
    { t: [{ key: 'z' }, { effect: 'e', key: 'a' }], c: ['b', 'a'] },
    '{"c":["b","a"],"t":[{"effect":"e","key":"a"},{"key":"z"}]}',
    'ff99c8f9b0b58a80973afcc970d4998c2e337bc38735f947f7aa18168971e5ad',
  ],
])('hashes %j as the original does', (spec, text, hash) => {
  expect(canonicalText(spec)).toBe(text);
  expect(specHash(spec)).toBe(hash);
});

test.each([
  ['"line\\nbreak \\"and\\" \\\\"', 'line\nbreak "and" \\'],
  ['"\\u003ca\\u0026b\\u003e"', '<a&b>'],
  ['"\\u2028\\u2029"', '\u2028\u2029'],
  ['9223372036854776000', 9_223_372_036_854_775_807n],
  ['1e+21', 1e21],
  ['-0', -0],
  ['null', null],
  ['[]', []],
  ['[3,1,2]', [3, 1, 2]],
  ['{"k\\"\\n":1}', { 'k"\n': 1 }],
] as const)('writes %s as Go does', (text, value) => {
  expect(canonicalText(value)).toBe(text);
});

test('orders keys and names by their bytes, also beyond the basic plane', () => {
  expect(canonicalText({ '\u{1f600}': 1, '\uff5e': 2, b: 3, B: 4 })).toBe('{"B":4,"b":3,"\uff5e":2,"\u{1f600}":1}');
  const names = [{ name: '\u{1f600}' }, { name: '\uff5e' }, { name: 'a_b' }, { name: 'aAb' }];
  expect(canonicalText(names)).toBe('[{"name":"aAb"},{"name":"a_b"},{"name":"\uff5e"},{"name":"\u{1f600}"}]');
});

test('keeps the order of objects whose names are equal', () => {
  const twins = [{ name: 'a', v: 1 }, { name: 'b' }, { name: 'a', v: 0 }];
  expect(canonicalText(twins)).toBe('[{"name":"a","v":1},{"name":"a","v":0},{"name":"b"}]');
});
