import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Json } from '../../lib/json/index.ts';
import { parseJson, readManifests, stringifyJson, toYaml, toYamlDocuments } from '../../lib/manifest/index.ts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('a', ' ', '\n', ':', '#', '-', '"', "'", '\t', '1', '.', '\\', '\u2028', '\u00e9') }),
  fc.constantFrom(
    'yes',
    'No',
    'on',
    'OFF',
    'y',
    '~',
    'null',
    '',
    '1',
    '0x1F',
    '0o7',
    '010',
    '08',
    '1e3',
    '1_000',
    '.inf',
    '-.5',
    '2001-01-01',
  ),
  fc.constantFrom(
    '12:30:45',
    '190:20',
    '<<',
    '=',
    '---',
    '...',
    '- a',
    'a: b',
    'a #b',
    '*a',
    '&a',
    '!a',
    '%a',
    '@a',
    '`a',
    '{a',
    '[a',
    '|',
    '>',
  ),
  fc.constantFrom(
    'a\n',
    'a\n\n',
    '\na',
    ' a\nb',
    'a \nb',
    'a\n b',
    'a\tb\nc',
    '1.2.3',
    '1Gi',
    'v1',
    'nvcr.io/a/b:1.0',
    '100m',
    '+1',
    '0b1',
    '1e',
    'true ',
  ),
);
const leaf = fc.oneof(
  text,
  fc.boolean(),
  fc.constant(null),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
);
const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
})).value;

/** Numbers as kubectl gives them back: a whole double beyond 2^53 that fits 64 bits is an integer. */
const back = (value: Json): Json | undefined => parseJson(stringifyJson(value));

test('what is written as YAML is read back as the same data', () => {
  fc.assert(
    fc.property(json, (value) => {
      const { documents, issues } = readManifests(toYaml({ value }), 'f.yaml');
      expect(issues).toEqual([]);
      expect(documents[0]?.value).toEqual(back({ value }));
    }),
    { numRuns: 1000 },
  );
});

test('what is written as YAML means the same to parsers of YAML 1.1 and of 1.2', () => {
  const plain = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.boolean(),
      fc.constant(null),
      fc.integer(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(text, tie('value'), { maxKeys: 3 }),
    ),
  })).value;
  fc.assert(
    fc.property(plain, (value) => {
      const written = toYaml({ value });
      for (const version of ['1.1', '1.2'] as const) expect(parse(written, { version, merge: true })).toEqual({ value });
    }),
    { numRuns: 500 },
  );
});

test('JSON keeps every digit and the order of keys', () => {
  expect(stringifyJson({ b: 1234567890123456789n, a: [1, 'x', null, true, {}], u: undefined })).toBe(
    '{"b":1234567890123456789,"a":[1,"x",null,true,{}]}',
  );
  expect(stringifyJson({ a: [1, {}], b: {} }, 2)).toBe('{\n  "a": [\n    1,\n    {}\n  ],\n  "b": {}\n}');
});

test('JSON is what JSON.stringify writes where there is no bigint', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(stringifyJson(value as Json)).toBe(JSON.stringify(value));
      expect(stringifyJson(value as Json, 2)).toBe(JSON.stringify(value, null, 2));
    }),
  );
});

test('YAML reads as if a careful person wrote it', () => {
  const value: Json = {
    apiVersion: 'nvidia.com/v1alpha1',
    metadata: { name: 'g', labels: {}, annotations: { on: 'yes', port: '8080', time: '12:30', version: '1.10' } },
    spec: {
      args: ['--flag', '-c', 'set -e\necho "a: b"\n', 'x=1'],
      image: 'nvcr.io/nvidia/x:1.0',
      limits: { gpu: '1' },
      list: [[1, 2], []],
      count: 1234567890123456789n,
    },
  };
  expect(toYaml(value)).toMatchInlineSnapshot(`
    "apiVersion: nvidia.com/v1alpha1
    metadata:
      name: g
      labels: {}
      annotations:
        "on": "yes"
        port: "8080"
        time: "12:30"
        version: "1.10"
    spec:
      args:
        - --flag
        - -c
        - |
          set -e
          echo "a: b"
        - x=1
      image: nvcr.io/nvidia/x:1.0
      limits:
        gpu: "1"
      list:
        - - 1
          - 2
        - []
      count: 1234567890123456789
    "
  `);
  expect(toYamlDocuments([{ a: 1 }, 'x'])).toBe('a: 1\n---\nx\n');
});
