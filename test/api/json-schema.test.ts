import { Ajv, type ValidateFunction } from 'ajv';
import { describe, expect, test } from 'vitest';
import { combinedJsonSchema, jsonSchemas, kindOf, kinds, nameOf, namespaceOf } from '../../lib/api/index.ts';
import type { Json, JsonObject } from '../../lib/json/index.ts';

const apiVersion = 'nvidia.com/v1alpha1';

function checkOf(kind: string): ValidateFunction {
  const file = jsonSchemas().find(({ schema }) => schema['title'] === kind);
  if (file === undefined) throw new Error(`no schema of ${kind}`);
  return new Ajv({ strict: false, logger: false, validateFormats: false }).compile(file.schema);
}

const graph = (service: Json, more: JsonObject = {}, metadata: Json = { name: 'g' }): JsonObject => ({
  apiVersion,
  kind: 'DynamoGraphDeployment',
  metadata,
  spec: { services: { A: service }, ...more },
});

test('every kind has a file under the name that kubeconform looks for', () => {
  const files = jsonSchemas();
  expect(files.map(({ name }) => name)).toEqual(kinds.map(({ singular }) => `${singular}_v1alpha1.json`));
  for (const [index, { schema }] of files.entries())
    expect(schema).toMatchObject({
      $schema: 'http://json-schema.org/draft-07/schema#',
      title: kinds[index]?.kind,
      description: kinds[index]?.doc,
    });
});

describe('a graph', () => {
  const taken: readonly (readonly [string, JsonObject])[] = [
    [
      'with a little of everything',
      graph({ componentType: 'worker', replicas: 1, envs: [{ name: 'A', value: 'b' }], labels: { a: 'b' } }),
    ],
    ['with nulls, which count as absent', graph({ replicas: null, labels: null, multinode: null, componentType: null })],
    ['with a status', { ...graph({}), status: { state: 'pending' } }],
    ['without a spec', { apiVersion, kind: 'DynamoGraphDeployment', metadata: { name: 'g' }, spec: null }],
    ['with a field that a default fills in', graph({ multinode: {} })],
    ['with a quantity as a number', graph({ sharedMemory: { size: 1 } })],
    ['with a quantity as a string', graph({ sharedMemory: { size: '1Gi' } })],
    [
      'with annotations of anybody',
      graph({}, {}, { name: 'g', annotations: { 'a.b/c': 'd', 'nvidia.com/enable-grove': 'false' } }),
    ],
    [
      'with nulls in its metadata',
      graph({}, {}, { name: 'g', labels: null, annotations: null, finalizers: null, ownerReferences: null }),
    ],
    [
      'with every annotation of the operator',
      graph(
        {},
        {},
        {
          name: 'g',
          annotations: {
            'nvidia.com/enable-metrics': 'true',
            'nvidia.com/disable-image-pull-secret-discovery': 'false',
            'nvidia.com/kai-scheduler-queue': 'q',
            'nvidia.com/dynamo-discovery-backend': 'etcd',
            'nvidia.com/deployment-strategy': 'Recreate',
            'nvidia.com/deployment-rolling-update-max-surge': '25%',
            'nvidia.com/deployment-rolling-update-max-unavailable': '1',
          },
        },
      ),
    ],
    ['with free-form content', graph({ eppConfig: { config: { plugins: [], schedulingProfiles: [], more: { a: [1] } } } })],
    ['with a field of the cluster', graph({}, {}, { name: 'g', creationTimestamp: null, generation: 3, managedFields: [] })],
  ];

  const refused: readonly (readonly [string, JsonObject])[] = [
    ['with an unknown field', graph({ replcas: 1 })],
    ['with an unknown field of its own', { ...graph({}), specs: {} }],
    ['with an unknown field of its metadata', graph({}, {}, { name: 'g', lables: {} })],
    ['with a name that is none', graph({}, {}, { name: 'G_1' })],
    ['with a namespace that is none', graph({}, {}, { name: 'g', namespace: 'a.b' })],
    ['with a number for a string', graph({ componentType: 1 })],
    ['with a component type that nobody understands', graph({ componentType: 'workr' })],
    ['with a type of component below that nobody understands', graph({ subComponentType: 'worker' })],
    ['with a value that is not among those allowed', graph({}, { backendFramework: 'tgi' })],
    ['with too few nodes', graph({ multinode: { nodeCount: 1 } })],
    ['with replicas below zero', graph({ replicas: -1 })],
    ['with an item that lacks what it needs', graph({ envs: [{ value: 'b' }] })],
    ['with a needed field that is null', graph({ envs: [{ name: null }] })],
    ['with a quantity that is none', graph({ sharedMemory: { size: 'lots' } })],
    [
      'with a switch of the operator that is none',
      graph({}, {}, { name: 'g', annotations: { 'nvidia.com/enable-grove': 'maybe' } }),
    ],
    ['with labels that are no strings', graph({}, {}, { name: 'g', labels: { a: 1 } })],
    ...['enable-metrics', 'disable-image-pull-secret-discovery', 'dynamo-discovery-backend', 'deployment-strategy'].map(
      (key) =>
        [`with ${key} that is none`, graph({}, {}, { name: 'g', annotations: { [`nvidia.com/${key}`]: 'perhaps' } })] as const,
    ),
    ['with finalizers that are no strings', graph({}, {}, { name: 'g', finalizers: [1] })],
    ['with owners that are no objects', graph({}, {}, { name: 'g', ownerReferences: ['x'] })],
    ['with a generation that is no number', graph({}, {}, { name: 'g', generation: 'x' })],
    ['with a name that is too long', graph({}, {}, { name: 'a'.repeat(254) })],
    ['with a namespace that is too long', graph({}, {}, { name: 'g', namespace: 'a'.repeat(64) })],
    ['of another kind', { ...graph({}), kind: 'DynamoModel' }],
    ['of another version', { ...graph({}), apiVersion: 'nvidia.com/v1' }],
    ['without metadata', { apiVersion, kind: 'DynamoGraphDeployment', spec: {} }],
    ['with too many services', graph({}, { services: Object.fromEntries(Array.from({ length: 26 }, (_, i) => [`s${i}`, {}])) })],
    ['with a list for an object', graph([])],
  ];

  test('is taken or refused as it should be, case by case', () => {
    const check = checkOf('DynamoGraphDeployment');
    for (const [what, value] of taken) expect([what, check(value), check.errors]).toEqual([what, true, null]);
    for (const [what, value] of refused) expect([what, check(value)]).toEqual([what, false]);
  });

  test('tells editors what fields are for, what to use instead, and what they default to', () => {
    const [file] = jsonSchemas();
    const text = JSON.stringify(file?.schema);
    expect(text).toMatch(/"deprecated":true,"deprecationMessage":"[^"]{10}/);
    expect(text).toMatch(/"description":"[^"]{10}/);
    expect(text).toContain('"default":2');
    const { definitions } = file?.schema ?? {};
    for (const [name, definition] of Object.entries(definitions ?? {})) expect([name, definition]).not.toEqual([name, {}]);
  });
});

test('what is needed in other kinds', () => {
  const model = checkOf('DynamoModel');
  const of = (spec: Json) => ({ apiVersion, kind: 'DynamoModel', metadata: { name: 'm' }, spec });
  expect(model(of({ modelName: 'a', baseModelName: 'b' }))).toBe(true);
  expect(model(of({ modelName: 'a' }))).toBe(false);
  const worker = checkOf('DynamoWorkerMetadata');
  const metadata = (more: JsonObject) => ({ apiVersion, kind: 'DynamoWorkerMetadata', metadata: { name: 'm' }, ...more });
  expect(worker(metadata({ spec: { data: { any: { thing: [1, null] } } } }))).toBe(true);
  expect(worker(metadata({ spec: { data: {} }, status: {} }))).toBe(false);
});

test('times have their format', () => {
  const text = JSON.stringify(jsonSchemas().map(({ schema }) => schema));
  expect(text).toContain('"format":"date-time"');
  expect(text).not.toMatch(/"format":"(?!date-time)/);
});

test('one schema for all judges each object by its kind, and no other', () => {
  const all = new Ajv({ strict: false, logger: false, validateFormats: false });
  for (const { name, schema } of jsonSchemas()) all.addSchema(schema, name);
  const check = all.compile(combinedJsonSchema());
  expect(combinedJsonSchema()).toMatchObject({ $schema: 'http://json-schema.org/draft-07/schema#', title: 'Dynamo resources' });
  expect(check(graph({ replicas: 1 }))).toBe(true);
  expect(check(graph({ replcas: 1 }))).toBe(false);
  expect(check({ apiVersion, kind: 'DynamoModel', metadata: { name: 'm' }, spec: { odd: 1 } })).toBe(false);
  for (const other of [
    { apiVersion: 'v1', kind: 'Pod', odd: 1 },
    { apiVersion: 'nvidia.com/v1', kind: 'DynamoGraphDeployment', odd: 1 },
    { apiVersion, kind: 'Other', odd: 1 },
    { odd: 1 },
  ])
    expect(check(other)).toBe(true);
});

test('an object is known by its kind, its name and the namespace it lands in', () => {
  const object = { kind: 'K', metadata: { name: 'n', namespace: 's' } };
  expect([kindOf(object), nameOf(object), namespaceOf(object, 'd')]).toEqual(['K', 'n', 's']);
  expect([kindOf({}), nameOf({}), namespaceOf({}, 'd')]).toEqual(['', '', 'd']);
  expect(namespaceOf({ metadata: { namespace: '' } }, 'd')).toBe('d');
});
