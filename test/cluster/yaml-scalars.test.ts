import { beforeAll, expect, test } from 'vitest';
import { isObject, type Json } from '../../lib/json/index.ts';
import { parseJson, readManifests, toYaml } from '../../lib/manifest/index.ts';
import { cluster, describeCluster, newNamespace } from '../control-plane/cluster-test.ts';

const scalars = [
  [
    'y',
    'Y',
    'n',
    'N',
    'yes',
    'Yes',
    'YES',
    'yEs',
    'no',
    'NO',
    'on',
    'On',
    'ON',
    'off',
    'OFF',
    'true',
    'True',
    'TRUE',
    'tRue',
    'false',
  ],
  ['null', 'Null', 'NULL', '~', '""', "''", 'nULL'],
  ['0', '-0', '+0', '00', '007', '0777', '08', '019', '0o7', '0O17', '0o8', '0x1F', '-0x1F', '0xg', '0b101', '-0b11', '0b2'],
  [
    '1_000',
    '1__0',
    '_1',
    '1_',
    '0x_1F',
    '0_7',
    '1.5',
    '1_0.5',
    '1.',
    '.5',
    '-.5',
    '.',
    '1e3',
    '1E3',
    '1e+3',
    '1e-3',
    '1.e3',
    '1e',
    '1e400',
  ],
  ['1e21', '1e20', '1e18', '1e19', '1.0', '-0.0', '5e-324', '123456789.123456789', '4611686018427387904.0'],
  [
    '9007199254740993',
    '9223372036854775807',
    '9223372036854775808',
    '-9223372036854775808',
    '18446744073709551615',
    '18446744073709551616',
  ],
  ['1234567890123456789', '123456789012345678901234567890', '0x7fffffffffffffff', '0xffffffffffffffff'],
  [
    '2001-01-01',
    '2001-12-14t21:59:43.10-05:00',
    '12:30:45',
    '190:20:30',
    '=',
    '1.2.3',
    '1Gi',
    '100m',
    'v1.2',
    'inf',
    'nan',
    'NaN',
  ],
  ['!!str 5', '!!int "5"', '!!float 5', '!!binary aGVsbG8=', '!foo 5', '! 5', '!!str yes', '"yes"', "'0x1F'"],
].flat();

/** Values of a free-form map, each below a key of its own. */
const structures = [
  '{base: &m1 {a: 1, b: 2}, merged: {<<: *m1, b: 3}}',
  '{base: &m2 {a: 1, b: 2}, merged: {b: 3, <<: *m2}}',
  '{one: &m3 {a: 1}, two: &m4 {a: 2, c: 3}, merged: {<<: [*m3, *m4]}}',
  '{"<<": {a: 1}}',
  '{1: a, 1.5: b, 1e3: c, 1234567.0: d, true: e, no: f, 0x10: g, 2001-01-01: h}',
  '{a: 1, a: 2}',
  '[a, b: 1, {c}, [d, ], "e"]',
  '&r [x, y]',
  '[\n  1,\n2]',
  '|\n    a\n     b\n\n    c\n\n',
  '>-\n    a\n    b\n\n    c\n     d\n',
  '"a\\tb\\x41\\u00e9 \\\n    c"',
  "'it''s\n\n    two'",
  'plain\n    over lines # comment',
  '\n  - unindented',
];

const request = (name: string, values: readonly string[]): string => `apiVersion: nvidia.com/v1alpha1
kind: DynamoGraphDeploymentRequest
metadata:
  name: ${name}
spec:
  model: m
  backend: vllm
  profilingConfig:
    profilerImage: p
    config:
${values.map((value, index) => `      k${index}: ${value.replaceAll(/\n(?=.)/g, '\n      ')}\n`).join('')}`;

function configOf(value: Json | undefined): Json | undefined {
  const part = (of: Json | undefined, key: string): Json | undefined => (isObject(of) ? of[key] : undefined);
  return part(part(part(value, 'spec'), 'profilingConfig'), 'config');
}

async function stored(manifest: string): Promise<Json | undefined> {
  const namespace = await newNamespace();
  const ran = await cluster().kubectl(['create', '--dry-run=server', '-o', 'json', '-n', namespace, '-f', '-'], {
    input: manifest,
  });
  expect(ran.stderr).toBe('');
  return configOf(parseJson(ran.stdout));
}

const read = (manifest: string): Json | undefined => configOf(readManifests(manifest, 'request.yaml').documents[0]?.value);

describeCluster('YAML as kubectl reads it', () => {
  beforeAll(async () => {});

  test('scalars are what the API server gets from kubectl', async () => {
    const manifest = request('scalars', scalars);
    expect(read(manifest)).toEqual(await stored(manifest));
  });

  test('merges, keys, duplicates, flow and block forms are what the API server gets from kubectl', async () => {
    const manifest = request('structures', structures);
    expect(read(manifest)).toEqual(await stored(manifest));
  });

  test('JSON too', async () => {
    const config = '{"a":1.0,"b":1e3,"c":12345678901234567890,"d":9007199254740993,"e":-0,"f":"\\ud800x","g":"\\/"}';
    const spec = `{"model":"m","backend":"vllm","profilingConfig":{"profilerImage":"p","config":${config}}}`;
    const manifest = `{"apiVersion":"nvidia.com/v1alpha1","kind":"DynamoGraphDeploymentRequest","metadata":{"name":"j"},"spec":${spec}}`;
    expect(read(manifest)).toEqual(await stored(manifest));
  });

  test('what we write as YAML arrives as it was', async () => {
    const config = Object.fromEntries(
      [...scalars, 'a\nb\n', 'a\n', ' a\nb', 'a\t\nb', '# a', 'é\u2028', '\u0000'].map((text, index) => [`k${index}`, text]),
    );
    const manifest = toYaml({
      apiVersion: 'nvidia.com/v1alpha1',
      kind: 'DynamoGraphDeploymentRequest',
      metadata: { name: 'written' },
      spec: {
        model: 'm',
        backend: 'vllm',
        profilingConfig: { profilerImage: 'p', config: { ...config, n: 1234567890123456789n, f: 0.1, e: 1e21, s: {} } },
      },
    });
    expect(await stored(manifest)).toEqual({ ...config, n: 1234567890123456789n, f: 0.1, e: 1e21, s: {} });
  });

  for (const [name, value] of [
    ['not a number', '.nan'],
    ['infinity', '-.inf'],
    ['a tab for indentation', '\n\tx: 1'],
    ['a null key', '{~: 1}'],
    ['an unknown anchor', '*nobody'],
  ] as const) {
    test(`rejects ${name} as kubectl does`, async () => {
      const manifest = request('refused', [value]);
      expect(readManifests(manifest, 'x').issues.map((issue) => issue.severity)).toContain('error');
      const { exitCode } = await cluster().kubectl(['create', '--dry-run=server', '-f', '-'], { input: manifest });
      expect(exitCode).not.toBe(0);
    });
  }
});
