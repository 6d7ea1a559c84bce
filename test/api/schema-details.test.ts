import { describe, expect, test } from 'vitest';
import { normalizeResource, parseResource, type Kind } from '../../lib/api/index.ts';
import { formatPath, type Json, type JsonObject } from '../../lib/json/index.ts';

const resource = (kind: Kind, spec: Json, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'nvidia.com/v1alpha1',
  kind,
  metadata: { name: 'x' },
  spec,
  ...more,
});
const component = (spec: Json): JsonObject => resource('DynamoComponentDeployment', spec);

const said = (value: Json, keep = false): readonly string[] =>
  normalizeResource(value, keep ? { status: 'keep' } : {}).issues.map(
    ({ path, code, message, causes }) =>
      `${formatPath(path)} ${code}: ${message} [${causes.map(({ field, reason }) => `${field} ${reason}`).join(', ')}]`,
  );

describe('what a scale sub-resource reads', () => {
  const adapter = (replicas: Json, status?: Json): JsonObject =>
    resource(
      'DynamoGraphDeploymentScalingAdapter',
      { replicas, dgdRef: { name: 'g', serviceName: 's' } },
      status === undefined ? {} : { status },
    );

  test('is whole, not negative, and of 32 bits', () => {
    expect(said(adapter(2147483647))).toEqual([]);
    expect(said(adapter(2147483648))).toEqual([
      'spec.replicas scale: must be 2147483647 or less, got 2147483648 [.spec.replicas FieldValueInvalid]',
    ]);
    expect(said(adapter(-1))).toEqual([
      'spec.replicas minimum: must be 0 or more, got -1 [spec.replicas FieldValueInvalid, .spec.replicas FieldValueInvalid]',
    ]);
    expect(said(adapter(1.5))).toEqual([
      'spec.replicas type: must be an integer, got 1.5 [spec.replicas FieldValueTypeInvalid, .spec.replicas FieldValueInvalid]',
    ]);
  });

  test('of a status too, where it is kept', () => {
    expect(said(adapter(1, { replicas: 1, selector: 'a=b' }), true)).toEqual([]);
    expect(said(adapter(1, { replicas: 2147483648 }), true)).toEqual([
      'status.replicas scale: must be 2147483647 or less, got 2147483648 [.status.replicas FieldValueInvalid]',
    ]);
    expect(said(adapter(1, { selector: 1 }), true)).toEqual([
      'status.selector type: must be a string, got 1: put it in quotes [status.selector FieldValueTypeInvalid, .status.selector FieldValueInvalid]',
    ]);
    expect(said(adapter(1, 'ready'), true)).toEqual([
      'status type: must be an object, got "ready" [status FieldValueTypeInvalid, .status.replicas FieldValueInvalid, .status.selector FieldValueInvalid]',
    ]);
  });
});

test('an unknown field in the metadata of an embedded object is reported at its path', () => {
  const generatedDeployment = { metadata: { name: 'g', lables: {} } };
  const request = resource('DynamoGraphDeploymentRequest', {}, { status: { generatedDeployment } });
  const { value, warnings } = normalizeResource(request, { status: 'keep' });
  expect(warnings).toMatchObject([
    {
      path: ['status', 'generatedDeployment', 'metadata', 'lables'],
      code: 'unknown_field',
      message: expect.stringContaining('labels'),
    },
  ]);
  expect(value).toMatchObject({ status: { generatedDeployment: { metadata: { name: 'g' } } } });
});

describe('values in messages', () => {
  const message = (value: Json): string => said(component({ replicas: value }))[0]?.split(' [')[0] ?? '';

  test.each<[Json, string]>([
    ['3', 'must be an integer, got "3": remove the quotes'],
    ['-3', 'must be an integer, got "-3": remove the quotes'],
    ['three', 'must be an integer, got "three"'],
    ['3x', 'must be an integer, got "3x"'],
    [[], 'must be an integer, got a list'],
    [{}, 'must be an integer, got an object'],
    [true, 'must be an integer, got true'],
    ['x'.repeat(78), `must be an integer, got "${'x'.repeat(78)}"`],
    ['x'.repeat(79), `must be an integer, got "${'x'.repeat(76)}..."`],
  ])('%.20j', (value, wanted) => expect(message(value)).toBe(`spec.replicas type: ${wanted}`));

  test.each<[JsonObject, string]>([
    [{ componentType: 1 }, 'spec.componentType type: must be a string, got 1: put it in quotes'],
    [{ componentType: true }, 'spec.componentType type: must be a string, got true: put it in quotes'],
    [{ componentType: {} }, 'spec.componentType type: must be a string, got an object'],
    [{ ingress: { enabled: 'true' } }, 'spec.ingress.enabled type: must be true or false, got "true": remove the quotes'],
    [{ ingress: { enabled: 'false' } }, 'spec.ingress.enabled type: must be true or false, got "false": remove the quotes'],
    [{ ingress: { enabled: 'yes' } }, 'spec.ingress.enabled type: must be true or false, got "yes"'],
    [{ envs: {} }, 'spec.envs type: must be a list, got an object'],
    [{ labels: [] }, 'spec.labels type: must be an object, got a list'],
    [
      { livenessProbe: { httpGet: { port: true } } },
      'spec.livenessProbe.httpGet.port type: must be an integer or a string, got true',
    ],
  ])('%j', (spec, wanted) => expect(said(component(spec))[0]?.split(' [')[0]).toBe(wanted));
});

describe('lists whose items must differ', () => {
  const set = (containers: Json): readonly string[] => said(component({ extraPodSpec: { containers } }));

  test('tell the second of equals and no third, by their keys', () => {
    expect(set([{ name: 'a' }, { name: 'b' }])).toEqual([]);
    expect(set([{ name: 'a' }, { name: 'b' }, { name: 'a' }, { name: 'b' }, { name: 'a' }])).toEqual([
      'spec.extraPodSpec.containers[2] duplicate: duplicate of entry 0: both have name "a" [spec.extraPodSpec.containers[2] FieldValueDuplicate]',
      'spec.extraPodSpec.containers[3] duplicate: duplicate of entry 1: both have name "b" [spec.extraPodSpec.containers[3] FieldValueDuplicate]',
    ]);
  });

  test('name the first item that is no object', () => {
    expect(set([{ name: 'a' }, 'b', 'c'])[0]).toMatch(/^spec\.extraPodSpec\.containers\[1\] type: must be an object, got "b"/);
  });

  test('write keys of maps in brackets', () => {
    const graph = resource('DynamoGraphDeployment', {
      services: { 'a.b': { extraPodSpec: { containers: [{ name: 'x' }, { name: 'x' }] } } },
    });
    expect(said(graph)[0]).toContain('[spec.services[a.b].extraPodSpec.containers[1] FieldValueDuplicate]');
  });
});

test('a resource is parsed, or the reasons why not are given', () => {
  expect(parseResource({ apiVersion: 'v1', kind: 'Pod' })).toEqual({
    issues: [
      {
        path: ['apiVersion'],
        code: 'type',
        message: 'must be a resource of nvidia.com/v1alpha1',
        causes: [{ field: 'apiVersion', reason: 'FieldValueInvalid' }],
      },
    ],
    warnings: [],
  });
  expect(parseResource(component({ odd: 1 })).warnings).toHaveLength(1);
  expect(parseResource({ apiVersion: 'example.com/v1', kind: 'DynamoModel' }).warnings).toHaveLength(1);
});

test('a status that cannot be read makes an object unreadable, also where it is dropped', () => {
  const spec = { model: 'm', backend: 'vllm', profilingConfig: { profilerImage: 'p:1', config: {} } };
  const request = (generatedDeployment: Json): JsonObject =>
    resource('DynamoGraphDeploymentRequest', spec, { status: { state: 'Ready', generatedDeployment } });
  const unreadable = 'status.generatedDeployment.metadata.name type: must be a string, got 5 []';
  for (const keep of [false, true]) {
    expect(said(request({ apiVersion: 'v1', kind: 'K', metadata: { name: 'x' } }), keep)).toEqual([]);
    expect(said(request({ apiVersion: 'v1', kind: 'K', metadata: { name: 5 } }), keep)).toEqual([unreadable]);
    expect(said(request({ apiVersion: 'v1', kind: 1, metadata: { name: 'x' } }), keep)[0]).toMatch(
      /^status\.generatedDeployment\.kind type: must be a string, got 1/,
    );
  }
  expect(said(resource('DynamoGraphDeployment', { services: {} }, { status: { state: 5 } }))).toEqual([]);
  expect(said(resource('DynamoWorkerMetadata', { data: {} }, { status: { any: 1 } }))).toEqual([]);
  const { value } = normalizeResource(request({ apiVersion: 'v1', kind: 'K', metadata: { name: 'x', odd: 1 }, any: [1] }), {
    status: 'keep',
  });
  expect(value).toHaveProperty('status.generatedDeployment', { apiVersion: 'v1', kind: 'K', metadata: { name: 'x' }, any: [1] });
});
