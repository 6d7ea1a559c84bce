import { expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json/index.ts';
import type { ChildSync } from '../../lib/reconcile/child.ts';
import { deploymentReplicas, isSyncedDeploymentReady } from '../../lib/reconcile/component/deployment-readiness.ts';

const available = { type: 'Available', status: 'True' };
const status = {
  observedGeneration: 3,
  replicas: 2,
  updatedReplicas: 2,
  readyReplicas: 1,
  availableReplicas: 2,
  conditions: [available],
};

function sync(state: ChildSync['state'], spec: JsonObject, live?: JsonObject): ChildSync {
  const desired = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec };
  return { desired, state, steps: [], live: live && { metadata: { generation: 3 }, spec, ...live } };
}

test.each<[string, JsonObject, JsonObject, boolean]>([
  ['all of it runs', { replicas: 2 }, status, true],
  ['one replica where nothing is said', {}, { ...status, replicas: 1, updatedReplicas: 1, availableReplicas: 1 }, true],
  ['no replicas', { replicas: 0 }, {}, true],
  ['it is paused', { replicas: 2, paused: true }, status, false],
  ['it is paused without replicas', { replicas: 0, paused: true }, status, false],
  ['its status is of an older spec', { replicas: 2 }, { ...status, observedGeneration: 2 }, false],
  ['not all are updated', { replicas: 2 }, { ...status, updatedReplicas: 1 }, false],
  ['not all are available', { replicas: 2 }, { ...status, availableReplicas: 1 }, false],
  ['old ones are left over', { replicas: 2 }, { ...status, replicas: 3 }, false],
  ['it says it is not available', { replicas: 2 }, { ...status, conditions: [{ ...available, status: 'False' }] }, false],
  ['it says nothing', { replicas: 2 }, {}, false],
])('a Deployment of which %s', (_what, spec, current, ready) => {
  expect(isSyncedDeploymentReady(sync('same', spec, { status: current }))).toBe(ready);
});

test('one that was written in this pass is not ready, unless it shall run nothing', () => {
  for (const state of ['created', 'respecified'] as const) {
    expect(isSyncedDeploymentReady(sync(state, { replicas: 2 }, { status }))).toBe(false);
    expect(isSyncedDeploymentReady(sync(state, {}, { status }))).toBe(false);
    expect(isSyncedDeploymentReady(sync(state, { replicas: 0 }, { status }))).toBe(true);
  }
  expect(isSyncedDeploymentReady(sync('created', { replicas: 0 }))).toBe(true);
  expect(isSyncedDeploymentReady(sync('same', { replicas: 1 }))).toBe(false);
  expect(isSyncedDeploymentReady(sync('going', { replicas: 2 }, { status }))).toBe(false);
});

test('its counts are those of its status, and none where it is new', () => {
  const counts = (replicas: number, updatedReplicas: number, readyReplicas: number, availableReplicas: number) => ({
    componentKind: 'Deployment',
    componentName: 'd',
    replicas,
    updatedReplicas,
    readyReplicas,
    availableReplicas,
  });
  expect(deploymentReplicas(sync('same', {}, { status }))).toEqual(counts(2, 2, 1, 2));
  expect(deploymentReplicas(sync('respecified', {}, { status }))).toEqual(counts(2, 2, 1, 2));
  expect(deploymentReplicas(sync('created', {}, { status }))).toEqual(counts(0, 0, 0, 0));
  expect(deploymentReplicas(sync('created', {}))).toEqual(counts(0, 0, 0, 0));
});
