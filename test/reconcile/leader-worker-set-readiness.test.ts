import { expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json/index.ts';
import { isSyncedLeaderWorkerSetReady } from '../../lib/reconcile/component/leader-worker-set-readiness.ts';

const now = '2026-02-01T00:00:05.000Z';
const available = { type: 'Available', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' };
const ready = { replicas: 1, readyReplicas: 1, updatedReplicas: 1, conditions: [available] };

function isLeaderWorkerSetReady(live: JsonObject, moment: string): boolean {
  const desired = { apiVersion: 'leaderworkerset.x-k8s.io/v1', kind: 'LeaderWorkerSet', metadata: { name: 's' } };
  return isSyncedLeaderWorkerSetReady({ desired, live, state: 'same', steps: [] }, moment);
}

function setOf(status: JsonObject, metadata: JsonObject = {}, spec: JsonObject = { replicas: 1 }): JsonObject {
  return { metadata: { generation: 2, ...metadata }, spec, status };
}

test('a set is ready when all of it is, updated, and says so', () => {
  expect(isLeaderWorkerSetReady(setOf(ready), now)).toBe(true);
  expect(isLeaderWorkerSetReady(setOf(ready, {}, {}), now)).toBe(true);
  expect(isLeaderWorkerSetReady(setOf({}, {}, { replicas: 0 }), now)).toBe(true);
  for (const status of [
    {},
    { ...ready, readyReplicas: 0 },
    { ...ready, updatedReplicas: 0 },
    { ...ready, conditions: [] },
    { ...ready, conditions: [{ ...available, status: 'False' }] },
    { ...ready, conditions: [available, { type: 'UpdateInProgress', status: 'True' }] },
  ])
    expect(isLeaderWorkerSetReady(setOf(status), now)).toBe(false);
  const over = { ...ready, conditions: [available, { type: 'UpdateInProgress', status: 'False' }] };
  expect(isLeaderWorkerSetReady(setOf(over), now)).toBe(true);
});

test('a set that says which generation it has seen is believed', () => {
  expect(isLeaderWorkerSetReady(setOf({ ...ready, observedGeneration: 1 }), now)).toBe(false);
  expect(isLeaderWorkerSetReady(setOf({ ...ready, observedGeneration: 2 }, written('2026-02-01T00:00:04Z')), now)).toBe(true);
});

const written = (time: string, more: JsonObject = {}): JsonObject => ({
  annotations: { 'nvidia.com/last-applied-generation': '2' },
  managedFields: [{ manager: 'manager', operation: 'Update', time, ...more }],
});

test('one that does not say so is not believed for fifteen seconds after the operator wrote it, unless its status moved', () => {
  const at = (time: string, more: JsonObject = {}, status: JsonObject = ready): boolean =>
    isLeaderWorkerSetReady(setOf(status, written(time, more)), now);
  expect(at('2026-02-01T00:00:04Z')).toBe(false);
  expect(at('2026-01-31T23:59:50Z')).toBe(true);
  expect(at('2026-01-31T23:59:51Z')).toBe(false);
  expect(at('2026-02-01T00:00:04Z', { subresource: 'status' })).toBe(true);
  expect(at('2026-02-01T00:00:04Z', { manager: 'lws' })).toBe(true);
  expect(at('not a time')).toBe(true);
  const moved = { ...ready, conditions: [{ ...available, lastTransitionTime: '2026-02-01T00:00:04Z' }] };
  expect(at('2026-02-01T00:00:04Z', {}, moved)).toBe(true);
  expect(at('2026-02-01T00:00:05Z', {}, moved)).toBe(false);
  const fresh = { ...written('2026-02-01T00:00:04Z'), annotations: { 'nvidia.com/last-applied-generation': '1' } };
  expect(isLeaderWorkerSetReady(setOf(ready, fresh), now)).toBe(true);
});
