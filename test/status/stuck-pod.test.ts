import { expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json/index.ts';
import { stuckReason } from '../../lib/status/index.ts';

const pod = (status: JsonObject, metadata: JsonObject = {}): JsonObject => ({ kind: 'Pod', metadata, status });
const waiting = (reason: string, message: string, lastState: JsonObject = {}): JsonObject => ({
  containerStatuses: [{ name: 'main', state: { waiting: { reason, message } }, lastState }],
});

test.each([
  ['a running pod', { phase: 'Running', containerStatuses: [{ name: 'main', state: { running: {} } }] }],
  ['a pod that is starting', waiting('ContainerCreating', '')],
  ['a pod that waits for its init container', waiting('PodInitializing', '')],
  ['a pod without a status', {}],
  [
    'a pod that ended well',
    { phase: 'Succeeded', containerStatuses: [{ name: 'main', state: { terminated: { exitCode: 0 } } }] },
  ],
])('%s is not stuck', (_, status) => {
  expect(stuckReason(pod(status))).toBeUndefined();
});

test('a pod that is being deleted is not stuck, whatever its containers say', () => {
  const status = waiting('ImagePullBackOff', 'no such image');
  expect(stuckReason(pod(status, { deletionTimestamp: '2026-01-01T00:00:00Z' }))).toBeUndefined();
});

test.each<[string, JsonObject, string]>([
  [
    'an image that cannot be pulled',
    waiting('ImagePullBackOff', 'Back-off pulling image "x"'),
    'ImagePullBackOff: container main: Back-off pulling image "x"',
  ],
  [
    'a missing Secret',
    waiting('CreateContainerConfigError', 'secret "hf" not found'),
    'CreateContainerConfigError: container main: secret "hf" not found',
  ],
  [
    'a crash loop, with how the container last ended',
    waiting('CrashLoopBackOff', 'back-off 40s', { terminated: { reason: 'OOMKilled', exitCode: 137 } }),
    'CrashLoopBackOff: container main: OOMKilled, exit code 137',
  ],
  [
    'a crash loop with last words',
    waiting('CrashLoopBackOff', 'back-off 40s', { terminated: { reason: 'Error', exitCode: 1, message: 'no CUDA device\n' } }),
    'CrashLoopBackOff: container main: Error, exit code 1: no CUDA device',
  ],
  [
    'a command that ends without an error and is started again',
    waiting('CrashLoopBackOff', 'back-off 40s', { terminated: { reason: 'Completed', exitCode: 0 } }),
    'CrashLoopBackOff: container main: back-off 40s',
  ],
  [
    'an init container',
    { initContainerStatuses: [{ name: 'wait', state: { waiting: { reason: 'ErrImagePull', message: 'denied' } } }] },
    'ErrImagePull: container wait: denied',
  ],
  [
    'no node with room',
    { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/4 nodes' }] },
    'Unschedulable: 0/4 nodes',
  ],
  ['an evicted pod', { phase: 'Failed', reason: 'Evicted', message: 'low on disk' }, 'Evicted: low on disk'],
  [
    'a failed pod that says nothing itself',
    { phase: 'Failed', containerStatuses: [{ name: 'main', state: { terminated: { exitCode: 2 } } }] },
    'Error: container main: Error, exit code 2',
  ],
])('tells %s', (_, status, expected) => {
  const found = stuckReason(pod(status));
  expect(`${found?.reason}: ${found?.message}`).toBe(expected);
});

test('a pod that waits for a gate is not called unschedulable', () => {
  const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated', message: 'gated' }];
  expect(stuckReason(pod({ phase: 'Pending', conditions }))).toBeUndefined();
});
