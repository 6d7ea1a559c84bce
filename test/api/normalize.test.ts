import { assert, property } from 'fast-check';
import { expect, test } from 'vitest';
import { formatPath, isObject, type Json, type JsonObject } from '../../lib/json/index.ts';
import { normalizeResource, parseResource } from '../../lib/api/normalize.ts';
import { apiVersion } from '../../lib/api/schema/kinds.ts';
import { resources, statuses } from './resource-arbitrary.ts';

const graph = (spec: Json, more: JsonObject = {}): JsonObject => ({
  apiVersion,
  kind: 'DynamoGraphDeployment',
  metadata: { name: 'sample' },
  spec,
  ...more,
});
const service = (spec: Json): JsonObject => graph({ services: { Worker: spec } });
const specOf = (value: Json): Json | undefined => (isObject(value) ? value['spec'] : undefined);
const workerOf = (resource: JsonObject): unknown => {
  const spec = specOf(normalizeResource(resource).value);
  return isObject(spec) && isObject(spec['services']) ? spec['services']['Worker'] : undefined;
};
const texts = (issues: readonly { readonly path: readonly (string | number)[]; readonly message: string }[]): readonly string[] =>
  issues.map(({ path, message }) => `${formatPath(path)}: ${message}`);

test('fills in defaults where their parent is present, and nowhere else', () => {
  expect(workerOf(service({ multinode: {}, scalingAdapter: {}, volumeMounts: [{ name: 'd' }] }))).toEqual({
    multinode: { nodeCount: 2 },
    scalingAdapter: { enabled: false },
    volumeMounts: [{ name: 'd', useAsCompilationCache: false }],
  });
  expect(workerOf(service({}))).toEqual({});
});

test('drops nulls, and puts a default in their place where there is one', () => {
  expect(workerOf(service({ replicas: null, multinode: { nodeCount: null }, labels: { a: null } }))).toEqual({
    multinode: { nodeCount: 2 },
    labels: {},
  });
  expect(specOf(normalizeResource(graph({ services: { Worker: null } })).value)).toEqual({ services: {} });
});

test('drops unknown fields with a warning that names the nearest known one', () => {
  const { value, warnings } = normalizeResource(service({ replcas: 2, envs: [{ name: 'A', vlaue: 'x' }], bogus: 1 }));
  expect(specOf(value)).toEqual({ services: { Worker: { envs: [{ name: 'A' }] } } });
  expect(texts(warnings)).toEqual([
    'spec.services.Worker.replcas: unknown field, did you mean replicas',
    'spec.services.Worker.envs[0].vlaue: unknown field, did you mean value',
    'spec.services.Worker.bogus: unknown field',
  ]);
});

test('keeps what is free-form as it is, and prunes again below known fields', () => {
  const config = { plugins: [{ type: 'p', extra: 1 }], schedulingProfiles: [], other: { deep: [null, { a: null }] } };
  expect(workerOf(service({ eppConfig: { config } }))).toEqual({
    eppConfig: { config: { plugins: [{ type: 'p' }], schedulingProfiles: [], other: { deep: [null, { a: null }] } } },
  });
});

test('drops the status as on creation, or checks and keeps it', () => {
  const resource = graph({}, { status: { state: 'pending', services: { a: { componentKind: 'Pod' } } } });
  expect(normalizeResource(resource).issues).toEqual([]);
  expect(normalizeResource(resource).value).not.toHaveProperty('status');
  expect(texts(normalizeResource(resource, { status: 'keep' }).issues)).toEqual([
    'status.services.a.componentName: is required',
    'status.services.a.replicas: is required',
    'status.services.a.updatedReplicas: is required',
    'status.services.a.componentKind: must be one of PodClique, PodCliqueScalingGroup, Deployment, LeaderWorkerSet, got "Pod"',
  ]);
  const good = graph({}, { status: { state: 'pending' } });
  expect(normalizeResource(good, { status: 'keep' }).value).toHaveProperty('status', { state: 'pending' });
});

test.each([
  [{}, 'metadata.name: is required (or generateName)'],
  [
    { name: 'Bad_Name' },
    'metadata.name: must consist of lower case letters, digits, - and ., and begin and end with a letter or digit, got "Bad_Name"',
  ],
  [{ name: 'a'.repeat(254) }, 'metadata.name: must have at most 253 characters, got 254'],
  [{ name: 5 }, 'metadata.name: must be a string, got 5'],
  [
    { name: 'a', labels: { 'a b': 'c' } },
    'metadata.labels: a key must consist of letters, digits, -, _ and ., and begin and end with a letter or digit, got "a b"',
  ],
  [{ name: 'a', labels: { a: 'x'.repeat(64) } }, 'metadata.labels: the value of "a" must have at most 63 characters, got 64'],
  [{ name: 'a', labels: { a: 1 } }, 'metadata.labels.a: must be a string, got 1'],
  [
    { name: 'a', annotations: { a: 'x'.repeat(262_144) } },
    'metadata.annotations: must have at most 262144 bytes in total, got 262145',
  ],
  [
    { name: 'a', namespace: 'A.b' },
    'metadata.namespace: must consist of lower case letters, digits and -, and begin and end with a letter or digit, got "A.b"',
  ],
  [
    { name: 'a', finalizers: ['a b'] },
    'metadata.finalizers: must consist of letters, digits, -, _ and ., and begin and end with a letter or digit, got "a b"',
  ],
])('rejects metadata (%#)', (metadata, message) => {
  expect(texts(normalizeResource(graph({}, { metadata })).issues)).toEqual([message]);
});

test('reads metadata as the API server does: unknown, empty and null fields go', () => {
  const metadata = { generateName: 'a-', labels: { a: null }, annotations: {}, creationTimestamp: null, lables: { a: 'b' } };
  const { value, warnings } = normalizeResource(graph({}, { metadata }));
  expect(value).toHaveProperty('metadata', { generateName: 'a-', labels: { a: '' } });
  expect(texts(warnings)).toEqual(['metadata.lables: unknown field, did you mean labels']);
});

test('passes objects of others as they are', () => {
  for (const value of [
    { apiVersion: 'v1', kind: 'ConfigMap', data: null },
    { apiVersion: 'nvidia.com/v1', kind: 'ClusterPolicy' },
    'text',
    null,
    [],
  ]) {
    expect(normalizeResource(value)).toEqual({ kind: undefined, value, issues: [], warnings: [] });
  }
});

test('rejects other versions and mistyped kinds of ours', () => {
  expect(texts(normalizeResource({ ...graph({}), apiVersion: 'nvidia.com/v1beta1' }).issues)).toEqual([
    'apiVersion: DynamoGraphDeployment of nvidia.com/v1beta1 is served by Dynamo 1.2.1 and later; this is for Dynamo 0.9, which serves nvidia.com/v1alpha1',
  ]);
  expect(texts(normalizeResource({ ...graph({}), kind: 'DynamoGraphDeploymnet' }).issues)).toEqual([
    'kind: unknown kind "DynamoGraphDeploymnet", did you mean DynamoGraphDeployment',
  ]);
});

test('keys of prototypes are keys like any other', () => {
  const labels = JSON.parse('{"__proto__": "a", "constructor": "b", "toString": "c"}') as JsonObject;
  const stored = workerOf(service({ labels }));
  expect(JSON.stringify(stored)).toBe('{"labels":{"__proto__":"a","constructor":"b","toString":"c"}}');
  const hostile = JSON.parse('{"__proto__": {"replicas": -1}, "constructor": {"prototype": {"x": 1}}}') as JsonObject;
  expect(texts(normalizeResource(service(hostile)).warnings)).toEqual([
    'spec.services.Worker.__proto__: unknown field',
    'spec.services.Worker.constructor: unknown field',
  ]);
  expect({}).not.toHaveProperty('x');
});

function nested(depth: number, wrap: (inner: Json) => Json): Json {
  let value: Json = 1;
  for (let i = 0; i < depth; i++) value = wrap(value);
  return value;
}

test('refuses nesting that would exhaust the stack, and carries free-form content however deep', () => {
  const lists = nested(100_000, (inner) => [inner]);
  expect(texts(normalizeResource(service({ replicas: lists })).issues)[0]).toContain('nested too deeply');
  const objects = nested(100_000, (inner) => ({ a: inner }));
  expect(normalizeResource(service({ bogus: objects, labels: { a: objects } })).issues).toHaveLength(1);
  const free = {
    apiVersion,
    kind: 'DynamoWorkerMetadata',
    metadata: { name: 'a' },
    spec: { data: { deep: objects, big: 10n ** 30n } },
  };
  expect(normalizeResource(free).issues).toEqual([]);
});

test('keeps every digit of 64 bits, and rounds beyond as the API server does', () => {
  const data = { seed: 9007199254740993n, huge: [18446744073709551616n, { __proto__: null, a: -(10n ** 20n) }] };
  const { value } = normalizeResource({ apiVersion, kind: 'DynamoWorkerMetadata', metadata: { name: 'a' }, spec: { data } });
  expect(specOf(value)).toEqual({ data: { seed: 9007199254740993n, huge: [18446744073709552000, { a: -1e20 }] } });
  expect(normalizeResource(service({ replicas: 9007199254740993n })).issues).toEqual([]);
  expect(texts(normalizeResource(service({ replicas: -9007199254740993n })).issues)).toEqual([
    'spec.services.Worker.replicas: must be 0 or more, got -9007199254740993',
  ]);
  expect(texts(normalizeResource(service({ replicas: 9223372036854775808n })).issues)).toEqual([
    'spec.services.Worker.replicas: must be an integer, got 9223372036854776000: it has more than 64 bits',
  ]);
});

test('parses a resource into its type, or says why not', () => {
  const parsed = parseResource(graph({ services: { Worker: { multinode: {} } } }));
  expect(
    parsed.resource?.kind === 'DynamoGraphDeployment' && parsed.resource.spec?.services?.['Worker']?.multinode?.nodeCount,
  ).toBe(2);
  expect(parseResource(service({ replicas: -1 }))).toMatchObject({ issues: [{ message: 'must be 0 or more, got -1' }] });
  expect(parseResource({ apiVersion: 'v1', kind: 'Pod' })).toMatchObject({ issues: [{ path: ['apiVersion'] }] });
});

function freeze(value: Json | undefined): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  Object.values(value).forEach(freeze);
}

test('never throws, never changes its input, and has nothing to add to what it accepted', () => {
  assert(
    property(resources, (resource) => {
      freeze(resource);
      const first = normalizeResource(resource);
      if (first.issues.length === 0) expect(normalizeResource(first.value)).toEqual({ ...first, warnings: [] });
    }),
    { numRuns: 300 },
  );
});

test('treats a status the same way', () => {
  assert(
    property(statuses, (resource) => {
      freeze(resource);
      const first = normalizeResource(resource, { status: 'keep' });
      if (first.issues.length === 0)
        expect(normalizeResource(first.value, { status: 'keep' })).toEqual({ ...first, warnings: [] });
    }),
    { numRuns: 100 },
  );
});
