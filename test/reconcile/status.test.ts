import { describe, expect, test } from 'vitest';
import { listAt, stringAt, valueAt, type JsonObject } from '../../lib/json/index.ts';
import { differsInCountsOnly } from '../../lib/reconcile/graph/graph-status.ts';
import { componentOf, graphOf, platformStore, resourceKey } from './cluster.ts';
import { pass } from './shell.ts';
import { Refused, type Store } from './store.ts';

const long = 'x'.repeat(40_000);

function conditionOf(store: Store, key: ReturnType<typeof resourceKey>, type: string): JsonObject {
  const found = listAt(store.get(key), 'status', 'conditions').find((entry) => stringAt(entry, 'type') === type);
  return { status: stringAt(found, 'status'), message: stringAt(found, 'message') };
}

test('cuts a message that the API server would not take, at its bound', () => {
  const graph = platformStore();
  graph.create(graphOf('g'));
  const graphKey = resourceKey('Deployment', 'g');
  const refuse = {
    intercept: ({ verb }: { readonly verb: string }) => (verb === 'create' ? new Refused(422, 'Invalid', long) : undefined),
  };
  const { error } = pass(graph, graphKey, refuse);
  expect(error?.length).toBeGreaterThan(40_000);
  const told = stringAt(conditionOf(graph, graphKey, 'Ready'), 'message');
  expect([told.length, told.endsWith('x...')]).toEqual([32_768, true]);

  const component = platformStore();
  component.create(componentOf('solo'));
  const key = resourceKey('ComponentDeployment', 'solo');
  pass(component, key, refuse);
  expect(stringAt(conditionOf(component, key, 'Available'), 'message')).toHaveLength(32_768);
});

test('tells a message at its bound whole', () => {
  const store = platformStore();
  store.create(graphOf('g'));
  const key = resourceKey('Deployment', 'g');
  const chain = 'failed to ensure planner RBAC: failed to create service account: ';
  const text = 'y'.repeat(32_768 - chain.length);
  pass(store, key, { intercept: ({ verb }) => (verb === 'create' ? new Refused(422, 'Invalid', text) : undefined) });
  expect(stringAt(conditionOf(store, key, 'Ready'), 'message')).toBe(`${chain}${text}`);
  expect(valueAt(store.get(key), 'status', 'state')).toBe('failed');
});

describe('two statuses of a graph differ in counts only', () => {
  const status = {
    state: 'pending',
    conditions: [{ type: 'Ready', status: 'False', reason: 'some_resources_are_not_ready', message: 'a' }],
    services: { decode: { replicas: 1 } },
    restart: { observedID: 'r', phase: 'Restarting', inProgress: ['decode'] },
  };
  const [condition] = status.conditions;

  test('where nothing but counts and words is another', () => {
    const other = { ...status, conditions: [{ ...condition, message: 'b' }], services: { decode: { replicas: 2 } } };
    expect(differsInCountsOnly(status, other)).toBe(true);
  });

  test.each<[string, JsonObject]>([
    ['state', { state: 'successful' }],
    ['verdict', { conditions: [{ ...condition, status: 'True' }] }],
    ['reason', { conditions: [{ ...condition, reason: 'ValidationFailed' }] }],
    ['services', { services: { decode: { replicas: 1 }, other: {} } }],
    ['restart', { restart: { observedID: 'r', phase: 'Completed' } }],
  ])('not where the %s is another', (_what, change) => {
    expect(differsInCountsOnly(status, { ...status, ...change })).toBe(false);
  });
});
