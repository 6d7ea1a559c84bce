import { describe, expect, test } from 'vitest';
import type { Json, Path } from '../../lib/json/index.ts';
import { readManifests } from '../../lib/manifest/index.ts';

const values = (text: string): readonly Json[] => readManifests(text, 'f.yaml').documents.map((document) => document.value);

const graph = `# comment
apiVersion: nvidia.com/v1alpha1
kind: DynamoGraphDeployment
metadata: {name: g, labels: {"a": b}}
spec:
  services:
    Worker: &worker
      envs:
      - name: A
        value: "1"
      -
        name: B
    Other:
      <<: *worker
      replicas: 2
`;

describe('positions', () => {
  const [document] = readManifests(graph, 'f.yaml').documents;
  const cases: [Path, string][] = [
    [[], '2:1'],
    [['kind'], '3:1'],
    [['metadata', 'labels', 'a'], '4:30'],
    [['spec', 'services', 'Worker'], '7:5'],
    [['spec', 'services', 'Worker', 'envs', 0], '9:9'],
    [['spec', 'services', 'Worker', 'envs', 0, 'value'], '10:9'],
    [['spec', 'services', 'Worker', 'envs', 1, 'name'], '12:9'],
    [['spec', 'services', 'Worker', 'envs', 2], '8:7'],
    [['spec', 'services', 'Worker', 'missing', 'deep'], '7:5'],
    [['spec', 'services', 'Other', 'replicas'], '15:7'],
    [['spec', 'services', 'Other', 'envs', 0, 'name'], '9:9'],
  ];
  for (const [path, want] of cases) {
    test(`finds ${path.join('.') || 'the root'} at ${want}`, () => {
      const { line, column } = document?.position(path) ?? { line: 0, column: 0 };
      expect(`${line}:${column}`).toBe(want);
    });
  }

  test('are those of the last of equal keys', () => {
    const [twice] = readManifests('a: 1\nb: 2\na: 3\n', 'f.yaml').documents;
    expect(twice?.position(['a'])).toEqual({ line: 3, column: 1 });
  });

  test('are where the value comes from: kubectl lets a merge win over the keys above it', () => {
    const text = 'base: &base\n  a: 1\nmerged:\n  a: 2\n  <<: *base\nown:\n  <<: *base\n  a: 3\n';
    const [document] = readManifests(text, 'f.yaml').documents;
    expect(document?.value).toMatchObject({ merged: { a: 1 }, own: { a: 3 } });
    expect([document?.position(['merged', 'a']), document?.position(['own', 'a'])]).toEqual([
      { line: 2, column: 3 },
      { line: 8, column: 3 },
    ]);
  });

  test('are found in JSON too, in any of several values', () => {
    const [, second] = readManifests('{"a": 1}\n{"b": [1,\n  {"c": true}]}', 'f.json').documents;
    expect(second?.position(['b', 1, 'c'])).toEqual({ line: 3, column: 4 });
    expect(second?.position([])).toEqual({ line: 2, column: 1 });
    expect(second?.position(['b', 5])).toEqual({ line: 2, column: 2 });
  });

  test('count lines over carriage returns and after a byte order mark', () => {
    const [document] = readManifests('\ufeffa: 1\r\nb:\r\n  c: 2\r\n', 'f.yaml').documents;
    expect(document?.position(['b', 'c'])).toEqual({ line: 3, column: 3 });
  });

  test('go on over documents', () => {
    const [, second] = readManifests('a: 1\n--- # next\nb: 2\n', 'f.yaml').documents;
    expect(second?.position(['b'])).toEqual({ line: 3, column: 1 });
  });
});

describe('documents', () => {
  test('are separated by --- and left out when empty', () => {
    expect(values('---\n# nothing\n---\na: 1\n---\n---\nnull\n---\nb: 2\n')).toEqual([{ a: 1 }, { b: 2 }]);
    expect(values('')).toEqual([]);
  });

  test('of a List stand alone, with positions of their own', () => {
    const text = 'apiVersion: v1\nkind: List\nitems:\n- kind: A\n  x: 1\n- kind: List\n  items: [{kind: B}]\n';
    const { documents } = readManifests(text, 'f.yaml');
    expect(documents.map((document) => document.value)).toEqual([{ kind: 'A', x: 1 }, { kind: 'B' }]);
    expect(documents[0]?.position(['x'])).toEqual({ line: 5, column: 3 });
    expect(documents[1]?.position(['kind'])).toEqual({ line: 7, column: 12 });
  });

  test('of whatever has items stand alone, as kubectl takes it', () => {
    const graph = '{apiVersion: nvidia.com/v1alpha1, kind: DynamoGraphDeployment}';
    const hidden = readManifests(`apiVersion: v1\nkind: ConfigMap\nitems: [${graph}, {metadata: {}}]\n`, 'x.yaml');
    expect(hidden.documents.map(({ value }) => value)).toEqual([
      { apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoGraphDeployment' },
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} },
    ]);
    expect(hidden.documents[0]?.position(['kind'])).toEqual({ line: 3, column: 43 });
    const told = 'kubectl treats a ConfigMap with items as a list and ignores its other fields';
    expect(hidden.issues).toMatchObject([{ line: 3, code: 'not_a_list', severity: 'warning', message: told }]);
    expect(readManifests('kind: PodList\nitems: null\n', 'x.yaml')).toEqual({ documents: [], issues: [] });
    expect(readManifests('kind: List\nitems: []\n', 'x.yaml').issues).toEqual([]);
    expect(readManifests('kind: Pod\nitems: null\n', 'x.yaml')).toMatchObject({
      documents: [],
      issues: [{ code: 'not_a_list' }],
    });
    expect(readManifests('kind: Pod\nspec: {items: 1}\n', 'x.yaml').documents).toHaveLength(1);
    expect(readManifests('kind: Pod\nitems: {a: 1}\n', 'x.yaml')).toMatchObject({
      documents: [],
      issues: [{ line: 2, severity: 'error', message: expect.stringContaining('items must be a list') as string }],
    });
  });

  test('of a typed List take its kind and version where they have none', () => {
    const text =
      '{"apiVersion":"nvidia.com/v1alpha1","kind":"DynamoModelList","items":[{"spec":{}},{"apiVersion":"v1","kind":"X"}]}';
    expect(values(text)).toEqual([
      { apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoModel', spec: {} },
      { apiVersion: 'v1', kind: 'X' },
    ]);
  });
  test('of a typed List stay as they are where they have a kind or a version alone', () => {
    const items = [{ apiVersion: 'v1' }, { kind: 'X' }];
    expect(values(JSON.stringify({ apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoModelList', items }))).toEqual(items);
  });

  test('keep a 19-digit integer to the last digit', () => {
    expect(values('a: 1234567890123456789\nb: 9007199254740991\n')).toEqual([{ a: 1234567890123456789n, b: 9007199254740991 }]);
    expect(values('{"a": 1234567890123456789, "b": -0, "c": 1.0, "d": 4611686018427387904.0}')).toEqual([
      { a: 1234567890123456789n, b: 0, c: 1, d: 4611686018427388000n },
    ]);
  });
});

describe('problems', () => {
  const issuesOf = (text: string) =>
    readManifests(text, 'f.yaml').issues.map(({ line, column, code, severity }) => `${line}:${column} ${code} ${severity}`);

  test('duplicate keys are reported at the second and keep the last', () => {
    expect(issuesOf('a:\n  b: 1\n  c: 2\n  b: 3\n')).toEqual(['4:3 duplicate_key warning']);
    expect(issuesOf('{"a": {"b": 1, "b": 2}}')).toEqual(['1:16 duplicate_key warning']);
    expect(values('a: 1\na: 2\n')).toEqual([{ a: 2 }]);
  });

  test('a key merged in and given again is no duplicate', () => {
    expect(issuesOf('a: &a {b: 1}\nc:\n  <<: *a\n  b: 2\n')).toEqual([]);
  });

  test('a number too large to be one is told, as kubectl takes it for text', () => {
    expect(issuesOf('a: 1e400\n')).toEqual(['1:4 number_too_large warning']);
    expect(values('a: 1e400\n')).toEqual([{ a: '1e400' }]);
    expect(issuesOf(`a: 1${'0'.repeat(400)}\n`)).toEqual(['1:4 number_too_large warning']);
    expect(issuesOf('{"a": 1e400}')).toEqual(['1:7 number_too_large error']);
  });

  test('one bad document does not hide the others', () => {
    const { documents, issues } = readManifests('a: 1\n---\nb: [1\n---\nc: 3\n', 'f.yaml');
    expect(documents.map((document) => document.value)).toEqual([{ a: 1 }, { c: 3 }]);
    expect(issues).toMatchObject([{ file: 'f.yaml', code: 'syntax' }]);
  });

  const syntax: [string, string][] = [
    ['a: .nan\n', '1:4 JSON has no number .nan; quote it if a string is meant'],
    ['a: b: c\n', "1:5 an unquoted value cannot contain ': '; remove the space after ':' or quote the value"],
    ['image: nvcr.io/x: 0.9.0\n', "1:17 an unquoted value cannot contain ': '; remove the space after ':' or quote the value"],
    [
      'a:\n  b: 1\n   c: 2\n',
      '3:4 this line is indented below a key that already has a value; align it with the keys it belongs to',
    ],
    ['a:\n\tb: 1\n', '2:1 a tab cannot indent; use spaces'],
    ['a: @b\n', '1:4 @ cannot start a value; quote it'],
    ['a: "b\n', '1:4 the closing quote is missing'],
    ['a: *b\n', '1:4 unknown anchor "b"'],
    ['a: &b [*b]\n', '1:8 anchor "b" contains itself'],
    ['a: {b: 1\n', "2:1 expected ',' or '}' in this map"],
    ['a:\n  b: 1\n c: 2\n', '3:2 expected a key here; check the indentation'],
    ['key\n', ''],
    ['a: 1\nkey\nb: 2\n', "2:1 expected ':' after this key"],
    ['--- a: 1\n', '1:1 kubectl accepts only a comment after "---" on the same line'],
    ['a: \u0007\n', '1:4 the control character U+0007 is not allowed'],
    ['? [a]\n: b\n', '1:3 a map or a list cannot be a key'],
    ['~: 1\n', '1:1 a key is empty or null; quote it if a string is meant'],
    ['a:\n  <<: 5\n', '2:7 a merge key "<<" takes a map or a list of maps'],
    ['a: "\\q"\n', '1:5 unknown escape \\q in a quoted string'],
    ['a: "x" y\n', '1:8 unexpected content after a value; quote the whole value or remove this'],
    ['- a\nb: 1\n', "2:1 expected '- ' here; check the indentation"],
    ['a: - b\n', '1:4 a list cannot begin here; put it on its own line'],
    ['a:\n  b\n  c: 1\n', "3:4 a key and its ':' must be on one line; quote the value if it is not a key"],
    ['a: [1,,2]\n', "1:7 a value is missing before this ','"],
    ['a: [b: \n', '2:1 expected a value here, but the document ends'],
    ['a: &x &y b\n', '1:7 a value can have only one anchor; remove this one'],
    ['a: !!int\n', '1:4 "" cannot be read as !!int'],
    ['%YAML 1.2\n---\na: 1\n', '1:1 kubectl does not accept directives such as %YAML; remove the line'],
  ];
  for (const [text, want] of syntax) {
    test(`says of ${JSON.stringify(text)}: ${want || 'nothing'}`, () => {
      const [issue] = readManifests(text, 'f.yaml').issues;
      expect(issue ? `${issue.line}:${issue.column} ${issue.message}` : '').toBe(want);
    });
  }
});

// `YAMLOrJSONDecoder` of k8s.io/apimachinery/pkg/util/yaml counts bytes, not characters.
test.each([
  ['{"a":1}\nab', [{ a: 1 }], ['2:1 kubectl cannot read fewer than 4 bytes after JSON; remove them']],
  ['{"a":1}\naé', [{ a: 1 }, 'aé'], []],
  ['{"a":1}\nabc', [{ a: 1 }, 'abc'], []],
])('reads YAML of at least four bytes after JSON: %j', (text, documents, issues) => {
  const read = readManifests(text, 'f.yaml');
  expect(read.documents.map(({ value }) => value)).toEqual(documents);
  expect(read.issues.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual(issues);
});
