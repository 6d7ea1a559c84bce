import { describe, expect, test } from 'vitest';
import { judgeDocuments } from '../../lib/check/index.ts';
import { formatPath, stringAt, type Json, type JsonObject } from '../../lib/json/index.ts';

const apiVersion = 'nvidia.com/v1alpha1';
const settings = { namespace: 'team' };

function judge(value: Json, more: Omit<Parameters<typeof judgeDocuments>[1], 'namespace'> = {}) {
  const [document] = judgeDocuments([{ value }], { ...settings, ...more });
  if (document === undefined) throw new Error('not judged');
  return document;
}

const said = (value: Json, more?: Parameters<typeof judge>[1]): readonly string[] =>
  judge(value, more).findings.map(
    ({ stage, severity, id, path, message }) => `${stage} ${severity} ${id} ${formatPath(path)}: ${message}`,
  );

const graph = (spec: JsonObject, metadata: JsonObject = { name: 'g' }): JsonObject => ({
  apiVersion,
  kind: 'DynamoGraphDeployment',
  metadata,
  spec,
});

describe('what a document is', () => {
  test('has its own namespace, or the one that is given', () => {
    expect(judge(graph({ services: {} })).identity).toEqual({ kind: 'DynamoGraphDeployment', namespace: 'team', name: 'g' });
    expect(judge(graph({}, { name: 'g', namespace: 'own' })).identity.namespace).toBe('own');
    expect(judge('text').identity).toEqual({ kind: '', namespace: 'team', name: '' });
  });

  test('is ours, meant to be ours, or of somebody else', () => {
    const mine = (value: Json): boolean => judge(value).isDynamo;
    expect(mine(graph({}))).toBe(true);
    expect(mine({ ...graph({}), kind: 'DynamoGraphDeploymnt' })).toBe(true);
    expect(mine({ ...graph({}), apiVersion: 'example.com/v1' })).toBe(false);
    expect(mine({ apiVersion: 'v1', kind: 'Pod' })).toBe(false);
    expect(mine([])).toBe(false);
    for (const value of ['text', { apiVersion: 'v1', kind: 'Pod' }, { ...graph({}), kind: 'DynamoGraphDeploymnt' }])
      expect(judge(value).isUpdate).toBe(false);
  });

  test.each<[string, Json, readonly string[]]>([
    ['a list', [], ['kind error type : must be an object']],
    ['a string', 'text', ['kind error type : must be an object']],
    [
      'values of a chart',
      { replicaCount: 1 },
      ['kind warning untyped : not a Kubernetes object: apiVersion and kind are missing; nothing was checked'],
    ],
    ['no kind', { apiVersion: 'v1' }, ['kind error required kind: must be a string, got nothing']],
    ['an empty kind', { apiVersion: 'v1', kind: '' }, ['kind error required kind: must be a string, got ""']],
    ['no version', { kind: 'Pod' }, ['kind error required apiVersion: must be a string, got nothing']],
    ['a number as version', { apiVersion: 1, kind: 'Pod' }, ['kind error required apiVersion: must be a string, got 1']],
    [
      'neither as a string',
      { apiVersion: 1, kind: true },
      ['kind error required apiVersion: must be a string, got 1', 'kind error required kind: must be a string, got true'],
    ],
    [
      'an empty kind alone',
      { kind: '' },
      ['kind error required apiVersion: must be a string, got nothing', 'kind error required kind: must be a string, got ""'],
    ],
    ['an object of Kubernetes', { apiVersion: 'v1', kind: 'Pod' }, []],
    [
      'our kind in the group of another',
      { apiVersion: 'example.com/v1', kind: 'DynamoModel' },
      ['kind warning version apiVersion: no DynamoModel in "example.com/v1", did you mean nvidia.com/v1alpha1'],
    ],
    [
      'a misspelt kind',
      { apiVersion, kind: 'DynamoModle' },
      ['kind error unknown_kind kind: unknown kind "DynamoModle", did you mean DynamoModel'],
    ],
  ])('%s', (_what, value, wanted) => expect(said(value)).toEqual(wanted));
});

describe('what is stored', () => {
  test('is in the namespace it lands in', () => {
    const namespace = (metadata: JsonObject): unknown => judge(graph({ services: { A: {} } }, metadata)).stored?.['metadata'];
    expect(namespace({ name: 'g' })).toEqual({ name: 'g', namespace: 'team' });
    expect(namespace({ name: 'g', namespace: '' })).toEqual({ name: 'g', namespace: 'team' });
    expect(namespace({ name: 'g', namespace: 'own' })).toEqual({ name: 'g', namespace: 'own' });
  });

  test('has a name where the API server generates one', () => {
    const name = (metadata: JsonObject): unknown => judge(graph({ services: { A: {} } }, metadata)).stored?.['metadata'];
    expect(name({ generateName: 'g-' })).toEqual({ generateName: 'g-', name: 'g-xxxxx', namespace: 'team' });
    expect(name({ generateName: 'g-', name: '' })).toMatchObject({ name: 'g-xxxxx' });
    expect(name({ generateName: 'g-', name: 'h' })).toMatchObject({ name: 'h' });
    expect(name({ generateName: 'a'.repeat(70) })).toMatchObject({ name: `${'a'.repeat(58)}xxxxx` });
  });

  test('has a name of its own where several objects ask for a generated one with the same prefix', () => {
    const sources = ['g-', 'h-', 'g-', 'g-'].map((generateName) => ({ value: { ...graph({}), metadata: { generateName } } }));
    const judged = judgeDocuments(sources, settings);
    const names = ['g-xxxxx', 'h-xxxxx', 'g-xxxx2', 'g-xxxx3'];
    expect(judged.map(({ stored }) => stringAt(stored, 'metadata', 'name'))).toEqual(names);
    expect(judged.map(({ identity }) => identity.name)).toEqual(names);
  });

  test('is nothing where the schema refuses it, or where it is not ours', () => {
    expect(judge(graph({ services: { A: { replicas: 'x' } } }))).not.toHaveProperty('stored');
    expect(judge({ apiVersion: 'v1', kind: 'Pod' })).not.toHaveProperty('stored');
    expect(judge({ ...graph({}), metadata: 'x' })).not.toHaveProperty('stored');
  });
});

describe('an update', () => {
  const scaled = (replicas: number, metadata?: JsonObject): JsonObject =>
    graph({ services: { A: { replicas, scalingAdapter: { enabled: true } } } }, metadata);

  test('is one of an object with the same kind, namespace and name; the first of several counts', () => {
    const isUpdate = (...old: readonly JsonObject[]): boolean => judge(scaled(1), { old }).isUpdate;
    expect(isUpdate()).toBe(false);
    expect(isUpdate(scaled(1))).toBe(true);
    expect(isUpdate(scaled(1, { name: 'g', namespace: 'team' }))).toBe(true);
    expect(isUpdate(scaled(1, { name: 'g', namespace: 'other' }))).toBe(false);
    expect(isUpdate(scaled(1, { name: 'h' }))).toBe(false);
    expect(isUpdate({ ...scaled(1), kind: 'DynamoModel' })).toBe(false);
    expect(said(scaled(1), { old: [scaled(1), scaled(2)] })).toEqual([]);
    expect(said(scaled(1), { old: [scaled(2), scaled(1)] })).toHaveLength(1);
  });

  test('is judged by who sends it', () => {
    const old = [scaled(1)];
    expect(said(scaled(2), { old })).toHaveLength(1);
    expect(said(scaled(2), { old, user: { username: 'system:serviceaccount:x:planner-serviceaccount' } })).toEqual([]);
  });
});

describe('what is said of a field', () => {
  const request = (spec: JsonObject): JsonObject => ({
    apiVersion,
    kind: 'DynamoGraphDeploymentRequest',
    metadata: { name: 'r' },
    spec: { model: 'm', backend: 'vllm', ...spec },
  });

  test('that somebody still has to fill in', () => {
    expect(said(graph({ services: { A: { replicas: '${REPLICAS}' } } }))).toEqual([
      'schema error type spec.services.A.replicas: must be an integer, got "${REPLICAS}": the value is a placeholder; substitute it first, for example with envsubst',
    ]);
  });

  test('that is missing here and stands elsewhere', () => {
    expect(said(request({ profilerImage: 'p', profilingConfig: { config: {} } }))).toEqual([
      'schema error required spec.profilingConfig.profilerImage: is required here; move it from spec.profilerImage',
      'schema warning unknown_field spec.profilerImage: unknown field',
    ]);
    expect(said(request({ image: 'p', profilingConfig: { config: {} } }))).toEqual([
      'schema error required spec.profilingConfig.profilerImage: is required',
      'schema warning unknown_field spec.image: unknown field',
    ]);
    // A field of a wrong value that stands elsewhere too is not missing.
    expect(said({ ...request({ profilingConfig: { profilerImage: 1, config: {} }, profilerImage: 'p' }) })[0]).toBe(
      'schema error type spec.profilingConfig.profilerImage: must be a string, got 1: put it in quotes',
    );
  });

  test('that the operator cannot read', () => {
    expect(said(graph({ services: { A: { sharedMemory: { size: '1e1.5' } } } }))).toEqual([
      expect.stringMatching(/^schema error \w+ spec\.services\.A\.sharedMemory\.size: .*"1e1\.5"/),
    ]);
  });

  test('that the webhook refuses or warns of, with the words of the webhook', () => {
    const { findings } = judge(graph({ services: { A: { sharedMemory: {}, autoscaling: { enabled: true } } } }));
    expect(findings).toMatchObject([
      {
        stage: 'admission',
        severity: 'error',
        webhookMessage: 'spec.services[A].sharedMemory.size is required when disabled is false',
      },
      {
        stage: 'admission',
        severity: 'warning',
        id: 'deprecated',
        webhookMessage: expect.stringMatching(/^spec\.services\[A\]\.autoscaling is deprecated and ignored/) as string,
      },
    ]);
  });

  test('all at once, unless as the webhook tells it', () => {
    const bad = graph({ services: { A: { sharedMemory: {} }, B: { sharedMemory: {} } } });
    expect(said(bad)).toHaveLength(2);
    expect(said(bad, { thorough: true })).toHaveLength(2);
    expect(said(bad, { thorough: false })).toHaveLength(1);
  });

  test('that a release came or went with', () => {
    const spec = { services: { A: { failover: {}, subComponentType: 'prefill', odd: 1 } } };
    const odd = 'schema warning unknown_field spec.services.A.odd: unknown field';
    const failover = (release: string) =>
      `schema warning unknown_field spec.services.A.failover: unknown field: added in 1.1.1, release ${release} drops it`;
    expect(said(graph(spec))).toEqual([failover('0.9'), odd]);
    expect(said(graph(spec), { release: '1.1.1' })).toEqual([odd]);
    expect(said(graph(spec), { release: '0.5.1' })).toEqual([
      failover('0.5.1'),
      odd,
      'schema warning unknown_field spec.services.A.subComponentType: unknown field: added in 0.6.0, release 0.5.1 drops it',
    ]);
  });
});

test('has a normalized form only if the schema accepts it', () => {
  const services = { Worker: { componentType: 'worker', unknown: 1 } };
  expect(judge(graph({ services })).normalized).toMatchObject({ spec: { services: { Worker: { componentType: 'worker' } } } });
  expect(judge(graph({ services: { Worker: { replicas: 'two' } } })).normalized).toBeUndefined();
});
