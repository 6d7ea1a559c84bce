import { describe, expect, test } from 'vitest';
import { normalizeResource } from '../../lib/api/index.ts';
import { formatPath, type Json, type JsonObject } from '../../lib/json/index.ts';

function normalize(metadata: Json) {
  return normalizeResource({ apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoWorkerMetadata', metadata, spec: { data: {} } });
}

/** `path: message` of each problem. */
const problems = (metadata: Json): readonly string[] =>
  normalize(metadata).issues.map(({ path, message }) => `${formatPath(path)}: ${message}`);

function storedMetadata(metadata: Json): unknown {
  const { value } = normalize(metadata);
  return typeof value === 'object' && value !== null && 'metadata' in value ? value.metadata : undefined;
}

const lower = 'must consist of lower case letters, digits, - and ., and begin and end with a letter or digit';
const mixed = 'must consist of letters, digits, -, _ and ., and begin and end with a letter or digit';

// https://kubernetes.io/docs/concepts/overview/working-with-objects/names/
describe('names', () => {
  test.each(['a', 'a-b', 'a.b', '0', 'a'.repeat(253), '1-2.3-4'])('%.20s is one', (name) =>
    expect(problems({ name })).toEqual([]),
  );
  test.each(['A', '-a', 'a-', 'a..b', '.a', 'a.', 'a.-b', 'a_b', 'a b', 'é'])('%j is none', (name) =>
    expect(problems({ name })).toEqual([`metadata.name: ${lower}, got ${JSON.stringify(name)}`]),
  );

  test('may be completed by the API server', () => {
    expect(problems({ generateName: 'a-' })).toEqual([]);
    expect(problems({ generateName: 'a' })).toEqual([]);
    expect(problems({ generateName: 'a.' })).toEqual([`metadata.generateName: ${lower}, got "a."`]);
    expect(problems({ generateName: 'A-' })[0]).toBe(`metadata.generateName: ${lower}, got "A-"`);
    // The name that comes of it is checked as well: it begins with a dash.
    const { issues } = normalize({ generateName: '-' });
    expect(issues.flatMap(({ causes }) => causes.map(({ field }) => field))).toEqual(['metadata.generateName', 'metadata.name']);
    expect(problems({ name: 'a', generateName: 'B' })).toEqual([`metadata.generateName: ${lower}, got "B"`]);
  });

  test('of namespaces have no dot and at most 63 characters', () => {
    const namespace = (text: string) => problems({ name: 'a', namespace: text });
    expect(namespace('a-1')).toEqual([]);
    expect(namespace('a'.repeat(63))).toEqual([]);
    expect(namespace('a'.repeat(64))).toEqual(['metadata.namespace: must have at most 63 characters, got 64']);
    for (const text of ['a.b', '-a', 'a-', 'A'])
      expect(namespace(text)).toEqual([
        `metadata.namespace: must consist of lower case letters, digits and -, and begin and end with a letter or digit, got "${text}"`,
      ]);
  });
});

// https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set
describe('labels and annotations', () => {
  const labels = (key: string, value = 'v') => problems({ name: 'a', labels: { [key]: value } });
  const annotations = (key: string) => problems({ name: 'a', annotations: { [key]: 'any thing' } });

  test.each(['a', 'A_b.c-d', 'example.com/a', '0', 'a'.repeat(63), `${'a'.repeat(63)}.b/c`])('%.20s is a key', (key) => {
    expect(labels(key)).toEqual([]);
    expect(annotations(key)).toEqual([]);
  });

  test.each([
    ['', 'must not be empty, got ""'],
    ['a/', 'must not be empty, got "a/"'],
    ['/a', 'must have a DNS name before the /, got "/a"'],
    ['a_b/c', 'must have a DNS name before the /, got "a_b/c"'],
    ['a/b/c', 'must have at most one /, got "a/b/c"'],
    ['-a', `${mixed}, got "-a"`],
    ['a-', `${mixed}, got "a-"`],
    ['a b', `${mixed}, got "a b"`],
    ['a'.repeat(64), 'must have at most 63 characters, got 64'],
  ])('%.20s is none: %s', (key, problem) => {
    expect(labels(key)).toEqual([`metadata.labels: a key ${problem}`]);
    expect(annotations(key)).toEqual([`metadata.annotations: a key ${problem}`]);
  });

  test('keys of labels have a prefix of lower case, those of annotations of any', () => {
    expect(labels('Example.com/a')).toEqual(['metadata.labels: a key must have a DNS name before the /, got "Example.com/a"']);
    expect(annotations('Example.com/a')).toEqual([]);
  });

  test.each(['', 'a', 'A_b.c-d', '0', 'a'.repeat(63)])('%.20s is a value of a label', (value) =>
    expect(labels('k', value)).toEqual([]),
  );
  test.each(['-a', 'a-', 'a b', 'a/b', 'ü'])('%j is none', (value) =>
    expect(labels('k', value)).toEqual([`metadata.labels: the value of "k" ${mixed}, got "${value}"`]),
  );

  test('annotations have 256 KiB in all, keys included', () => {
    const sized = (bytes: number) => problems({ name: 'a', annotations: { k: 'é'.repeat((bytes - 3) / 2), l: 'x' } });
    expect(sized(262_145)).toEqual(['metadata.annotations: must have at most 262144 bytes in total, got 262145']);
    expect(problems({ name: 'a', annotations: { k: 'x'.repeat(262_143) } })).toEqual([]);
  });
});

describe('owners', () => {
  const owner: JsonObject = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd', uid: 'u' };
  const owners = (...all: readonly JsonObject[]) => problems({ name: 'a', ownerReferences: all });

  test('have a version, a kind, a name and a uid', () => {
    expect(owners(owner, { ...owner, apiVersion: 'v1' })).toEqual([]);
    for (const field of ['kind', 'name', 'uid'])
      expect(owners({ ...owner, [field]: '' })).toEqual([`metadata.ownerReferences.${field}: must not be empty, got ""`]);
    for (const version of ['', 'apps/', 'a/b/c'])
      expect(owners({ ...owner, apiVersion: version })).toEqual([
        `metadata.ownerReferences.apiVersion: must name a version, got "${version}"`,
      ]);
  });

  test('are no events, and one of them at most controls', () => {
    expect(owners({ ...owner, apiVersion: 'v1', kind: 'Event' })).toEqual([
      'metadata.ownerReferences: must not name an Event, got "Event"',
    ]);
    expect(owners({ ...owner, apiVersion: 'v2', kind: 'Event' })).toEqual([]);
    expect(owners({ ...owner, controller: true }, { ...owner, controller: false })).toEqual([]);
    expect(owners({ ...owner, controller: true }, { ...owner, controller: true })).toEqual([
      'metadata.ownerReferences: only one owner can have controller: true, got 2',
    ]);
  });
});

test('finalizers are qualified names, and two of them exclude each other', () => {
  const finalizers = (...all: readonly string[]) => problems({ name: 'a', finalizers: all });
  expect(finalizers('example.com/a', 'orphan')).toEqual([]);
  expect(finalizers('foregroundDeletion')).toEqual([]);
  expect(finalizers('a b')).toEqual([`metadata.finalizers: ${mixed}, got "a b"`]);
  expect(finalizers('orphan', 'foregroundDeletion')).toEqual([
    'metadata.finalizers: orphan and foregroundDeletion are mutually exclusive, got "orphan"',
  ]);
});

describe('decoding', () => {
  test.each<[string, Json, string]>([
    ['name', 5, 'must be a string, got 5'],
    ['labels', ['a'], 'must be an object, got a list'],
    ['annotations', 'x', 'must be an object, got "x"'],
    ['generation', 1.5, 'must be an integer, got 1.5'],
    ['generation', '1', 'must be an integer, got "1"'],
    ['deletionGracePeriodSeconds', true, 'must be an integer, got true'],
    ['finalizers', 'a', 'must be a list, got "a"'],
    ['ownerReferences', {}, 'must be a list, got an object'],
    ['creationTimestamp', 'yesterday', 'must be a time such as 2026-01-31T12:00:00Z, got "yesterday"'],
    ['creationTimestamp', '2026-02-30T12:00:00Z', 'must be a time such as 2026-01-31T12:00:00Z, got "2026-02-30T12:00:00Z"'],
    ['deletionTimestamp', 1, 'must be a time such as 2026-01-31T12:00:00Z, got 1'],
    ['selfLink', {}, 'must be a string, got an object'],
    ['resourceVersion', 1, 'must be a string, got 1'],
    ['uid', false, 'must be a string, got false'],
  ])('fails at %s: %j', (field, value, message) => {
    expect(problems({ name: 'a', [field]: value })).toEqual([`metadata.${field}: ${message}`]);
  });

  test('fails at an integer beyond 64 bits', () => {
    expect(problems({ name: 'a', generation: 9223372036854775808n })).toEqual([
      'metadata.generation: must be an integer, got 9223372036854775808',
    ]);
  });

  test('fails at members of lists and maps', () => {
    expect(problems({ name: 'a', labels: { k: 1 } })).toEqual(['metadata.labels.k: must be a string, got 1']);
    expect(problems({ name: 'a', finalizers: ['a', 1] })[0]).toBe('metadata.finalizers[1]: must be a string, got 1');
    const owner = { apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u' };
    expect(problems({ name: 'a', ownerReferences: [{ ...owner, controller: 'yes' }] })).toEqual([
      'metadata.ownerReferences[0].controller: must be true or false, got "yes"',
    ]);
    expect(problems('text')[0]).toBe('metadata: must be an object, got "text"');
  });

  test('keeps what a cluster wrote', () => {
    const metadata = {
      name: 'a',
      uid: 'u',
      resourceVersion: '7',
      generation: 9007199254740993n,
      creationTimestamp: '2026-01-31T12:00:00.5+01:00',
      deletionTimestamp: '2026-01-31T23:59:59Z',
      deletionGracePeriodSeconds: 30,
      selfLink: '/x',
      managedFields: [{ any: 'thing' }],
      ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u', controller: true, blockOwnerDeletion: false }],
    };
    expect(problems(metadata)).toEqual([]);
    expect(storedMetadata(metadata)).toEqual(metadata);
  });

  test('takes null for the zero value, and leaves zero values out', () => {
    const nulls = { name: 'a', labels: null, generation: null, creationTimestamp: null, finalizers: null, namespace: null };
    expect(storedMetadata(nulls)).toEqual({ name: 'a' });
    expect(storedMetadata({ name: 'a', labels: {}, generation: 0, finalizers: [], selfLink: '' })).toEqual({ name: 'a' });
    expect(storedMetadata({ name: 'a', labels: { k: null } })).toEqual({ name: 'a', labels: { k: '' } });
    expect(storedMetadata({ name: 'a', ownerReferences: [{ kind: 'K', controller: null }] })).toEqual({
      name: 'a',
      ownerReferences: [{ apiVersion: '', kind: 'K', name: '', uid: '' }],
    });
    expect(storedMetadata(undefined as never)).toEqual({});
  });

  test.each([
    ['2026-01-31T00:00:00Z', true],
    ['2026-01-31T23:59:59.123456789-12:30', true],
    ['2026-01-31T12:00:00,5Z', true],
    ['2026-01-31T12:00:00+24:60', true],
    ['2026-01-31T12:00:00+00:61', false],
    ['2026-01-31T24:00:00Z', false],
    ['2026-01-31T12:60:00Z', false],
    ['2026-01-31T12:00:60Z', false],
    ['2026-01-31T12:00:00', false],
    ['2026-01-31T12:00Z', false],
    ['2026-01-31 12:00:00Z', false],
    ['2026-13-01T12:00:00Z', false],
    ['x2026-01-31T12:00:00Z', false],
    ['2026-01-31T12:00:00Zx', false],
  ])('the time %s: %s', (creationTimestamp, valid) => {
    expect(problems({ name: 'a', creationTimestamp }).length === 0).toBe(valid);
  });

  test('warns of unknown fields, of at most a hundred', () => {
    const unknown = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`odd${i}`, 1]));
    expect(normalize({ name: 'a', ...unknown }).warnings).toHaveLength(100);
    expect(normalize({ name: 'a', ownerReferences: [{ kidn: 'K' }] }).warnings).toEqual([
      { path: ['metadata', 'ownerReferences', 0, 'kidn'], code: 'unknown_field', message: 'unknown field, did you mean kind' },
    ]);
  });
});
