import { describe, expect, test } from 'vitest';
import type { DynamoGraphDeployment } from '../../lib/api/index.ts';
import { stringAt, type JsonObject } from '../../lib/json/index.ts';
import { componentsBefore } from '../../lib/reconcile/graph/components.ts';
import { groveBefore } from '../../lib/reconcile/graph/grove.ts';
import { advanceRestart, type RestartInput } from '../../lib/reconcile/graph/restart.ts';
import { readerOf } from '../../lib/reconcile/reader.ts';
import { lookupKey, type Snapshot } from '../../lib/reconcile/snapshot.ts';

const restartAt = 'nvidia.com/restartAt';

/** A graph whose restart `r` has come to service A. */
function restarting(services: JsonObject = { A: {}, B: {} }): DynamoGraphDeployment {
  return {
    apiVersion: 'nvidia.com/v1alpha1',
    kind: 'DynamoGraphDeployment',
    metadata: { name: 'g', namespace: 'demo' },
    spec: { services, restart: { id: 'r' } },
    status: { restart: { observedID: 'r', phase: 'Restarting', inProgress: ['A'] } },
  } as unknown as DynamoGraphDeployment;
}

function readerWith(apiVersion: string, objects: readonly JsonObject[]): ReturnType<typeof readerOf> {
  const entries = objects.map((object) => {
    const [kind, name] = [stringAt(object, 'kind'), stringAt(object, 'metadata', 'name')];
    return [lookupKey({ question: 'get', apiVersion, kind, namespace: 'demo', name }), object];
  });
  return readerOf({ objects: Object.fromEntries(entries), lists: {} } as unknown as Snapshot);
}

describe('components before a pass', () => {
  const ready = { observedGeneration: 2, conditions: [{ type: 'Available', status: 'True' }] };
  const component = (name: string, status: JsonObject, metadata: JsonObject = {}, spec: JsonObject = {}): JsonObject => ({
    kind: 'DynamoComponentDeployment',
    metadata: { name, generation: 2, ...metadata },
    spec,
    status,
  });
  const before = (...all: readonly JsonObject[]) => componentsBefore(restarting(), {}, readerWith('nvidia.com/v1alpha1', all));
  const inProgress = (...all: readonly JsonObject[]) => before(...all).restart.status?.inProgress;

  test('go on to the next when the one in progress is ready', () => {
    expect(inProgress(component('g-a', ready))).toEqual(['B']);
  });

  test.each<[string, readonly JsonObject[]]>([
    ['is not there', []],
    ['is being deleted', [component('g-a', ready, { deletionTimestamp: '2026-01-01T00:00:00Z' })]],
    ['has not seen its newest spec', [component('g-a', { ...ready, observedGeneration: 1 })]],
    ['has seen no spec', [component('g-a', { conditions: ready.conditions })]],
    ['is not available', [component('g-a', { ...ready, conditions: [{ type: 'Available', status: 'False' }] })]],
    ['says nothing of it', [component('g-a', { observedGeneration: 2 })]],
  ])('wait for one that %s', (_what, all) => expect(inProgress(...all)).toEqual(['A']));

  test('carry the tokens that their pods have', () => {
    const token = (value: string): JsonObject => ({ annotations: { [restartAt]: value } });
    expect(before(component('g-a', ready, {}, token('r')), component('g-b', {}, {}, token(''))).tokens).toEqual({ A: 'r' });
  });
});

describe('cliques before a pass', () => {
  const grove = 'grove.io/v1alpha1';
  const clique = (status: JsonObject = {}, kind = 'PodClique'): JsonObject => ({
    kind,
    metadata: { name: 'g-0-a', generation: 1 },
    spec: { replicas: 1 },
    status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1, ...status },
  });
  const set = (status: JsonObject, cliques: readonly JsonObject[] = []): JsonObject => ({
    kind: 'PodCliqueSet',
    metadata: { name: 'g', generation: 3 },
    spec: { template: { cliques } },
    status,
  });
  const seen = { observedGeneration: 3, currentGenerationHash: 'h' };
  const inProgress = (graph: DynamoGraphDeployment, ...all: readonly JsonObject[]) =>
    groveBefore(graph, {}, readerWith(grove, all)).restart.status?.inProgress;

  test('go on to the next when the one in progress is ready and follows its set, as far as both say so', () => {
    const follows = { currentPodCliqueSetGenerationHash: 'h' };
    expect(inProgress(restarting(), set(seen), clique(follows))).toEqual(['B']);
    expect(inProgress(restarting(), set(seen), clique())).toEqual(['B']);
    expect(inProgress(restarting(), set({ observedGeneration: 3 }), clique(follows))).toEqual(['B']);
    expect(inProgress(restarting(), set({ observedGeneration: 4 }), clique(follows))).toEqual(['B']);
  });

  test('wait otherwise', () => {
    for (const all of [
      [],
      [set(seen)],
      [clique()],
      [set({}), clique()],
      [set({ ...seen, observedGeneration: 2 }), clique()],
      [set(seen), clique({ currentPodCliqueSetGenerationHash: 'old' })],
      [set(seen), clique({ readyReplicas: 0 })],
    ])
      expect(inProgress(restarting(), ...all)).toEqual(['A']);
  });

  test('go on beside a service without replicas once they carry the token, since Grove then never observes the set', () => {
    const behind = set({ ...seen, observedGeneration: 2 });
    const follows = { currentPodCliqueSetGenerationHash: 'h' };
    const marked = (token: string, status: JsonObject = follows): JsonObject => ({
      ...clique(status),
      metadata: { name: 'g-0-a', generation: 1, annotations: { [restartAt]: token } },
    });
    const idle = { ...clique(), metadata: { name: 'g-0-b', generation: 1 }, spec: { replicas: 0 } };
    expect(inProgress(restarting(), behind, marked('r'), idle)).toEqual(['B']);
    expect(inProgress(restarting(), behind, marked('r'))).toEqual(['A']);
    expect(inProgress(restarting(), behind, marked('old'), idle)).toEqual(['A']);
    expect(inProgress(restarting(), behind, clique(follows), idle)).toEqual(['A']);
    expect(inProgress(restarting(), behind, marked('r', { currentPodCliqueSetGenerationHash: 'old' }), idle)).toEqual(['A']);
    expect(inProgress(restarting(), behind, marked('r', { ...follows, updatedReplicas: 0 }), idle)).toEqual(['A']);
  });

  test('are groups where a service spans nodes', () => {
    const spanning = restarting({ A: { multinode: { nodeCount: 2 } }, B: {} });
    expect(inProgress(spanning, set(seen), clique({}, 'PodCliqueScalingGroup'))).toEqual(['B']);
    expect(inProgress(spanning, set(seen), clique())).toEqual(['A']);
  });

  test('carry tokens by their service', () => {
    const one = (service: string, token: string): JsonObject => ({
      name: 'c',
      labels: { 'nvidia.com/dynamo-component': service },
      annotations: { [restartAt]: token },
    });
    const live = set(seen, [one('A', 'r'), one('B', ''), one('', 'r')]);
    expect(groveBefore(restarting(), {}, readerWith(grove, [live])).tokens).toEqual({ A: 'r' });
    expect(groveBefore(restarting(), {}, readerWith(grove, [])).tokens).toEqual({});
  });
});

describe('a step of a restart', () => {
  const advance = (more: Partial<RestartInput>) =>
    advanceRestart({
      restart: { id: 'r' },
      services: ['A', 'B', 'C'],
      before: undefined,
      isDone: () => true,
      tokenOf: () => undefined,
      ...more,
    });
  const under = (inProgress?: readonly string[]) => ({ observedID: 'r', phase: 'Restarting', ...(inProgress && { inProgress }) });

  test('shows a new request as restarting first, however healthy the services are', () => {
    expect(advance({})).toEqual({ status: under(['A']), silent: false });
    expect(advance({ restart: { id: 'r', strategy: { type: 'Parallel' } } }).status).toEqual(under(['A', 'B', 'C']));
    expect(advance({ before: { observedID: 'old', phase: 'Completed' } }).status).toEqual(under(['A']));
  });

  test('is silent where all in progress carry the token already', () => {
    expect(advance({ tokenOf: () => 'r' }).silent).toBe(true);
    expect(advance({ tokenOf: (service) => (service === 'A' ? 'r' : undefined) }).silent).toBe(true);
    expect(
      advance({ restart: { id: 'r', strategy: { type: 'Parallel' } }, tokenOf: (one) => (one === 'A' ? 'r' : 'x') }).silent,
    ).toBe(false);
    expect(advance({ before: under(['A']), tokenOf: () => 'r', isDone: () => false }).silent).toBe(false);
  });

  test('keeps what has ended, and forgets what has not when the request goes', () => {
    const completed = { observedID: 'r', phase: 'Completed' };
    const failed = { observedID: 'r', phase: 'Failed' };
    expect(advance({ before: completed }).status).toBe(completed);
    expect(advance({ before: failed }).status).toBe(failed);
    expect(advance({ restart: undefined, before: completed }).status).toBe(completed);
    expect(advance({ restart: undefined, before: under(['A']) }).status).toBeUndefined();
  });

  test('goes through the services one after the other, in the order that is given', () => {
    const order = { id: 'r', strategy: { type: 'Sequential', order: ['C', 'A', 'B'] } } as const;
    const to = (inProgress: readonly string[] | undefined, done: readonly string[], more: Partial<RestartInput> = {}) =>
      advance({ before: under(inProgress), isDone: (one) => done.includes(one), ...more }).status;
    expect(to(['A'], [])).toEqual(under(['A']));
    expect(to(['A'], ['A'])).toEqual(under(['B']));
    expect(to(['C'], ['A', 'B', 'C'])).toEqual({ observedID: 'r', phase: 'Completed' });
    expect(to(['C'], ['C'], { restart: order })).toEqual(under(['A']));
    expect(to(undefined, [], { restart: order })).toEqual(under(['C']));
    // One that carries the token and is done gives no event any more.
    expect(to(['A'], ['A', 'B'], { tokenOf: (one) => (one === 'B' ? 'r' : undefined) })).toEqual(under(['C']));
    // One that is gone is passed over: the first that is not done comes next.
    expect(to(['Gone'], ['A', 'B'], { tokenOf: () => 'r' })).toEqual(under(['C']));
  });

  test('of all services at once ends when the last is done', () => {
    const parallel = { id: 'r', strategy: { type: 'Parallel' } } as const;
    const to = (inProgress: readonly string[] | undefined, done: readonly string[]) =>
      advance({ restart: parallel, before: under(inProgress), isDone: (one) => done.includes(one) }).status;
    expect(to(['A', 'B'], ['A'])).toEqual(under(['B']));
    expect(to(['A', 'Gone'], ['A'])).toEqual({ observedID: 'r', phase: 'Completed' });
    expect(to(undefined, ['A'])).toEqual(under(['B', 'C']));
    expect(to([], ['A', 'B', 'C'])).toEqual({ observedID: 'r', phase: 'Completed' });
  });
});
