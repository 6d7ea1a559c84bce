import { anything, assert, constantFrom, dictionary, jsonValue, oneof, property, record, string } from 'fast-check';
import { expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../lib/json/index.ts';
import { lintGraph } from '../../lib/lint/index.ts';
import { rules } from '../../lib/lint/registry.ts';

const kinds = constantFrom(
  'DynamoGraphDeployment',
  'DynamoComponentDeployment',
  'DynamoGraphDeploymentRequest',
  'DynamoModel',
  'ConfigMap',
  'HorizontalPodAutoscaler',
);
const fields = [
  'componentType',
  'subComponentType',
  'replicas',
  'multinode',
  'resources',
  'envs',
  'volumeMounts',
  'extraPodSpec',
  'livenessProbe',
  'sharedMemory',
  'eppConfig',
  'scalingAdapter',
];
const component = dictionary(constantFrom(...fields), jsonValue());
const resource = record({
  apiVersion: constantFrom('nvidia.com/v1alpha1', 'v1'),
  kind: kinds,
  metadata: oneof(record({ name: string(), annotations: dictionary(string(), string()) }), jsonValue()),
  spec: oneof(record({ services: dictionary(string(), component), pvcs: jsonValue(), envs: jsonValue() }), jsonValue()),
});

/** Puts a random value at a random place of an object. */
function damage(value: unknown, path: readonly number[], what: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined || typeof value !== 'object' || value === null) return what;
  const keys = Object.keys(value);
  const key = keys[first % Math.max(1, keys.length)];
  if (key === undefined) return what;
  if (Array.isArray(value)) return value.map((item: unknown, i) => (String(i) === key ? damage(item, rest, what) : item));
  return { ...value, [key]: damage((value as JsonObject)[key], rest, what) };
}

test('lint never throws, whatever a manifest holds', () => {
  assert(
    property(resource, (made) => {
      lintGraph(JSON.parse(JSON.stringify(made)) as JsonObject);
    }),
    { numRuns: 150 },
  );
});

test('lint never throws on a manifest with one thing out of place', () => {
  const examples = rules
    .flatMap((rule) => [...(rule.example?.().bad ?? []), ...(rule.example?.().good ?? [])])
    .map((r) => JSON.parse(JSON.stringify(r)) as JsonObject);
  const place = record({
    example: constantFrom(...examples),
    a: constantFrom(...Array.from({ length: 8 }, (_, i) => i)),
    b: constantFrom(0, 1, 2, 3),
    c: constantFrom(0, 1, 2, 3, 4, 5),
    what: anything(),
  });
  assert(
    property(place, ({ example, a, b, c, what }) => {
      const text = JSON.stringify(damage(example, [3, a, b, c], what) ?? {}, (_, v: unknown) =>
        typeof v === 'bigint' ? String(v) : v,
      );
      const damaged: unknown = JSON.parse(text ?? '{}');
      if (isObject(damaged)) lintGraph(damaged);
    }),
    { numRuns: 500 },
  );
});

test('lint says the same twice', () => {
  for (const rule of rules) {
    const [first] = rule.example?.().bad ?? [];
    if (first !== undefined) expect(lintGraph(first)).toEqual(lintGraph(first));
  }
});
