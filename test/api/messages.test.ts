/** Messages about resources that the schema rejects. */
import { expect, test } from 'vitest';
import { classifyResource } from '../../lib/api/dynamo-resource.ts';
import { normalizeResource, type Json } from '../../lib/api/index.ts';
import { formatPath } from '../../lib/json/index.ts';

function messages(more: object): readonly string[] {
  const resource: Json = JSON.parse(
    JSON.stringify({ apiVersion: 'nvidia.com/v1alpha1', kind: 'DynamoGraphDeployment', metadata: { name: 'g' }, ...more }),
  );
  return normalizeResource(resource, { status: 'keep' }).issues.map(({ path, message }) => `${formatPath(path)}: ${message}`);
}

const main = (fields: object): object => ({ spec: { services: { A: { extraPodSpec: { mainContainer: fields } } } } });
const condition = { type: 'Ready', status: 'True', reason: 'Ok', message: '', lastTransitionTime: '2026-01-31T12:00:00Z' };
const place = 'spec.services.A.extraPodSpec.mainContainer';

test.each([
  [
    'the reason of a condition is one word',
    { status: { conditions: [{ ...condition, reason: 'two words' }] } },
    /^status\.conditions\[0\]\.reason: must match \^\[A-Za-z\].*, got "two words"$/,
  ],
  [
    'the type of a condition is a name',
    { status: { conditions: [{ ...condition, type: 'no type' }] } },
    /^status\.conditions\[0\]\.type: must match \^.*, got "no type"$/,
  ],
  [
    'an integer has at most 64 bits',
    { spec: { services: { A: { replicas: 1e20 } } } },
    /^spec\.services\.A\.replicas: must be an integer, got 100000000000000000000: it has more than 64 bits$/,
  ],
  ['a fraction is no integer', { spec: { services: { A: { replicas: 1.5 } } } }, /replicas: must be an integer, got 1\.5$/],
  [
    'a quantity is an amount with a unit',
    main({ resources: { limits: { memory: 'much' } } }),
    /limits\.memory: must be a quantity such as 500m or 2Gi, got "much"$/,
  ],
])('%s', (_, more, expected) => {
  const [message, ...others] = messages(more);
  expect(message).toMatch(expected);
  expect(others).toEqual([]);
});

test('a text that is too long says how long it is, with a code of its own', () => {
  const resource: Json = JSON.parse(
    JSON.stringify({
      apiVersion: 'nvidia.com/v1alpha1',
      kind: 'DynamoGraphDeployment',
      metadata: { name: 'g' },
      status: { conditions: [{ ...condition, reason: 'A'.repeat(1025) }] },
    }),
  );
  expect(normalizeResource(resource, { status: 'keep' }).issues).toMatchObject([
    { code: 'too_long', message: 'must have at most 1024 characters, got 1025' },
  ]);
});

test('items of a list are told apart by all keys of the list, and named by them', () => {
  const port = (containerPort: number, protocol: string): object => ({ containerPort, protocol });
  expect(messages(main({ ports: [port(80, 'TCP'), port(80, 'UDP')] }))).toEqual([]);
  const [message] = messages(main({ ports: [port(80, 'TCP'), port(80, 'UDP'), port(80, 'TCP')] }));
  expect(message).toContain(`${place}.ports[2]`);
  expect(message).toMatch(/containerPort 80 and protocol "TCP"/);
  const without = { services: { A: { extraPodSpec: { topologySpreadConstraints: [{ maxSkew: 1 }, { maxSkew: 2 }] } } } };
  expect(messages({ spec: without }).filter((one) => one.includes('duplicate'))).toEqual([
    'spec.services.A.extraPodSpec.topologySpreadConstraints[1]: duplicate of entry 0: both have no topologyKey and whenUnsatisfiable',
  ]);
});

test.each([
  ['nvidia.com', 'DynamoGraphDeploymnt', 'unserved'],
  ['nvidia.com', 'Other', 'other'],
  ['nvidia.com/v1alpha1', 'DynamoGraphDeployment', 'dynamo'],
  ['apps/v1', 'Deployment', 'other'],
  ['v1', 'DynamoModel', 'unserved'],
  ['example.com/v1', 'DynamoModel', 'doubtful'],
])('%s %s is %s', (apiVersion, kind, expected) => {
  expect(classifyResource({ apiVersion, kind }).is).toBe(expected);
});
