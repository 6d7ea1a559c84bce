import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/json/index.ts';
import { decided, eventsIn, job, pod, profiling, request, statusIn } from './snapshots.ts';

const failedJob = job([{ type: 'Failed', status: 'True', message: 'BackoffLimitExceeded' }]);
const running = request({}, profiling);

describe('watching the profiler', () => {
  test('waits while the Job runs', () => {
    expect(decided(running, [job()])).toEqual({ steps: [], events: [] });
    expect(decided(running, [job([{ type: 'Complete', status: 'False' }]), pod('Running', { running: {} })])).toEqual({
      steps: [],
      events: [],
    });
  });

  test.each<[string, readonly JsonObject[], string]>([
    ['the Job is gone', [], 'Job.batch "profile-ask" not found'],
    ['the Job is that of another request', [job([], { ownerReferences: [] })], 'Job.batch "profile-ask" not found'],
    ['the Job failed', [failedJob], 'profiling job failed: BackoffLimitExceeded'],
    [
      'the Job failed and its pod tells why',
      [failedJob, pod('Running', { running: {} }), pod('Failed', { terminated: { exitCode: 1, reason: 'Error' } })],
      'profiling job failed: BackoffLimitExceeded. Details: Pod: profile-ask-x, Container: profiler, ExitCode: 1, Reason: Error',
    ],
    [
      'the pod has a message',
      [failedJob, pod('Failed', { terminated: { exitCode: 137, reason: 'OOMKilled', message: 'out of memory' } })],
      'profiling job failed: BackoffLimitExceeded. Details: Pod: profile-ask-x, Container: profiler, ExitCode: 137, Reason: OOMKilled, Message: out of memory',
    ],
    [
      'the profiler never started',
      [failedJob, pod('Failed', { waiting: { reason: 'ImagePullBackOff', message: 'no such image' } })],
      'profiling job failed: BackoffLimitExceeded. Details: Pod: profile-ask-x, Container: profiler, Waiting - Reason: ImagePullBackOff, Message: no such image',
    ],
    [
      'the profiler failed and its sidecar waits for ever',
      [job(), pod('Running', { terminated: { exitCode: 2, reason: 'Error' } })],
      'profiling job failed: the profiler ended with exit code 2. Details: Pod: profile-ask-x, Container: profiler, ExitCode: 2, Reason: Error',
    ],
  ])('fails for good where %s', (_name, cluster, message) => {
    const decision = decided(running, cluster);
    expect(statusIn(decision)).toMatchObject({
      state: 'Failed',
      conditions: [{ type: 'Profiling', status: 'False', reason: 'ProfilingFailed', message }],
    });
    expect(eventsIn(decision)).toEqual([`Warning ProfilingCheckFailed: ${message}`]);
  });

  test.each([
    ['the profiler ended well', pod('Running', { terminated: { exitCode: 0 } })],
    ['the pod failed, so that the Job tries again', pod('Failed', { terminated: { exitCode: 1 } })],
    [
      'the pod is on its way out',
      pod('Running', { terminated: { exitCode: 143 } }, { deletionTimestamp: '2026-11-16T12:00:00Z' }),
    ],
  ])('waits on where %s', (_name, found) => {
    expect(decided(running, [job(), found])).toEqual({ steps: [], events: [] });
  });

  test('goes by the first condition that holds', () => {
    const both = job([
      { type: 'Complete', status: 'True' },
      { type: 'Failed', status: 'True', message: 'x' },
    ]);
    expect(statusIn(decided(running, [both]))).toMatchObject({ conditions: [{ reason: 'ProfilingCompleted' }, {}] });
  });
});
