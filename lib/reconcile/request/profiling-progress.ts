import { findNumber, findObject, isObject, type JsonObject, listAt, objectAt, stringAt } from '../../json/index.ts';
import { profilingJobName } from '../../render/index.ts';
import { statusOf } from '../condition.ts';
import { kinds } from '../kinds.ts';
import { controllerOf, isDeleting, keyOf, uidOf } from '../metadata.ts';
import type { Reader } from '../reader.ts';

/** Progress of the profiler. */
type ProfilingProgress =
  | { readonly progress: 'running' }
  | { readonly progress: 'complete' }
  | { readonly progress: 'failed'; readonly message: string };

/** Reads the Job of a request and, while it is not complete, its pods. */
export function profilingProgress(request: JsonObject, reader: Reader): ProfilingProgress {
  const { namespace, name } = keyOf(request);
  const jobName = profilingJobName(name);
  const job = reader.get(kinds.job, namespace, jobName);
  if (job === undefined || stringAt(controllerOf(job), 'uid') !== uidOf(request))
    return { progress: 'failed', message: `Job.batch "${jobName}" not found` };
  const ended = listAt(statusOf(job), 'conditions')
    .filter(isObject)
    .find((entry) => entry['status'] === 'True' && ['Complete', 'Failed'].includes(stringAt(entry, 'type')));
  if (stringAt(ended, 'type') === 'Complete') return { progress: 'complete' };
  const pods = reader.list(kinds.pod, namespace, { labels: { 'job-name': jobName } });
  if (ended !== undefined) {
    const details = pods.filter((pod) => stringAt(statusOf(pod), 'phase') === 'Failed').flatMap(detailsOf)[0];
    return failed(stringAt(ended, 'message'), details);
  }
  // After a failure of the profiler its sidecar waits for a file that is never written, so neither pod nor Job ends.
  const crashed = pods.find((pod) => !isDeleting(pod) && stringAt(statusOf(pod), 'phase') !== 'Failed' && exitCode(pod) > 0);
  return crashed === undefined
    ? { progress: 'running' }
    : failed(`the profiler ended with exit code ${exitCode(crashed)}`, detailsOf(crashed)[0]);
}

function failed(cause: string, details: string | undefined): ProfilingProgress {
  return { progress: 'failed', message: `profiling job failed: ${cause}${details === undefined ? '' : `. Details: ${details}`}` };
}

function profilerState(pod: JsonObject): JsonObject {
  const containers = listAt(statusOf(pod), 'containerStatuses').filter(isObject);
  return objectAt(
    containers.find((container) => stringAt(container, 'name') === 'profiler'),
    'state',
  );
}

function exitCode(pod: JsonObject): number {
  return findNumber(findObject(profilerState(pod), 'terminated'), 'exitCode') ?? 0;
}

/** Why the profiler's container in a pod terminated or waits. */
function detailsOf(pod: JsonObject): readonly string[] {
  const start = `Pod: ${keyOf(pod).name}, Container: profiler, `;
  const state = profilerState(pod);
  const terminated = findObject(state, 'terminated');
  const waiting = findObject(state, 'waiting');
  if (terminated !== undefined) {
    const message = stringAt(terminated, 'message');
    const end = `ExitCode: ${findNumber(terminated, 'exitCode') ?? 0}, Reason: ${stringAt(terminated, 'reason')}`;
    return [`${start}${end}${message === '' ? '' : `, Message: ${message}`}`];
  }
  if (waiting === undefined) return [];
  return [`${start}Waiting - Reason: ${stringAt(waiting, 'reason')}, Message: ${stringAt(waiting, 'message')}`];
}
