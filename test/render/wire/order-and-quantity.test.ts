import { assert, property, string, array, constantFrom } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalQuantity } from '../../../lib/render/wire/canonical-quantity.ts';
import { naturalOrder } from '../../../lib/render/wire/natural-order.ts';
import { resolvesToOther } from '../../../lib/render/wire/yaml-scalar.ts';
import { goYaml } from '../../../lib/render/wire/go-yaml.ts';

describe('natural order', () => {
  test('is an order: irreflexive, and the reverse of its reverse', () => {
    const keys = array(constantFrom('a', 'b', 'Z', 'é', '0', '1', '9', '-', '.', '_'), { maxLength: 6 }).map((parts) =>
      parts.join(''),
    );
    assert(
      property(keys, keys, (a, b) => {
        expect(Math.sign(naturalOrder(a, b)) + Math.sign(naturalOrder(b, a))).toBe(0);
        expect(naturalOrder(a, a)).toBe(0);
        if (a !== b) expect(naturalOrder(a, b)).not.toBe(0);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['', 'a'],
    ['a', 'ab'],
    ['a1', 'a2'],
    ['a2', 'a10'],
    ['a9b', 'a10b'],
    ['a.b', 'aab'],
    ['a1', 'ab'],
    ['B', 'a'],
    ['a1', 'a01'],
    ['a100', 'a101'],
    ['a109', 'a110'],
  ])('%j comes before %j', (first, second) => {
    expect(naturalOrder(first, second)).toBeLessThan(0);
    expect(naturalOrder(second, first)).toBeGreaterThan(0);
  });
});

// The canonical form: https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
test.each([
  ['1e4', '10e3'],
  ['1e5', '100e3'],
  ['10e2', '1e3'],
  ['-10e2', '-1e3'],
  ['1.5e0', '1500e-3'],
  ['15e-1', '1500e-3'],
  ['-0.5', '-500m'],
  ['-1000', '-1k'],
  ['-0.0000000001', '-1n'],
  ['1000k', '1M'],
  ['1000M', '1G'],
  ['1000G', '1T'],
  ['1000T', '1P'],
  ['1000P', '1E'],
  ['1000n', '1u'],
  ['1000u', '1m'],
  ['1024Ki', '1Mi'],
  ['1024Gi', '1Ti'],
  ['1024Ti', '1Pi'],
  ['1024Pi', '1Ei'],
  ['8Ki', '8Ki'],
  ['-8Ki', '-8Ki'],
  ['0.5Ki', '512'],
  ['0.5Mi', '512Ki'],
])('writes the quantity %s as Kubernetes does: %s', (text, written) => expect(canonicalQuantity(text)).toBe(written));

test.each(['y', 'Y', 'n', 'N', 'yes', 'Yes', 'YES', 'no', 'No', 'NO', 'on', 'On', 'ON', 'off', 'Off', 'OFF'])(
  '%s is quoted, since YAML 1.1 reads a boolean',
  (word) => expect(goYaml({ k: word })).toBe(`k: "${word}"\n`),
);

test.each([
  'true',
  'True',
  'TRUE',
  'false',
  'False',
  'FALSE',
  'null',
  'Null',
  'NULL',
  '~',
  '',
  '.nan',
  '.NaN',
  '.NAN',
  '-.inf',
  '+.Inf',
  '.INF',
  '0b101',
  '0o17',
  '017',
  '+1',
  '-1_000',
  '1.',
  '1.5e-3',
  '.5',
  '190:20:30',
  '1:2.5',
  '2026-01-02',
  '2026-1-2 3:4:5',
  '2026-01-02T03:04:05.5Z',
  '2026-01-02t03:04:05+01:00',
])('a parser would read %j as something else', (text) => expect(resolvesToOther(text)).toBe(true));

test.each([
  'yEs',
  'tRue',
  'nul',
  '~~',
  '.na',
  'inf',
  '0b2',
  '0xg',
  '1a',
  '1e',
  'e1',
  '.',
  '1.2.3',
  '12:345',
  '2026-01',
  '2026-01-02x',
  'x2026-01-02',
  '2026-01-02T3',
  '20260102-1-2',
  'v1',
])('%j is read as it is', (text) => expect(resolvesToOther(text)).toBe(false));

// Escapes of YAML 1.1, section 5.6.
test.each([
  ['\u0000', '\\0'],
  ['\u0001', '\\x01'],
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\u001b', '\\e'],
  ['\u007f', '\\x7F'],
  ['\u0085', '\\N'],
  ['\ufeff', '\\uFEFF'],
  ['\u{1f600}', '\\U0001F600'],
  ['a"b\\c\t', 'a\\"b\\\\c\\t'],
])('%j is escaped as %s', (text, escaped) => expect(goYaml({ k: text })).toBe(`k: "${escaped}"\n`));

test('text without spaces is never folded, and folding loses nothing', () => {
  assert(
    property(string({ unit: constantFrom('a', ' ', 'b', "'", ':'), minLength: 60, maxLength: 260 }), (text) => {
      const lines = goYaml({ key: text }).trimEnd().split('\n');
      for (const line of lines.slice(1)) expect(line).toMatch(/^ {2}\S|^ {2}\\ /);
    }),
  );
  expect(goYaml({ k: 'x'.repeat(200) })).toBe(`k: ${'x'.repeat(200)}\n`);
});
