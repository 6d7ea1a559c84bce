import { expect, test } from 'vitest';
import { moveTo } from '../../../lib/reconcile/request/request-status.ts';
import type { Snapshot } from '../../../lib/reconcile/snapshot.ts';
import { config, request } from './snapshots.ts';

const at = (state: string): Snapshot => ({
  resource: request({}, { state, observedGeneration: 1 }),
  now: '2026-05-01T10:00:00.000Z',
  config,
  apiGroups: [],
  objects: {},
  lists: {},
});

test.each([
  ['', 'Pending', true],
  ['Pending', 'Profiling', true],
  ['Profiling', 'Deploying', true],
  ['Deploying', 'Ready', false],
  ['Ready', 'DeploymentDeleted', false],
  ['Profiling', 'Failed', false],
  ['Profiling', 'Profiling', false],
] as const)('from state %j to %s another pass follows at once: %s', (from, to, follows) => {
  expect(moveTo(at(from), { state: to }).lookAgainSeconds).toBe(follows ? 0 : undefined);
});

test('an unchanged status is not written', () => {
  expect(moveTo(at('Ready'), { state: 'Ready' }).steps).toEqual([]);
  expect(moveTo(at('Ready'), { state: 'Failed' }).steps).toMatchObject([
    [{ verb: 'status', object: { status: { state: 'Failed' } } }],
  ]);
});
